import { atEnd } from '../io/at-end.ts'
import { mayFallBack } from '../answer/ask.ts'
import { readAnswerFormat } from '../answer/format.ts'
import { families } from '../api/families.ts'
import { apiOption, defaultApi, requestFields, requestVariants } from '../api/variants.ts'
import { addedColumns, columnsOf, type OutputFormat } from '../batch/output/printer.ts'
import type { InputFile } from '../batch/journal/files.ts'
import type { Job } from '../batch/job.ts'
import { countText } from '../io/text/plural.ts'
import { batchInputFormats } from '../batch/input/format.ts'
import { parseTemplate } from '../input/template.ts'
import { defineCommand, type Example } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { Fields, Values } from '../fields/field.ts'
import { autoJobs, countOrPercentage, jobs, part } from '../fields/notations.ts'
import {
  delimiterOption,
  formatOptions,
  inputOptions,
  jsonOption,
  promptOptions,
  requestOptions,
  textOptions,
} from '../fields/request-options.ts'
import { messagesIn, noticeFileName } from '../input/prompt.ts'
import { namesIn, wholeRecord } from '../input/records.ts'
import { isRegularFile } from '../io/files/files.ts'
import { writeText } from '../io/io.ts'
import { type Json, writeJson } from '../io/json/json.ts'
import { shellWord } from '../io/text/shell-word.ts'
import { standardStream, withTarget } from '../io/files/output.ts'
import { chooseModel } from '../models/choose.ts'
import { checkTypedEffort } from '../models/efforts.ts'

const examples: readonly Example[] = [
  ['Ask about each row of a table', "syn batch reviews.csv -t 'Sentiment of: {{text}}' -o out.jsonl"],
  ['Ask about each line of a pipe', "syn batch --lines -t 'Capital of {{.}}?' < countries.txt"],
  ['Show how far a run is', 'syn batch status out.jsonl'],
  ['Send requests written for a batch API', 'syn batch requests.jsonl -o out.jsonl'],
  [
    'Get a column for each property of a schema',
    'syn batch reviews.csv -t @prompt.md --schema s.json --keep id -o out.csv',
  ],
  ['See the first requests, and check all of them', "syn batch reviews.csv -t 'Sentiment of: {{text}}' --dry-run"],
  ['Summarize each file', "syn batch --files 'logs/*.log' -t 'Summarize: {{.}}' -o summaries.jsonl"],
]

const input = {
  name: 'input',
  completes: 'file',
  help: 'File with a request, a prompt or JSON on each line, or a table; - or none for stdin',
} as const

const output = {
  name: 'output',
  completes: 'file',
  required: true,
  help: 'The --output file of the run',
} as const

const { everyday: _everyday, ...system } = inputOptions.system

