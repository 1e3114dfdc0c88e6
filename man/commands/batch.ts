import type { PageText } from '../command-page.ts'
import { requestStatuses } from '../exit-statuses.ts'
import { definitions, section } from '../mdoc.ts'

const input = `Each row of INPUT, a file or standard input, becomes one request. Its format is that of --input-format, else of the extension .csv, .tsv, .jsonl or .ndjson, else of the first line.`

const formats = {
  openai:
    'Lines as for a batch of OpenAI: {"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{...}}. The URL may also be /v1/completions or /v1/embeddings, each with or without /openai before it.',
  anthropic:
    'Lines as for a batch of Anthropic: {"custom_id":"a","params":{"max_tokens":100,"messages":[...]}}. They are sent to the API of syn messages.',
  jsonl:
    'JSON values, one a line. Without a template, an object has a prompt or messages, or both, and the value may be just a string: {"prompt":"Say hello","temperature":0}, {"messages":[{"role":"user","content":"Say hello"}]} or "Say hello". With a template, every value is data.',
  'csv, tsv':
    'A table whose first row names the columns. It needs a template. A semicolon, a tab or | is the delimiter if the first row has it and no comma outside quotes, or a line sep=; above it names it; the summary says so.',
  lines: 'Plain text, one prompt a line, or with a template one value a line.',
}

const rows = `Blank lines are no rows. A row of a table is left out, and counted in the summary, if it has no value, or if all columns that the template names are empty. The custom_id of a row is its key or column custom_id, else its key or column id if all rows of a file have different ones, else line-N, by its line. A row with the custom_id of an earlier one is invalid.

All rows are checked first: if any is invalid, nothing is sent, and the exit status is 2. --skip-invalid sends the others, and puts the invalid ones into the errors file. Without --output, each row of a pipe is checked as it is read: an invalid one ends the run with status 2 if nothing was sent before it, else it fails, and the run goes on. A repeated custom_id ends the run, after the rows before it, unless --skip-invalid is given.

  $ cat reviews.csv
  id,text
  r1,Good food
  r2,Bad service
  r3,"Fine, but slow"
  $ syn batch --sandbox reviews.csv -t 'Sentiment of: {{body}}'
  syn: reviews.csv, line 1: no column "body" (available: "id", "text")

--dry-run checks all rows, prints the first three requests, and with --output says how many rows have an answer. With --max-cost it ends with status 8 if the prompts and the limits of answers, with what was spent, exceed that.`

const fileRows = `--files 'logs/*.log' takes each file that matches as a row. Quote the pattern. The path is also the custom_id of the row; --keep takes . and path. A pattern may have *, ?, [a-z], {a,b}, and **/ for folders at any depth. Hidden files match only a pattern that names them. Rows are sorted by path, pattern by pattern. Files of the run itself are no rows.

Files with a null byte, as binary ones have, and empty or blank ones are left out, and counted in the summary. A file that cannot be read, is not UTF-8, or is larger than 64 MiB fails its row; the others are sent. A pattern without a file is an error, with exit status 2.

The next time, the same command sends only new and changed files.`

const template = `--template is the prompt of each row, or @ and the file or stored prompt that holds it; see syn-prompts(1). It has no logic; a column that a row lacks is an error. A template without a column is refused for more than one row; --yes sends it.`

const names = {
  '{{text}}': 'The value of the column or key text. A name may contain spaces, and spaces around it are ignored.',
  '{{author.name}}': 'The key name in the object author, unless there is a column author.name.',
  '{{focus}}': 'The same, or the value of --var focus=VALUE for all rows.',
  '{{.}}': 'The whole row: a line or the text of a file as it is, an object as JSON.',
  '{{"{{"}}': 'Two braces.',
}

const values = `Text is inserted as it is, null as nothing, and any other value as JSON. What a template inserts is not searched for braces.

With a template no key of a row is sent as a field.`

