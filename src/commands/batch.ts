import { asksForJson } from '../answer/json-in.ts'
import { notify } from '../answer/notify.ts'
import { readResponseFormat } from '../answer/response-format.ts'
import { dialects } from '../api/dialects.ts'
import { apiOption, defaultApi, requestFields, requestVariants } from '../api/api-option.ts'
import { offersTools } from '../api/operations.ts'
import { addedColumns, columnsOf, type OutputFormat, severalModels } from '../batch/output/printer.ts'
import type { Job } from '../batch/job.ts'
import { batchInputFormats } from '../batch/input/format.ts'
import { parseTemplate, type Template } from '../input/template.ts'
import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { Fields, Values } from '../fields/field.ts'
import { amount, autoJobs, countOrPercentage, jobs, part, share } from '../fields/notations.ts'
import { cannotBeCombined } from '../fields/problem.ts'
import {
  delimiterOption,
  formatOptions,
  inputOptions,
  limitOptions,
  promptOptions,
  repairOption,
  requestOptions,
  textOptions,
} from '../fields/request-options.ts'
import { messagesIn, noticeFileName } from '../input/prompt.ts'
import { namesIn, wholeRecord } from '../input/records.ts'
import { isRegularFile } from '../io/files/files.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { quote } from '../io/json/print.ts'
import { safe } from '../io/text/safe-text.ts'
import { shellWord } from '../io/text/shell-word.ts'
import { standardStream } from '../io/files/output.ts'
import { chooseModel } from '../models/choose.ts'
import { checkTypedEffort } from '../models/efforts.ts'

const input = {
  name: 'input',
  completes: 'file',
  help: 'File with a request, a prompt or JSON on each line, or a table; - or none for stdin',
} as const

const { everyday: _everyday, ...system } = inputOptions.system

const model = { ...requestFields.model, several: true, help: `${requestFields.model.help}; repeatable` } as const
const batchFields = { ...requestFields, model } as const satisfies Fields

const batchOptions = {
  ...promptOptions,
  template: { ...promptOptions.template, everyday: true, help: 'Prompt, with {{column}} for a value of the row' },
  api: { ...apiOption, help: 'API to send prompts to' },
  system,
  ...formatOptions,
  ...repairOption,
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
  yes: { kind: 'switch', help: 'Send a template without {{column}}, or with that of --expect, and ask nothing' },
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
  expect: {
    kind: 'text',
    placeholder: '[PROPERTY=]COLUMN',
    help: 'Compare each answer with a column, which the prompt must not have',
  },
  exact: { kind: 'switch', help: 'With --expect, compare case, quotation marks and a final full stop, too' },
  pass: { ...share, help: 'With --expect, exit with status 8 if a smaller share of the answers is right' },
  allowCut: {
    kind: 'switch',
    help: 'Take answers that are empty or cut off at the token limit as results',
  },
  restart: {
    kind: 'switch',
    exclusive: ['offline', 'newSettings', 'limit', 'sample'],
    help: 'Send all rows again, without the recorded answers',
  },
  retryEmpty: {
    kind: 'switch',
    exclusive: ['offline', 'allowCut'],
    help: 'Send rows again whose recorded answer is empty',
  },
  newSettings: { kind: 'switch', help: 'Send rows although the prompt, the model or a field has changed' },
  dedupe: { kind: 'switch', help: 'Send equal requests once' },
  offline: {
    kind: 'switch',
    exclusive: ['newSettings'],
    help: 'Send nothing: write the output from the recorded answers',
  },
  jobs: {
    ...jobs,
    default: 'auto, 1 to 64',
    help: 'Requests at a time',
  },
  rpm: { kind: 'number', minimum: 1, help: 'Send at most N requests a minute' },
  maxErrors: {
    ...countOrPercentage('N|P%', 10, /^[^.]+$/),
    default: 'if the first 25 rows all fail',
    help: 'Stop if more than this many rows fail, or this share of them',
  },
  maxCost: {
    ...amount,
    everyday: true,
    help: 'Stop before all runs with this --output cost more',
  },
  onLimit: { ...limitOptions.onLimit, default: 'wait for a renewal within the hour' },
  maxWait: { ...limitOptions.maxWait, default: '1h, or 6h with --on-limit wait', help: 'Longest wait for the quota' },
  progress: { kind: 'text', choices: ['jsonl'], help: 'Print the progress as JSON Lines on stderr' },
  fallback: textOptions.fallback,
  param: requestOptions.param,
  body: requestOptions.body,
  dryRun: {
    kind: 'switch',
    help: 'Check all rows, say what they would cost, and print the first requests instead of sending them',
  },
} as const satisfies Fields

