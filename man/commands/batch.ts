import type { PageText } from '../command-page.ts'
import { requestStatuses } from '../exit-statuses.ts'
import { definitions, section } from '../mdoc.ts'

const input = `INPUT is a file, or standard input. Each row becomes one request. --input-format names the format, which otherwise is that of the extension .csv, .tsv, .jsonl or .ndjson, or of the first line. With --files, there is no INPUT: each file is a row.`

const formats = {
  openai:
    'Lines as for a batch of OpenAI: {"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{...}}. The URL may also be /v1/completions or /v1/embeddings, each with or without /openai before it. A URL with a host is refused.',
  anthropic:
    'Lines as for a batch of Anthropic: {"custom_id":"a","params":{"max_tokens":100,"messages":[...]}}. They are sent to the API of syn messages.',
  jsonl:
    'JSON values, one a line. Without a template, an object has a prompt or messages, or both, and the value may be just a string: {"prompt":"Say hello","temperature":0}, {"messages":[{"role":"user","content":"Say hello"}]} or "Say hello". With a template, every value is data.',
  'csv, tsv':
    'A table whose first row names the columns. It needs a template. A semicolon, a tab or | between the columns is found if the first row has it and no comma outside quotes, and the line sep=; above it names any character; the summary says so. --delimiter comes before both. A row may end with CRLF, LF or CR. A row with a quote inside an unquoted column is invalid; in TSV, which many programs write without quoting, such a quote is text.',
  lines:
    'Plain text, one prompt a line, or with a template one value a line. --lines is short for --input-format lines.',
}

const rows = `Blank lines are no rows; as a filter, syn prints a blank line for each of them, but for those of a table. A row of a table is left out, and counted in the summary, if it has no value, or if all columns that the template names are empty; as a filter, syn prints a blank line for it. The name of a row is its key or column custom_id. Without one, it is the key or column id if all rows of a file have one and all are different, else line-N, where N is the line number. A row is invalid if it has the custom_id of an earlier one; in a pipe, the first million are remembered.

All rows are checked before the first request. If any is invalid, up to ten are named with their lines, nothing is sent, and the exit status is 2. --skip-invalid sends the others, and puts the invalid ones into the errors file. Without --output, each row of a pipe is checked as it is read: an invalid one ends the run with status 2 if nothing was sent before it, else it fails, and the run goes on. One with the custom_id of an earlier row ends it in any case, after the rows before it, unless --skip-invalid is given. When a run without --output is stopped, a row that has no result counts as failed if later ones have one, which are printed after it.

  $ cat reviews.csv
  id,text
  r1,Good food
  r2,Bad service
  r3,"Fine, but slow"
  $ syn batch --sandbox reviews.csv -t 'Sentiment of: {{body}}'
  syn: reviews.csv, line 1: no column "body" (available: "id", "text")

--limit takes the first rows, --sample some at random, which are the same ones each time and with another --sample-seed others. --dry-run checks all rows, and prints the first three requests.

  $ syn batch --sandbox -q reviews.csv -t 'Sentiment of: {{text}}' --dry-run | jq -c .messages[0].content
  "Sentiment of: Good food"
  "Sentiment of: Bad service"
  "Sentiment of: Fine, but slow"`

const fileRows = `--files 'logs/*.log' takes each file that matches as a row, and may be repeated. Quote the pattern, so that the shell does not expand it. {{.}} is the text of the file and {{path}} its path, which is also the custom_id of the row; --keep takes the same two. * and ? stand for characters, [a-z] for one of them, {a,b} for either, and **/ for folders at any depth, without links to folders. Hidden files match only a pattern that names them, as '.github/*' does. A path that exists is no pattern, whatever its name. The rows are in the order of the patterns, those of one pattern sorted by path, and each file is one row.

Files that are binary, which is all but UTF-8 text, and empty or blank ones are left out, and counted in the summary. A file that cannot be read, or is larger than 64 MiB, fails its row; the others are sent. A pattern without a file is an error, with exit status 2. What the run itself writes, such as --output and the files beside it, is no row.

The files are read again when their rows are sent, as they are then. The next time, the same command sends only new and changed files. So once a day, from cron:

  0 6 * * * cd /srv/app && syn batch -q --files 'logs/*.log' -t 'Summarize: {{.}}' -o summaries.jsonl`

const template = `--template is the prompt of each row, or @ and the file or stored prompt that holds it; see syn-prompts(1). It has no logic; a column that a row lacks is an error. The name of a column in a table may be written in another case if no other column has the same name then. A template without a column is refused for more than one row, before anything is sent; --yes sends it.`

const names = {
  '{{text}}': 'The value of the column or key text. A name may contain spaces, and spaces around it are ignored.',
  '{{author.name}}': 'The key name in the object author, unless there is a column author.name.',
  '{{focus}}': 'The same, or the value of --var focus=VALUE for all rows.',
  '{{.}}': 'The whole row: a line or the text of a file as it is, an object as JSON.',
  '{{"{{"}}': 'Two braces.',
}