const defaults = `A row's own fields override flags, --param and --body: with --temperature 1, the row {"prompt":"Say hello","temperature":0} keeps 0. In the same way, --system, --messages and -m are for rows without their own.

In a row with prompt or messages, a key that is no field of the request is data and is not sent; a notice names a key that looks like a misspelled field. In the body or params of a batch line, all keys are sent.

--api messages sends prompts to the API of syn messages. Requests are streamed, unless a row says "stream":false; results are whole either way. Batch lines for embeddings without a model get that of SYN_EMBED_MODEL or the setting embed-model.`

const output = `With --output FILE, the results are in FILE, in the order of the input, when all rows have been sent. A failed row is in the errors file: out.errors.jsonl for out.jsonl, out.csv.errors.jsonl for out.csv, and so for .tsv, .txt and .ndjson; FILE.errors for most other names. Without --output, no answer is recorded. The line on stdout is empty for a row that failed, whose error goes to stderr, and for an empty row or blank line, except blank lines of a table.`

const outputFormats = {
  jsonl:
    'A line {"id":...,"custom_id":...,"response":{"status_code":200,"body":{...}},"error":null} for each row, as in the output of OpenAI\'s batches. The body is that of the reply, in the shape of the API that was asked. For chat, jq -r \'.response.body.choices[0].message.content\' prints the answers.',
  text: 'The text of each answer on a line. A text with line ends is printed as a JSON string; with --schema or --json-object, the JSON of an answer on one line. In a file, a failed row is an empty line.',
  csv: 'A table with the columns of --keep and a column answer. With --schema, it has a column for each property of the schema instead of answer. In a file with --keep, a failed row has an empty answer. A file made of a CSV has its delimiter, line ends and byte order mark; in tsv, tabs.',
}

const outputRows = `--keep takes what a template takes: a column, a.b within one, or . for the whole record. A column that no row has is refused before any request; in a pipe of JSON Lines without --output, it is empty. With it, jsonl is a line for each row too, an object with the columns as keys:

  $ syn batch --sandbox -q reviews.csv -t 'Sentiment of: {{text}}' --schema '{"properties":{"sentiment":{"enum":["good","bad"]}}}' --keep id -o out.csv
  $ cat out.csv
  id,sentiment
  r1,good
  r2,bad
  r3,good

In the errors file, response is null, or the reply that is not whole or does not match the schema, and error has a code and a message. The codes are invalid_request (not sent), http_ and the status (rejected by the service), schema_mismatch, token_limit (cut off at the token limit), empty (no text), refused, filtered, missing_choices (fewer than n), unoffered_call (of a tool), timeout, network, cut_short (the answer broke off) and no_answer (with --offline). jq -c '[.custom_id, .error.code]' out.errors.jsonl lists them.

An answer that is empty or cut off at the token limit fails its row, and its text is in the errors file. --allow-cut takes such answers as results; with --schema, only those that match it. Without it, a row that was cut off is sent again only with a higher limit, as with --max-tokens, an empty one with --retry-empty, and one that was refused or filtered with --restart; after a run without a limit, any limit counts as higher. Completions that end at their limit are results.`

const comparing = `-m given several times asks each row of each model, and adds a column named after it, such as syn:small:text, or syn:small:text.sentiment with a schema, to an --output in csv, tsv or jsonl. Not with --input-format openai or anthropic, --n and --fallback. --max-errors counts for each; when one has to stop, the others go on. A model can be added or left out later without --new-settings.

--expect label compares each answer with the column label: without case, and without blanks, quotation marks, ** and a full stop around it. --exact compares all. With --schema, --expect sentiment=label compares a property; numbers are equal by value. Rows without a value in the column do not count; a row without an answer is not right. A column ok is added, for several models NAME.ok. The last lines count the right answers, with Wilson's interval of 95%, their cost, and how many differ from those of the best model:

  syn: syn:small:text: 181 of 200 right (90.5 %, 85.6 to 93.8), $0.0041

With --pass 95%, the status is 8 if the share of the best model is smaller, once all rows are done. With --offline, this costs nothing. A template that inserts the column, as {{.}} does, is refused: the answer would be in the question.`

