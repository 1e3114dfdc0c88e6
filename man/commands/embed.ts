import type { PageText } from '../command-page.ts'
import { requestStatuses } from '../exit-statuses.ts'
import { definitions, section } from '../mdoc.ts'

const formats = {
  jsonl:
    'One JSON object a line for each text, in order: index, text (with --with-text), the columns of --keep, and embedding. The default.',
  csv: 'A header and one row for each text: index, text (with --with-text), the columns of --keep, and v0, v1 and so on. A file made of a CSV has its delimiter, line ends and byte order mark.',
  tsv: 'The same columns, tab-separated. As in csv, a value with a tab, a quote or a line break is quoted.',
}

const digits = `Each number has the digits that the service sent.`

const extension = `Without --format, the extension of the --output file selects the format: .jsonl or .ndjson, .csv or .tsv. Any other extension is an error; a name without an extension gets JSON Lines.`

const output = `--json prints the service's whole answer.

  $ cat lines.txt
  The cat sat on the mat
  A cat sits on a mat
  A ship sails at dawn
  $ syn embed --sandbox --dimensions 4 --lines --with-text < lines.txt | head -n 1
  {"index":0,"text":"The cat sat on the mat","embedding":[0.8017837257372733,0.2672612419124244,0,0.5345224838248488]}

An argument that names a file is an error, because the file was probably meant: embed it with -f, or pipe it in. --input embeds the name itself.

The texts may be in a column of a table: a file named .csv or .tsv, or .jsonl or .ndjson for JSON Lines. The text is in the column that --column names, else in the column text, the only column, or the only one whose first 256 rows have more than numbers. --input-format text embeds such a file as one text; standard input is one text unless --input-format says otherwise. A table is read as in syn-batch(1): another character between its columns is found, and rows without any value are left out, both of which a notice says. A row whose text alone is empty has an embedding.

  $ cat books.csv
  title,year
  Dune,1965
  Emma,1815

--keep puts columns of the input beside each embedding. It takes names separated by commas, as in syn-batch(1): a column, or in JSON Lines also a.b for a value within one; . is the whole record. In csv and tsv, a value of JSON Lines that is no string is written as JSON; null or a key that a record lacks is an empty cell. A column that a table lacks, or that no record of JSON Lines has, is an error, as is a text without columns, such as an argument. Of texts in files, it also takes path and line, unless a column is named so.

  $ syn embed --sandbox --dimensions 2 -f books.csv --keep year
  {"index":0,"year":"1965","embedding":[0,1]}
  {"index":1,"year":"1815","embedding":[0,1]}`

const requests = `Many texts are sent in several requests, a few at a time: up to --batch-size texts or about 100,000 characters in each. On a terminal a bar shows the progress. If a request fails, the embeddings written before it are kept; with --output they are in FILE.partial.

Lines, JSON Lines, CSV and TSV may be of any size; one line, value or row is at most 16 MiB. The first 16 MiB of texts are checked before the first request, and the others while they are sent: at a bad record, syn exits with status 2 and keeps the embeddings before it.

The model is the first of these that is set: -m, SYN_EMBED_MODEL, the setting embed-model. Otherwise it is the only embedding model that the service lists.`

const text: PageText = {
  statuses: {
    ...requestStatuses,
    usage: 'Usage error or invalid input; nothing was sent, but for the texts of long input before a bad record.',
    cutShort: 'A request failed after the embeddings of some texts had been written.',
  },
  sections: [
    section('OUTPUT FORMATS', definitions('Li', formats), digits, extension, output),
    section('REQUESTS AND MODEL', requests),
  ],
  seeAlso: ['syn-models', 'syn-similar'],
}

export default text