const values = `Text is inserted as it is, null as nothing, and any other value as JSON. What a template inserts is not searched for braces.

With a template no key of a row is sent as a field. Fields for all rows come from flags.`

const defaults = `A row's own fields override flags, --param and --body. Elsewhere a flag overrides everything. Here it sets the default for rows that do not set the field themselves:

  $ cat greetings.jsonl
  {"prompt":"Say hello","temperature":0}
  {"prompt":"Say goodbye"}
  $ syn batch --sandbox -q greetings.jsonl --temperature 1 --dry-run | jq .temperature
  0
  1

In the same way, --system is for rows without a system prompt, --messages for rows without messages, and -m for rows without a model.

In a row with prompt or messages, a key that is no field of the request is data and is not sent; a notice names a key that looks like a misspelled field. In the body or params of a batch line, all keys are sent; a notice names unknown ones. Each key is named once in a run.

--api messages sends the requests that are made of prompts to the API of syn messages. Requests are streamed, so that --timeout works as in syn chat, unless a row says "stream":false; results are whole all the same. Batch lines for embeddings without a model get that of SYN_EMBED_MODEL or the setting embed-model.`

const output = `With --output FILE, the results are in FILE, in the order of the input, when all rows have been sent. A failed row is in the errors file instead: out.errors.jsonl for out.jsonl, out.csv.errors.jsonl for out.csv, and so for .txt and .ndjson; FILE.errors for any other name, and FILE.errors.jsonl for a name such as out.csv.jsonl, so that no two outputs share their errors. Without --output, syn is a filter: stdout gets a line for each row, in order, and an empty one for a row that failed, whose error goes to stderr. Nothing is kept then.`

const outputFormats = {
  jsonl:
    'A line {"id":...,"custom_id":...,"response":{"status_code":200,"body":{...}},"error":null} for each row, as in the output of OpenAI\'s batches. The body is that of the reply, in the shape of the API that was asked. The id depends only on the line of the input. The default for --output. For chat, jq -r \'.response.body.choices[0].message.content\' prints the answers.',
  text: 'The text of each answer on a line. A text with line ends is printed as a JSON string; with --schema or --json-object, the JSON of an answer on one line. In a file, a failed row is an empty line. The default for stdout, and for .txt.',
  csv: 'A table with the columns of --keep and a column answer. With --schema, it has a column for each property of the schema instead of answer. The default for .csv.',
}

const outputRows = `--keep takes what a template takes: a column, a.b within one, or . for the whole record. A column that no row has is refused before any request; in a pipe of JSON Lines without --output, where later rows are not known, it is empty. With it, jsonl is a line for each row too, an object with the columns as keys:

  $ syn batch --sandbox -q reviews.csv -t 'Sentiment of: {{text}}' --schema '{"properties":{"sentiment":{"enum":["good","bad"]}}}' --keep id -o out.csv
  $ cat out.csv
  id,sentiment
  r1,good
  r2,bad
  r3,good

In the errors file, response is null, or the reply that is not whole or does not match the schema, and error has a code and a message. The codes are invalid_request for a row that was not sent, http_ and the status for what the service rejected, schema_mismatch, token_limit for an answer that was cut off at the token limit, empty for one without text, timeout, network, and cut_short for an answer that broke off.

  $ cat models.jsonl
  {"custom_id":"a","prompt":"Say hello","model":"syn:small:text"}
  {"custom_id":"b","prompt":"Say hello","model":"hf:sandbox/Aurora-1-180B"}
  $ syn batch --sandbox -q models.jsonl -o answers.jsonl
  syn: 1 of 2 rows failed, the last one with: The model hf:sandbox/Aurora-1-180B has been rotated out and is no longer available; use an alias such as syn:large:text. (404 Not Found); see answers.errors.jsonl
  hint: the same command sends only these again: syn batch --sandbox -q models.jsonl -o answers.jsonl
  $ jq -c '[.custom_id, .error.code]' answers.errors.jsonl
  ["b","http_404"]

An answer that is empty or cut off at the token limit fails its row, and its text is in the errors file. With the same limit the row is not sent again; with a higher one, as with --max-tokens, the same command sends only such rows. After a run without a limit, any limit sends them again, as the service may have one of its own. A limit in the row overrides --max-tokens. --allow-cut takes these answers as they are, also those of an earlier run with the same limit; with a --schema these are sent again. The summary at the end counts those that were cut off. Completions end at their limit by nature, and are results.`

const continuing = `With --output OUT, the same command again continues a run that was stopped, interrupted or killed. Only rows without a result are sent: those that were not sent yet, and those that failed. When the results are complete, it sends the rows that were added to the input, or that --limit, --sample or --shard did not choose before.`