const continuing = `With --output OUT, syn records each answer in OUT.answers, from which it makes OUT. The same command sends only rows without an answer: those not sent yet, and failed, new and edited ones.

An answer belongs to a request: the base URL, the API, and the fields that are sent, such as the model and the messages. Token limits (except for completions), the order of fields, the API key, and columns that the prompt does not use do not count. Moving rows, --keep, --format, --limit, --sample and the pace cost nothing. With --limit, --sample or --shard, OUT has only the rows that they choose; the answers to others stay recorded.

Another template, model, schema, field or base URL makes new requests. If no earlier run had these settings, nothing is sent, and the exit status is 2:

  $ syn batch --sandbox reviews.csv -t 'Sentiment of: {{text}}' -o out.csv
  syn: 3 rows would be sent with other settings than before: the schema
  hint: use --new-settings to send them; the answers in out.csv.answers are kept

--restart, --new-settings, --dedupe and --offline need --output. With --restart, the former answers no longer count from the first new one on; to continue such a run, leave it out. With --offline, rows without an answer are in the errors file, and no API key is needed.

A run is also refused, with exit status 2, if no recorded answer belongs to a row of INPUT, as in a run with another file; if OUT was changed since syn wrote it, or was written by another program; or if OUT is INPUT.

kill -9 loses no answer that has arrived. The requests in flight are sent again, and may be paid for twice.`

const files = {
  OUT: 'The results. They replace an older file when all rows have been sent.',
  'OUT.answers':
    'All answers, also to removed rows and earlier prompts. Only its owner can read it (mode 0600). Of the requests it has only hashes. syn never deletes it: rename or delete it along with OUT. A row whose line is damaged is sent again, with a warning.',
  'OUT.partial-input':
    'A copy of standard input or of another pipe, which only its owner can read, until all rows have a result. The command that continues names it.',
  'OUT.partial-output, OUT.partial-errors': 'OUT and the errors file, until they are whole.',
  'OUT.lock': 'A directory that keeps a second run from writing the same files.',
}

const cost = `The first line of a run, and of --dry-run, says what it may cost by the prices of syn models:

  $ syn batch --sandbox reviews.csv -t 'Sentiment of: {{text}}' --max-tokens 200 --dry-run 2>&1 | head -n 1
  syn: 3 requests · about 32 tokens of prompts, $0.0000048; answers at most $0.00030:

The tokens are estimated from the texts, without the service: within about 15%. Answers cost at most what --max-tokens allows; without it, the line leaves them out. After 20 answers, what these took replaces both estimates. Unknown prices, tokens of images, and rows of a pipe that are not read yet are left out.

--max-cost 1 stops before the request by which all runs with the same --output would have cost more than one dollar, with status 8; without --output, this run alone. Recorded answers count by their usage, failed rows and those before --restart too, and what may have to be paid by an estimate. Without --max-tokens, answers in flight may exceed the amount, by what they are longer than the longest so far. The same command with a higher amount continues. If a price is not known, the run ends with status 2 before anything is sent.`

const pace = `syn finds out how many requests the service takes at a time. It begins with one (for embeddings: 4), and doubles the number until the service refuses some with 429, 502 or 503, or until answers take twice as long to begin. A refusal halves the number, which then rises again. --jobs 16 fixes the number, --jobs 4-200 sets bounds (default: 1-64). Requests of your other processes, such as a chat, wait for the rows in flight: see RETRIES AND TIMEOUTS in syn(1).

A refusal does not count against a row: it is sent again until it has an answer. Other statuses 5xx, 408, 425, lost connections, timeouts and answers that break off are retried up to --retries times, then the row fails. Any other status, or an answer that does not match --schema, fails the row at once; --repair N sends such an answer back up to N times, each a paid request. No row waits for a slow one.

If eight rows in succession fail so, syn takes the service to be down: it sends one request at a time, whose failure counts against no row. After ten minutes without a reply, or if it never replied in this run, the run stops with status 6.

When the quota is used up, the run waits for the renewal if that is within an hour; otherwise it stops with status 5. --max-wait TIME replaces the hour. --on-limit wait also waits if the service does not say when the quota renews; then the run stops after six hours without an answer, or after TIME. --on-limit stop never waits. The setting on-limit wait makes it six hours, too, if stderr is a terminal.

Off a terminal, a line shows the progress every 30 seconds. --progress jsonl prints it every 5 seconds as JSON, with the keys done, total, failed, in_flight, rows_per_second, seconds_left, waiting, cost and expected_cost, both of this run, in dollars or null.`