type BatchContext = CommandContext<typeof batchFields, typeof batchOptions>

export default defineCommand({
  description:
    'Requests run from this machine, at the normal price: it is not a batch API with a discount. Each row of the input is a ' +
    'request. The first line says what they may cost. With --output, each answer is recorded as it arrives. The same command continues a run that was stopped or ' +
    'killed: it sends only rows without an answer, such as failed or new ones. Without --output, stdout gets one line for ' +
    'each row, in order. Options for the request hold for all rows: a row that has the field itself overrides the flag.',
  arguments: [input],
  fields: batchFields,
  variants: requestVariants,
  options: batchOptions,
  examples: [
    ['Ask about each row of a table', "syn batch reviews.csv -t 'Sentiment of: {{text}}' -o out.jsonl"],
    ['Ask about each line of a pipe', "syn batch --lines -t 'Capital of {{.}}?' < countries.txt"],
    [
      'Get a column for each property of a schema',
      'syn batch reviews.csv -t @prompt.md --schema s.json --keep id -o out.csv',
    ],
    ['Summarize each file', "syn batch --files 'logs/*.log' -t 'Summarize: {{.}}' -o summaries.jsonl"],
    ['Send requests written for a batch API', 'syn batch requests.jsonl -o out.jsonl'],
    [
      'Compare two models by a column of labels',
      'syn batch in.csv -t @p -m syn:small:text -m syn:large:text --expect y -o o.csv',
    ],
  ],

  async run(context) {
    const { options } = context
    const job = await readJob(context)
    const path = standardStream(options.output) === undefined ? options.output : undefined
    const { restart, retryEmpty, newSettings, dedupe, offline } = options
    const recorded = {
      [severalModels]: job.models.length > 1,
      '--expect': options.expect,
      '--restart': restart,
      '--retry-empty': retryEmpty,
      '--new-settings': newSettings,
      '--dedupe': dedupe,
      '--offline': offline,
    }
    const [flag] = Object.entries(recorded).find(([, given]) => given) ?? []
    if (flag !== undefined && path === undefined) {
      throw new UsageError(`${flag} needs --output: without a file, no answer is recorded`)
    }
    if (context.isPreview) return (await import('../batch/preview.ts')).previewRequests(job, path, context)
    const began = context.io.elapsed()
    const tell = (): void => void notify(safe`batch ended`, context.io.elapsed() - began, context)
    if (path !== undefined) return (await import('../batch/file-run.ts')).runToFile(job, path, context).finally(tell)
    return (await import('../batch/filter-run.ts')).runAsFilter(job, context).finally(tell)
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
  if (options.expect === undefined && (options.exact || options.pass !== undefined)) {
    throw new UsageError(`${options.exact ? '--exact' : '--pass'} needs --expect`)
  }
  const { system, messages, others } = dialects[api].fromFields(context.fields)
  const format = await readResponseFormat(options, others, context.notices)
  const { model: given, ...defaults } = others
  const names = [...new Set([context.flags.model ?? [given ?? settings.get('model')?.value]].flat())]
  const output = outputOf(options, { ...defaults, ...format.fields }, names.length > 1 ? names.map(String) : undefined)
  const { columns: kept } = output
  const expected = kept?.expected
  if (expected && template && !options.yes) checkNoAnswer(template, expected.column)
  const models: Json[] = []
  for (const name of names) {
    const model = await chooseModel(dialects[api].operation, name === undefined ? {} : { model: name }, context)
    await checkTypedEffort({ ...defaults, model }, context)
    models.push(model)
  }
  const [model = null, ...otherModels] = models
  return {
    path,
    input: {
      format: options.lines ? 'lines' : options.inputFormat,
      template,
      onRepeatedPrompt: options.yes ? undefined : (value) => refuseRepeatedPrompt(prompt?.text, value),
      delimiter: options.delimiter,
      // Without --output, standard output may be a file.
      files: options.files && { patterns: options.files, output: options.output ?? '/dev/stdout' },
      columns: kept && [...kept.keep, ...(expected ? [expected.column] : [])],
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
      model: names[0] === undefined ? undefined : model,
      embeddingModel: settings.get('embed-model')?.value,
      anyModel: settings.anyModel,
    },
    prompt,
    schema: options.schema && format.schema && { json: options.schema, answer: format.schema },
    models: [model, ...otherModels],
    isConfirmed: options.yes ?? false,
    output,
    // A file that cannot be read keeps no other from being sent.
    skipsInvalid: options.skipInvalid ?? options.files !== undefined,
    pace: {
      jobs: options.jobs ?? autoJobs,
      rpm: rpm === undefined ? undefined : rpm / (shard?.count ?? 1),
      maxErrors,
      onLimit,
      maxWait: settings.maxWait(options, true),
    },
    recorded: {
      restarts: options.restart ?? false,
      isOffline: options.offline ?? false,
      takesNewSettings: options.newSettings ?? false,
      retriesEmpty: options.retryEmpty ?? false,
      dedupes: options.dedupe ?? false,
    },
    maxCost: options.maxCost,
    passMark: options.pass,
    // No model is asked instead of one of several, and none is suggested.
    fallback: otherModels.length > 0 ? [] : settings.fallback(options),
    allowsCut: options.allowCut ?? false,
    repairs: options.repair,
    progress,
  }
}

/** @param value A record. @throws UsageError: often a path without its @, or other braces. */
function refuseRepeatedPrompt(template = '', value: Json): never {
  const columns = namesIn(value)
  const column = columns.includes('text') ? 'text' : (columns[0] ?? wholeRecord)
  const use = isRegularFile(template) ? `-t @${shellWord(template)}` : `a column, such as {{${column}}}`
  throw new UsageError('the template has no {{column}}: all prompts would be the same; nothing was sent', {
    hint: `use ${use}; --yes sends it for each row`,
  })
}

/** @throws UsageError for a template that inserts the expected column, or the object or the record around it. */
function checkNoAnswer(template: Template, column: string): void {
  const pathOf = (name: string): string => (name === wholeRecord ? '' : `${name.trim().toLowerCase()}.`)
  const hasPart = (one: string): boolean =>
    pathOf(column).startsWith(pathOf(one)) || pathOf(one).startsWith(pathOf(column))
  const name = template.columns.find(hasPart)
  if (name === undefined) return
  throw new UsageError(`the template inserts {{${name}}}, and with it the expected column ${quote(column)}`, {
    hint: 'the answer would be in the question: insert other columns; --yes sends it',
  })
}

/** @param fields Those of all requests. @param models Several. @throws UsageError for columns in a format that has none. */
function outputOf(options: Values<typeof batchOptions>, fields: JsonObject, models?: readonly string[]): OutputFormat {
  const { format, output, keep = [], schema } = options
  const type = format ?? formatOfPath(output)
  const hasColumns = { '--keep': keep.length > 0, '--expect': options.expect !== undefined, [severalModels]: models }
  const [flag] = Object.entries(hasColumns).find(([, given]) => given) ?? []
  if (type === 'text' && flag !== undefined) throw new UsageError(`${flag} needs --format csv, tsv or jsonl`)
  const hasTools = offersTools(fields)
  const answers = {
    isJson: asksForJson(fields),
    hasTools,
    hasJsonInCalls: schema !== undefined && !hasTools,
    isSeveral: Number(fields.n) > 1,
  }
  if (type === 'text') return { type, answers }
  const other = answers.isSeveral ? '--n' : options.fallback ? '--fallback' : undefined
  if (models && other !== undefined) throw cannotBeCombined([severalModels, other])
  if (type === 'jsonl' && flag === undefined) return { type }
  return { type, columns: columnsOf(keep, schema, answers, { ...options, models }) }
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