const files = {
  OUT: 'The results. They replace an older file only when they are complete.',
  'OUT.identity':
    'What identifies OUT: a hash of each of its rows, the size and hash of OUT, and the settings of the run. These are the base URL, the API, the template, the schema, the model as given, the fields of the requests but the token limits, the format and --keep. For each row it has the tokens. It does not have the key, and no text of the input, but the names of fields and columns.',
  'OUT.partial':
    'The journal: each result, written as soon as it arrives. It is synced to the disk every second or every 256 results. Each has a checksum: a row whose record is damaged is sent again, and a warning says so. It is removed when all rows have a result, after OUT and OUT.identity are on the disk; while rows are failed, or it has results of other rows, it stays beside the results.',
  'OUT.partial-input':
    'A copy of standard input or of another pipe, which only its owner can read. The command that continues names it. It is removed when all rows have a result, before the journal.',
  'OUT.partial-output, OUT.partial-errors, OUT.partial-identity, OUT.partial-journal':
    'These files while they are written, before they are renamed.',
  'OUT.lock':
    'A directory that keeps a second run from writing the same files. For a few seconds after a kill, the next run waits, and syn batch status says running.',
}

const resuming = `A run is refused before anything is sent if it would replace its own INPUT, or an errors file or OUT.identity with something else than syn batch writes there. So is one that would put the rows of the format jsonl, without --keep, in place of an OUT that has something else. syn batch leaves OUT.partial-input, OUT.partial-output, OUT.partial-errors and OUT.partial-identity only beside the journal OUT.partial. Without it they are of another program, and the run is refused; beside it, it replaces them.

kill -9 loses no result that has arrived. The requests in flight at that moment are sent again, and so may be paid for twice. There are at most as many as --jobs allows; the next run says how many.

A row has a result if the journal has one for the same request. Lines may be moved, inserted and removed between runs, at no cost; of edited lines, only those are sent whose request changed. Output options such as --format and --keep, the pace and --limit may change too. If another template, schema, model or field means that recorded requests are no longer those of the input, syn says how many and exits with status 2. Use --restart to start again without the results so far. The same holds for another base URL.

Rows that OUT has stay in it while they are in the input, also when --limit, --sample or --shard choose others. Other results of rows that are not part of the run, as with a smaller --limit or of removed lines, are not in OUT, but stay in the journal. syn says how many there are. A later run that has these rows again does not send them again; to do without them, remove OUT.partial.

If OUT is complete, the same command sends nothing, also with another pace or token limit. With other settings nothing is sent either: what differs is named, and the exit status is 2.

  $ syn batch --sandbox reviews.csv -t 'Sentiment of: {{text}}' -o out.csv
  syn: out.csv is of a run with other settings: the schema, --keep
  hint: use --restart to start again without its results, or choose another --output

The same holds for an OUT that was changed since, that has no row of the input, or that has no OUT.identity, as when it was moved, made by another program, or by a version of syn that did not write one. --restart starts again, and replaces it. Without OUT it is a new run, whatever OUT.identity says.

With new rows, OUT is written anew in the order of the input, from its own rows and the new ones; meanwhile this needs room on the disk for it twice more.

syn batch status shows how far a run is, also while it is running and after its end, with its tokens. Their cost is computed from the stored model list, if that is of the same service and has a price for each model:

  $ syn batch status answers.jsonl | head -n 4
  State:       failed
  Rows:        2
  Done:        1
  Failed:      1`

const states = {
  running: 'A process is working on it.',
  stopped: 'It stopped for a reason that concerns all rows, such as the API key, the quota or --max-errors.',
  interrupted: 'It was interrupted, as with Ctrl-C.',
  killed: 'It ended without saying so, as with kill -9 or a power failure.',
  failed: 'All rows were sent, and some failed.',
  complete: 'All rows have a result.',
}

const pace = `syn finds out how many requests the service takes at a time. It begins with one request (for embeddings: 4), and doubles the number as they are answered until the service refuses some, or until answers take twice as long to begin. A refusal is a status 429, or a 502 or 503 while other requests of the run are in flight. It then goes down to four fifths, rounded down, and does not go up for 15 seconds or the time of Retry-After, then by a twentieth at a time. It stays below what was refused for two minutes; each time that it is refused again doubles that, up to an hour. --jobs 16 fixes the number, --jobs 4-200 sets bounds (default: 1-64). Single requests of your other processes, such as a chat, go before the next row, and several batches take turns: see RETRIES AND TIMEOUTS in syn(1). --rpm sets how many requests are sent in a minute, evenly.

A refusal does not count against a row: it is sent again until it has an answer. Other statuses 5xx, 408, lost connections, timeouts and answers that break off are retried up to --retries times, then the row fails. Any other status fails the row at once. So does an answer that does not match --schema, without another try. No row waits for a slow one.

If eight rows in succession meet such a failure, each for the first time, syn takes the service to be down. It then sends one request at a time, at growing intervals up to half a minute, and these failures count against no row. It goes on after the first reply. After ten minutes without one, or if the service has not replied in this run at all, the run stops with status 6.

Before the first request, syn says how many requests the quota has left. It follows the quota from the headers of replies if the service sends them, else it requests it now and then. When the quota is used up, the run waits for the renewal if that is within an hour; otherwise it stops with status 5. --on-limit wait always waits, --on-limit stop never does. Embeddings do not count against the quota.

On a terminal a line shows the progress; elsewhere there is a line every 30 seconds. --progress jsonl prints it every 5 seconds as JSON, with the keys done, total, failed, in_flight, rows_per_second, seconds_left and waiting.`

