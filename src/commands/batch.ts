import { apiOption, requestFields, requestVariants } from '../api/variants.ts'
import { defineCommand, type Example } from '../command.ts'
import type { Fields } from '../fields/field.ts'
import { formatOptions, inputOptions, requestOptions, textOptions } from '../fields/request-options.ts'

const examples: readonly Example[] = [
  ['Ask about each row of a table', "syn batch reviews.csv -t 'Sentiment of: {{text}}' -o out.jsonl"],
  ['Ask about each line of a pipe', "syn batch --lines -t 'Capital of {{.}}?' < countries.txt"],
  ['Show how far a run is', 'syn batch status out.jsonl'],
  ['Send requests written for a batch API', 'syn batch requests.jsonl -o out.jsonl'],
  ['Get a column for each property of a schema', 'syn batch reviews.csv -t @prompt.md --schema s.json --keep id -o out.csv'],
  ['See the first requests, and check all of them', "syn batch reviews.csv -t 'Sentiment of: {{text}}' --dry-run"],
  ['Try ten rows', "syn batch reviews.csv -t 'Sentiment of: {{text}}' --sample 10"],
]

const input = {
  name: 'input',
  completes: 'file',
  help: 'File with one request or row a line, or a table; - or none for stdin',
} as const

const output = {
  name: 'output',
  completes: 'file',
  required: true,
  help: 'File that --output of the run names',
} as const

const batchOptions = {
  template: {
    kind: 'text',
    file: true,
    short: 't',
    placeholder: 'TEXT|@FILE',
    everyday: true,
    help: 'Prompt, with {{column}} for a value of the row',
  },
  api: { ...apiOption, help: 'API for the rows that are no whole request' },
  system: { ...inputOptions.system, everyday: undefined },
  ...formatOptions,
  inputFormat: {
    kind: 'text',
    choices: ['openai', 'anthropic', 'jsonl', 'csv', 'tsv', 'lines'],
    default: 'extension of INPUT, else its first line',
    help: 'Batch requests of these services, JSON Lines, a table with a header, or plain lines',
  },
  lines: { kind: 'switch', exclusive: ['inputFormat'], help: 'Short for --input-format lines' },
  skipInvalid: { kind: 'switch', help: 'Send the valid rows if others are invalid, which then fail' },
  limit: { kind: 'number', minimum: 1, whole: true, help: 'Only the first N rows' },
  sample: {
    kind: 'number',
    minimum: 1,
    whole: true,
    exclusive: ['limit'],
    help: 'Only N rows chosen at random, the same ones each time',
  },
  sampleSeed: { kind: 'number', whole: true, default: 0, help: 'Choose other rows for --sample' },
  shard: {
    kind: 'text',
    placeholder: 'I/N',
    help: 'Only part I of N, from 1; each row is in one of them, and --rpm is divided by N',
  },
  output: { ...requestOptions.output, help: 'Write to a file; the same command again continues the run' },
  format: {
    kind: 'text',
    choices: ['jsonl', 'text', 'csv'],
    default: 'extension of --output, else jsonl; text on stdout',
    help: 'Output format',
  },
  keep: {
    kind: 'texts',
    placeholder: 'COLUMN,…',
    everyday: true,
    help: 'Put these columns of the input before the answer',
  },
  restart: { kind: 'switch', help: 'Start again, without the results so far' },
  jobs: {
    kind: 'text',
    placeholder: 'auto|N|MIN-MAX',
    default: 'auto, at most 64',
    everyday: true,
    help: 'Requests at a time',
  },
  rpm: { kind: 'number', minimum: 1, help: 'Send at most N requests a minute' },
  maxErrors: {
    kind: 'text',
    placeholder: 'N|P%',
    default: 'if the first 25 rows all fail',
    help: 'Stop after this many failed rows, or this share of them',
  },
  onLimit: {
    kind: 'text',
    choices: ['wait', 'stop'],
    default: 'wait for a renewal within the hour',
    help: 'What to do when the quota is used up',
  },
  progress: { kind: 'text', choices: ['jsonl'], help: 'Print the progress as JSON Lines on stderr' },
  fallback: textOptions.fallback,
  param: requestOptions.param,
  body: requestOptions.body,
  dryRun: { kind: 'switch', help: 'Check all rows, and print the first requests instead of sending them' },
} as const satisfies Fields

const statusOptions = {
  json: { kind: 'switch', everyday: true, help: 'Print as JSON' },
} as const satisfies Fields

const mergeOptions = {
  output: { ...requestOptions.output, help: 'Write to a file instead of stdout' },
  inputFormat: batchOptions.inputFormat,
} as const satisfies Fields
