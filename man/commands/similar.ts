import type { PageText } from '../command-page.ts'
import { requestStatuses } from '../exit-statuses.ts'
import { section } from '../mdoc.ts'

const results = `On a terminal, a row has the similarity, the place, and the first words of the text. In a pipe the three are separated by tabs, and a tab or a line break in them is a space. The line in PATH:LINE is behind the last colon. --json, and -o with a name that ends in .json, print an array of objects with similarity, path, line, and the whole text; the path of stdin is -.

  $ syn similar --sandbox --lines --limit 2 "a cat on a mat" lines.txt
  syn: embedding 3 of 3 parts (first time only)
  0.8433	lines.txt:2	A cat sits on a mat
  0.4216	lines.txt:1	The cat sat on the mat

The similarity is the cosine of two embeddings, from -1 to 1. Which values are high depends on the model: look at some results before you choose --min. If nothing reaches it, the status is 1, and an error names the nearest part.`

const parts = `A paragraph ends at a blank line. A heading goes with the paragraph below it, a paragraph of more than 1,500 characters is cut at the end of a line or at a blank, and one without any letter or digit is left out. --by line searches each line that is not blank, and --by file whole files.

A file named .csv, .tsv or .jsonl is searched by rows, as syn-embed(1) reads them: the text is in the column that --column names, else in the column text, the only column, or the only one that is not numeric. A file that cannot be read by rows is searched as text, and a notice says why.

In a folder, these are left out: hidden files, what a .gitignore excludes, links, names with control characters, and names of private keys, such as id_rsa, *.pem, *.key and *.p12. A pattern in quotes leaves out private keys, and hidden files that it does not name. Name a file to search it. Files that are not UTF-8 text are skipped, and folders whose .gitignore is larger than 256 KiB or takes too long; a notice counts them. A part that the service refuses, such as one that is too long for the model, is left out, and a warning names it.

For models named nomic-embed-text or e5, the question and the parts are sent with the prefixes that these models were trained with, such as search_query: and search_document:.`

const cache = `What is received is kept in the cache directory, in ~/.cache/syn/embeddings. It is found by a hash of the base URL, the model, --dimensions and the text, so that only texts that are new are sent: a paragraph that moved, or that is in two files, is known. Vectors and hashes are stored, but neither texts nor paths. A run that is stopped keeps what arrived.

Nothing is stored with --no-cache, or if the setting save is false. All vectors together have at most 2 GB; those that were used longest ago go first. --forget removes it.

More than 20,000 parts that are not in the cache are confirmed on a terminal, and elsewhere need --yes.`

const tool = `A model can search files with a tool that runs this command, see syn-tools(1):

  {
    "tools": {
      "notes": {
        "description": "Search my notes by meaning",
        "parameters": { "type": "object", "properties": { "query": { "type": "string" } }, "required": ["query"] },
        "command": ["syn", "similar", "--limit", "5", "{{query}}", "/home/me/notes/*.md"]
      }
    }
  }

With it in tools.json, syn chat --allow notes "What did we decide about the lock?" answers from the notes, and can name file and line. The tool uses the account that syn login stored.`

const text: PageText = {
  statuses: {
    ...requestStatuses,
    failed:
      'Nothing reaches --min, the service rejected the request, many parts were not confirmed, or a file could not be written.',
  },
  sections: [
    section('RESULTS', results),
    section('WHAT IS SEARCHED', parts),
    section('CACHE', cache),
    section('SEARCHING WITH A MODEL', tool),
  ],
  seeAlso: ['syn-embed', 'syn-tools'],
}

export default text