const stopping = `Ctrl-C lets the requests in flight end, and starts no others; a second one stops at once. The exit status is 130. SIGTERM does the same with status 143, and so does a terminal that closes, with 129. A run that was started by nohup, with its output in a file, goes on when the terminal closes. If no rows are left, the output is written and the status is that of a run that was not stopped. With --output, nothing is lost, and the command that continues is printed.

These stop a run, after the requests in flight have ended: the statuses 401 and 402, a missing endpoint, and the run's own model when it was removed. With --fallback the alias of its category is used for the rest of the run. A model that a row names itself fails only that row.

--max-errors 10 stops when more than 10 rows have failed, --max-errors 5% when more than that share of at least 100 rows has; --max-errors 0 stops at the first one. Without it, a run stops if its first 25 rows all fail, with the exit status of the failure. --max-errors 100% never stops.`

const machines = `--shard 2/8 takes the second of 8 parts of the input. The content of a row alone decides its part, so that inserted lines move no others, and the same rows are in the same part with any template. Each part is a run with files of its own, which continues on its own. --rpm is divided by the number of parts.

syn batch merge joins the results, in the order of the input. It fails if a row has none or several. Results of runs with other settings are refused, as far as each has its FILE.identity beside it.

  $ for i in 1 2; do syn batch --sandbox -q reviews.csv -t 'Sentiment of: {{text}}' --shard $i/2 -o part.$i.jsonl; done
  $ syn batch merge reviews.csv part.*.jsonl -o all.jsonl
  syn: 3 rows, each with one result

With GNU parallel, which runs the parts that failed or were killed again when the same command is repeated. Keep the template in a file: parallel puts its own value in place of {.}:

  parallel --joblog log --resume-failed syn batch reviews.csv \\
    -t @prompt.md --shard {}/8 -o out.{}.jsonl ::: {1..8}

As a Slurm script, for sbatch. Submitted again, it continues:

  #!/bin/sh
  #SBATCH --array=1-8
  syn batch reviews.csv -t @prompt.md \\
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \\
    -o "out.$SLURM_ARRAY_TASK_ID.jsonl"

In a Makefile. The target is a copy: make deletes a target that it was interrupted in, also one that is complete. Rows that are new are added; with another prompt, syn refuses to mix the answers, so remove results.jsonl first:

  out.jsonl: reviews.csv prompt.md
  	syn batch reviews.csv -t @prompt.md -o results.jsonl
  	cp results.jsonl $@

To rehearse a run with failures, delays and a quota, use syn sandbox. See REHEARSALS in syn-sandbox(1).`

const text: PageText = {
  statuses: {
    ...requestStatuses,
    done: 'Success: all rows have a result.',
    failed:
      'Failure: rows failed, such as by an answer that is empty or cut off, a file could not be written, another run writes it, or merge did not find exactly one result ' +
      'for each row.',
    usage:
      'Usage error or invalid input: an unknown option, an invalid row, an unreadable file, requests that are no longer ' +
      'those of the journal, or results of other settings. Nothing was sent.',
    unauthorized: 'Not authorized: no API key, or the service rejected it.',
    notFound: 'Not found: the model of the run was rotated out, or the service lacks the endpoint.',
    quota: 'Quota used up.',
    network: 'The service cannot be reached, or was down for too long.',
  },
  sections: [
    section('INPUT', input, definitions('Li', formats), rows, fileRows),
    section('TEMPLATE', template, definitions('Li', names), values),
    section('FLAGS AND ROWS', defaults),
    section('OUTPUT', output, definitions('Li', outputFormats), outputRows),
    section('CONTINUING A RUN', continuing, definitions('Pa', files), resuming, definitions('Li', states)),
    section('PACE AND FAILURES', pace),
    section('STOPPING A RUN', stopping),
    section('MANY MACHINES', machines),
  ],
  seeAlso: ['syn-chat', 'syn-quota', 'syn-sandbox'],
}

export default text