const batchOptions = {
  ...promptOptions,
  template: { ...promptOptions.template, everyday: true, help: 'Prompt, with {{column}} for a value of the row' },
  api: { ...apiOption, help: 'API to send prompts to' },
  system,
  ...formatOptions,
  inputFormat: {
    kind: 'text',
    choices: batchInputFormats,
    default: 'extension of INPUT, else JSON or plain lines',
    help: 'Format of INPUT: batch requests for these services, JSON Lines, a table with a header, or plain lines',
  },
  delimiter: delimiterOption,
  files: {
    kind: 'texts',
    completes: 'file',
    patterns: true,
    placeholder: 'PATTERN',
    exclusive: ['inputFormat', 'delimiter', 'lines'],
    help: 'Take each file that matches as a row: {{.}} is its text, {{path}} its path; repeatable',
  },
  lines: { kind: 'switch', exclusive: ['inputFormat', 'delimiter'], help: 'Short for --input-format lines' },
  yes: { kind: 'switch', help: 'Send a template without {{column}} for each row' },
  skipInvalid: { kind: 'switch', help: 'Send the valid rows, and count invalid ones as failed' },
  limit: { kind: 'number', minimum: 1, whole: true, help: 'Only the first N rows' },
  sample: {
    kind: 'number',
    minimum: 1,
    whole: true,
    exclusive: ['limit'],
    help: 'Only N rows chosen at random, the same ones each time',
  },
  sampleSeed: { kind: 'number', whole: true, default: 0, help: 'Choose other rows for --sample' },
  shard: { ...part, help: 'Only part I of N, such as 2/8; --rpm is divided by N' },
  output: { ...requestOptions.output, help: 'Write to a file; the same command continues a run' },
  format: {
    kind: 'text',
    choices: ['jsonl', 'text', 'csv', 'tsv'],
    default: 'extension of --output, else jsonl; text on stdout',
    help: 'Output format',
  },
  keep: {
    kind: 'texts',
    placeholder: 'COLUMN,…',
    everyday: true,
    help: "Keep these columns of the input; '*' for all",
  },
  allowCut: {
    kind: 'switch',
    help: 'Take answers that are empty or cut off at the token limit as results',
  },
  restart: { kind: 'switch', help: 'Start again, without the results so far' },
  jobs: {
    ...jobs,
    default: 'auto, 1 to 64',
    everyday: true,
    help: 'Requests at a time',
  },
  rpm: { kind: 'number', minimum: 1, help: 'Send at most N requests a minute' },
  maxErrors: {
    ...countOrPercentage('N|P%', 10, /^[^.]+$/),
    default: 'if the first 25 rows all fail',
    help: 'Stop if more than this many rows fail, or this share of them',
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

const mergeOptions = {
  output: { ...requestOptions.output, help: 'Write to a file instead of stdout' },
  inputFormat: batchOptions.inputFormat,
  delimiter: delimiterOption,
} as const satisfies Fields

type BatchContext = CommandContext<typeof requestFields, typeof batchOptions>

export default defineCommand({
  description:
    'Requests run from this machine, at the normal price: it is not a batch API with a discount. Each row of the input is a ' +
    'request. With --output, results are kept as they arrive, and the same command again continues a run that was stopped ' +
    'or killed, and sends failed rows again. Without it, stdout gets one line for each row, in order. Options for the ' +
    'request hold for all rows: a row that has the field itself overrides the flag.',
  arguments: [input],
  fields: requestFields,
  variants: requestVariants,
  options: batchOptions,
  examples,

  async run(context) {
    const { options } = context
    const job = await readJob(context)
    if (context.isPreview) return (await import('../batch/preview.ts')).previewRequests(job, context)
    const stream = standardStream(options.output)
    if (options.output !== undefined && stream === undefined) {
      const { runToFile } = await import('../batch/file-run.ts')
      return runToFile(job, options.output, options.restart ?? false, context)
    }
    if (options.restart) throw new UsageError('--restart needs --output: without a file, nothing is kept')
    return (await import('../batch/filter-run.ts')).runAsFilter(job, context)
  },

  subcommands: {
    status: {
      summary: 'Show how far a run is',
      description:
        'Print the state of the run that writes this file, its rows, its tokens and their cost. It sends nothing.',
      arguments: [output],
      options: jsonOption,
      examples: [
        ['Show how far a run is', 'syn batch status out.jsonl'],
        ['Print as JSON', 'syn batch status --json out.jsonl'],
        ['Print the number of failed rows', 'syn batch status --json out.jsonl | jq .failed'],
      ],
      run: showStatus,
    },
    merge: {
      summary: 'Join the results of several runs',
      description:
        'Write the results of several runs in the order of the input. Every row must have exactly one: otherwise, the rows ' +
        'are named, nothing is written, and the exit status is 1. The results are those of --format jsonl without --keep.',
      arguments: [
        { ...input, help: 'Input of the runs', required: true },
        { name: 'results', completes: 'file', many: true, required: true, help: 'Files with results' },
      ],
      options: mergeOptions,
      examples: [
        ['Join eight parts', 'syn batch merge reviews.csv out.*.jsonl -o all.jsonl'],
        ['Check that a run is complete', 'syn batch merge reviews.csv out.jsonl > /dev/null'],
        ['Count the answers', 'syn batch merge reviews.csv out.*.jsonl | wc -l'],
      ],
      run: merge,
    },
  },
})

/** @throws UsageError for options that are invalid, or that cannot be combined. */
async function readJob(context: BatchContext): Promise<Job> {
  const { words, options, settings, prompt } = context
  const { api = defaultApi, shard, rpm, maxErrors, onLimit, progress } = options
  const [path] = words
  if (path !== undefined && options.files) {
    throw new UsageError('INPUT and --files cannot be combined', { hint: "quote the pattern: --files 'logs/*.log'" })
  }
  await noticeFileName([], options, context.io, (text) => context.notices.warn(text))
  const written = options.system?.map((text) => /\{\{[^{}]*\}\}/.exec(text)?.[0]).find((one) => one !== undefined)
  if (written !== undefined) {
    await context.notices.warn(`all rows have the same system prompt: ${written} in it is sent as written`)
  }
  const template = prompt && parseTemplate(prompt.text, prompt)
  const output = outputOf(options)
  const { columns: kept } = output
  const { system, messages, others } = families[api].fromFields(context.fields)
  const format = await readAnswerFormat(options, others, context.notices)
  const { model: given, ...defaults } = others
  const named = given ?? settings.get('model')?.value
  const model = await chooseModel(families[api].operation, named === undefined ? {} : { model: named }, context)
  await checkTypedEffort({ ...defaults, model }, context)
  return {
    path,
    files: namedFiles(context.argv),
    input: {
      format: options.lines ? 'lines' : options.inputFormat,
      template,
      onRepeatedPrompt: options.yes ? undefined : (value) => refuseRepeatedPrompt(prompt?.text, value),
      delimiter: options.delimiter,
      // Without --output, standard output may be a file.
      files: options.files && { patterns: options.files, output: options.output ?? '/dev/stdout' },
      columns: kept?.keep,
      added: kept?.keepsAll ? addedColumns(kept) : undefined,
      shard,
      limit: options.limit,
      sample: options.sample,
      seed: options.sampleSeed,
    },
    requests: {
      api,
      defaults: { ...defaults, ...format.fields },
      system: (options.system?.join('\n\n') ?? system) || undefined,
      messages: messagesIn(messages),
      template,
      model: named === undefined ? undefined : model,
      embeddingModel: settings.get('embed-model')?.value,
      anyModel: settings.anyModel,
    },
    prompt,
    schema: options.schema && format.schema && { json: options.schema, answer: format.schema },
    model,
    output,
    // A file that cannot be read keeps no other from being sent.
    skipsInvalid: options.skipInvalid ?? options.files !== undefined,
    pace: {
      jobs: options.jobs ?? autoJobs,
      rpm: rpm === undefined ? undefined : rpm / (shard?.count ?? 1),
      maxErrors,
      onLimit,
    },
    fallback: mayFallBack(context),
    allowsCut: options.allowCut ?? false,
    progress,
  }
}

/** What the command line reads besides the input, whose text is all that is known by now. */
function namedFiles(argv: readonly string[]): InputFile[] {
  const flags = /^(?:-[ts]|--(?:template|system|schema|messages|body|param))$/
  const values = argv.flatMap((word, index) => {
    const [, flag = '', value = ''] = /^(--\w+)=([^]*)$/.exec(word) ?? []
    return flags.test(flag) ? [value] : flags.test(argv[index - 1] ?? '') ? [word] : []
  })
  return values.map((value) => ['a file that it reads', value.replace(/^@/, '')])
}

/** @param value Of a record. @throws UsageError: often a path without its @, or other braces. */
function refuseRepeatedPrompt(template = '', value: Json): never {
  const columns = namesIn(value)
  const column = columns.includes('text') ? 'text' : (columns[0] ?? wholeRecord)
  const use = isRegularFile(template) ? `-t @${shellWord(template)}` : `a column, such as {{${column}}}`
  throw new UsageError('the template has no {{column}}: all prompts would be the same; nothing was sent', {
    hint: `use ${use}; --yes sends it for each row`,
  })
}

/** @throws UsageError for columns to keep in a format that has none. */
function outputOf({ format, output, keep = [], schema, jsonObject }: Values<typeof batchOptions>): OutputFormat {
  const columns = keep.flatMap((names) => names.split(',')).map((name) => name.trim())
  const type = format ?? formatOfPath(output)
  if (type === 'text' && columns.length > 0) throw new UsageError('--keep needs --format csv, tsv or jsonl')
  if (type === 'text') return { type, isJson: schema !== undefined || jsonObject === true }
  return type === 'jsonl' && columns.length === 0 ? { type } : { type, columns: columnsOf(columns, schema) }
}

/** @throws UsageError for the extension of a format that it is not written in. */
function formatOfPath(path: string | undefined): OutputFormat['type'] {
  if (standardStream(path) !== undefined) return 'text'
  // A number at the end is part of the name: out.2, out.2026-11-24.
  const extension = /\.([a-z][^./\\]*)$/i.exec(path ?? '')?.[1]?.toLowerCase() ?? ''
  const type = formatOfExtension[extension]
  if (type !== undefined) return type
  throw new UsageError(
    `--output: .${extension} is not a format of syn batch; use .jsonl, .csv, .tsv or .txt, or --format`,
  )
}

const formatOfExtension: Readonly<Record<string, OutputFormat['type']>> = {
  '': 'jsonl',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  txt: 'text',
  csv: 'csv',
  tsv: 'tsv',
}

async function showStatus(context: CommandContext<Fields, typeof jsonOption>): Promise<void> {
  const { words, options, io, settings, catalog } = context
  const { readStatus, runCost, statusJson, statusText } = await import('../batch/journal/status.ts')
  const status = await readStatus(words[0] ?? '', io.signal)
  // Prices are those of the stored list, if that is of the same service: nothing is sent.
  const isSameService = status.run.manifest.base_url === settings.cacheKey
  const cost = runCost(status, isSameService ? catalog.cachedModels() : [])
  if (options.json) await writeJson(statusJson(status, cost), io.out)
  else await writeText(io.out, statusText(status, io.now(), cost))
}

async function merge({ words, options, io, notices }: CommandContext<Fields, typeof mergeOptions>): Promise<void> {
  const [path = '', ...results] = words
  const { openInput } = await import('../batch/input/input.ts')
  const { inputRows } = await import('../batch/requests/checked-rows.ts')
  const { findIdKey } = await import('../batch/input/custom-id.ts')
  const { checkSameSettings } = await import('../batch/output/identity.ts')
  const { mergeOutputs } = await import('../batch/output/merge.ts')
  const { checkNotRead } = await import('../batch/journal/files.ts')
  if (options.output !== undefined && standardStream(options.output) === undefined) {
    const inputs = results.map((one): InputFile => ['a file of results', one])
    checkNotRead(options.output, [], [['the input', path], ...inputs])
    if (formatOfPath(options.output) !== 'jsonl') {
      throw new UsageError('--output: merged results are JSON Lines; use a name that ends in .jsonl')
    }
  }
  const columns = (await checkSameSettings(results))?.columns
  // The runs left out rows without a value for their template.
  const template = columns && parseTemplate(columns.map((name) => `{{${name}}}`).join(''))
  const opened = await openInput(path, { format: options.inputFormat, delimiter: options.delimiter, template }, io)
  using _input = atEnd(() => opened.close())
  const idKey = await findIdKey(opened)
  const { rows, unknown } = await withTarget(options.output, io, (target) =>
    mergeOutputs(() => inputRows(opened, idKey), results, target),
  )
  if (unknown > 0) await notices.warn(`${countText(unknown, 'result')} of no row of ${path} left out`)
  await notices.info(`${countText(rows, 'row')}, each with one result`)
}