const stopping = `Ctrl-C lets the requests in flight end, and starts no others; a second one stops at once. The exit status is 130. SIGTERM does the same with status 143, and a terminal that closes with 129; a run started by nohup goes on. If no rows are left, the output is written, and the status is that of a run that was not stopped. With --output, nothing is lost, and the command that continues is printed.

The statuses 401 and 402, a missing endpoint, --max-cost, and a removed model of the run stop it, after the requests in flight have ended. With --fallback the alias of the model's category is used instead, with --fallback=MODEL the next of these models. A model that a row names itself fails only that row, and is never replaced.

--fallback also asks the other models when the last attempt of a row fails with 502, 503 or 529, for this row only.

--max-errors 10 stops when more than 10 rows have failed, --max-errors 5% when more than that share of at least 100 rows has; --max-errors 0 stops at the first one. Without it, a run stops if its first 25 rows all fail, with the exit status of the failure. --max-errors 100% never stops.`

const machines = `--shard 2/8 takes the second of 8 parts of the input. The content of a row alone decides its part, so that inserted lines move no others, and the same rows are in the same part with any template. Each part has its own --output, and continues on its own.

To join the parts, join their answers, and run the same command without --shard. With --offline, a row that no part has answered fails:

  $ for i in 1 2; do syn batch --sandbox -q reviews.csv -t 'Sentiment of: {{text}}' --shard $i/2 -o part.$i.jsonl; done
  $ cat part.*.jsonl.answers > all.jsonl.answers
  $ syn batch --sandbox reviews.csv -t 'Sentiment of: {{text}}' --offline -o all.jsonl
  syn: all.jsonl: written from 3 recorded answers; nothing was sent

Join each store once, and remove all.jsonl before you join again.

To rehearse failures, delays and a quota, see REHEARSALS in syn-sandbox(1).`

const text: PageText = {
  statuses: {
    ...requestStatuses,
    done: 'Success: all rows have a result.',
    failed:
      'Failure: rows failed, such as by an answer that is empty or cut off, or have no answer with --offline; a file ' +
      'could not be written; another run writes it.',
    usage:
      'Usage error or invalid input: an unknown option, an invalid row, an unreadable file, new settings, ' +
      'recorded answers of another input, or an OUT that syn did not write. Nothing was sent.',
    unauthorized: 'Not authorized: no API key, or the service rejected it.',
    notFound: 'Not found: the model of the run was rotated out, or the service lacks the endpoint.',
    quota: 'Quota used up.',
    threshold: 'The next request might have cost more than --max-cost, or --pass was not reached.',
    network: 'The service cannot be reached, or was down for too long.',
  },
  sections: [
    section('INPUT', input, definitions('Li', formats), rows, fileRows),
    section('TEMPLATE', template, definitions('Li', names), values),
    section('FLAGS AND ROWS', defaults),
    section('OUTPUT', output, definitions('Li', outputFormats), outputRows),
    section('COMPARING MODELS', comparing),
    section('CONTINUING A RUN', continuing),
    section('COST', cost),
    section('PACE AND FAILURES', pace),
    section('STOPPING A RUN', stopping),
    section('MANY MACHINES', machines),
    section('FILES OF A RUN', definitions('Pa', files)),
  ],
  seeAlso: ['syn-chat', 'syn-quota', 'syn-sandbox'],
}

export default text
