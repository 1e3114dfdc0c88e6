import { defer } from '../io/defer.ts'
import {
  defaultGroupSize,
  type Embed,
  embedBy,
  type EmbeddedGroup,
  embedGroups,
  groupsOf,
  otherDimensions,
  requestBody,
  type TextGroup,
} from '../api/embeddings/embed.ts'
import { embeddingsFields } from '../api/embeddings/fields.ts'
import { operations } from '../api/operations.ts'
import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { checkKind } from '../fields/parse.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { invalidValue } from '../fields/problem.ts'
import { inputOptions, limitOptions, recordOptions, requestOptions } from '../fields/request-options.ts'
import { rejectFileNames } from '../input/prompt.ts'
import { type Table, tableNotes } from '../input/csv.ts'
import { checkDelimiter, keptColumns, needsRecords, recordFormatOf, recordFormats } from '../input/records.ts'
import { CheckedTexts, inMemory, type InputFormat, type TextSource, textSources } from '../input/embedding-input.ts'
import { chooseEmbeddingModel } from '../models/embedding-model.ts'
import { withModelHint } from '../models/rotation.ts'
import { checkExtension, embeddingFormats, hasColumn, showEmbeddings } from '../embeddings/show.ts'
import type { TableStyle } from '../io/text/csv-text.ts'
import { standardStream } from '../io/files/output.ts'
import { printRequest } from '../preview.ts'

const embedOptions = {
  file: { ...inputOptions.file, help: 'Embed a file, or each row of a table; repeatable' },
  ...recordOptions,
  stdin: inputOptions.stdin,
  format: {
    kind: 'text',
    choices: embeddingFormats,
    default: 'extension of --output, else jsonl',
    exclusive: ['json'],
    everyday: true,
    help: 'Output format',
  },
  withText: { kind: 'switch', exclusive: ['json'], help: 'Include each text with its embedding' },
  keep: { kind: 'texts', placeholder: 'COLUMN,…', exclusive: ['json'], help: 'Keep columns of the input' },
  usage: { kind: 'switch', short: 'u', everyday: true, help: 'Print tokens, requests, and time to stderr' },
  batchSize: {
    kind: 'number',
    minimum: 1,
    whole: true,
    default: defaultGroupSize,
    help: 'Maximum number of texts per request; fewer if they are long',
  },
  ...limitOptions,
  ...requestOptions,
} as const satisfies Fields

export default defineCommand({
  description:
    'An embedding is a list of numbers; similar texts have embeddings close to each other. Texts come from ' +
    '--input, arguments, files, and stdin, in this order, or else from --param or --body. The ' +
    'output is one line of JSON per text. --lines is short for --input-format lines, and embeds ' +
    'blank lines too. Many texts are sent in several requests; --dry-run and ' +
    '--curl show the first.',
  arguments: [{ name: 'text', help: 'Texts to embed, one per argument, or - for stdin', many: true }],
  fields: embeddingsFields,
  options: embedOptions,
  examples: [
    ['Embed a text', 'syn embed "The cat sat on the mat"'],
    ['Embed each line of a file', 'syn embed --lines < lines.txt > embeddings.jsonl'],
    ['Embed a column of a CSV file', 'syn embed --column title -f books.csv -o embeddings.csv'],
  ],

  async run(context) {
    const { words, fields, flags, options, io } = context
    // With a preview, the file gets the request.
    if (!context.isPreview) checkExtension(options)
    const keep = options.keep && keptColumns(options.keep, (name) => hasColumn(options, name))
    rejectFileNames(words, 'embed')
    const { input, ...others } = fields
    const given = givenTexts(flags.input)
    const tables = new Map<string, Table>()
    const onTable = (where: string, table: Table): void => void tables.set(where, table)
    const sources = {
      ...inputFormatOf({ ...options, ...(keep && { keep }) }),
      keep,
      onTable,
      words,
      files: options.file,
      stdin: options.stdin,
    }
    const reading = new AbortController()
    // An open pipe would keep the process alive.
    using _reading = defer(() => reading.abort())
    const stoppable = { ...io, signal: AbortSignal.any([io.signal, reading.signal]) }
    const typed = textSources({ ...sources, hasOther: input !== undefined }, stoppable)
    const texts = await checkTexts([inMemory(() => given, sources), ...typed], options.batchSize)
    // Typed input replaces that of --param and --body, as in all commands.
    const checked = texts ?? (await checkTexts([inMemory(() => givenTexts(input), sources)], options.batchSize))
    if (!checked)
      throw new UsageError('no text: give it as arguments, in files or on standard input', {
        hint: 'for example: syn embed "The cat sat on the mat"',
      })
    const [table] = standardStream(options.output) === undefined ? tables.values() : []
    await embedTexts(checked, others, {
      ...context,
      options: { ...options, style: table?.dialect, ...(keep && { keep }) },
    })
    for (const [where, table] of tables) {
      for (const note of tableNotes(table)) await context.notices.info(`${where}: ${note}`)
    }
  },
})

type EmbedContext = CommandContext<typeof embeddingsFields, typeof embedOptions>

/** What is known before the first request. */
interface Checked {
  readonly texts: CheckedTexts
  readonly first: TextGroup
  /** How many texts were checked: all, or those at the start of a long input. */
  readonly textCount: number
  readonly requestCount: number
}

/** @returns `undefined` if there are no texts. */
async function checkTexts(sources: readonly TextSource[], batchSize: number | undefined): Promise<Checked | undefined> {
  const texts = new CheckedTexts(sources)
  let [textCount, requestCount] = [0, 0]
  let first: TextGroup | undefined
  for await (const group of groupsOf(texts.check(), batchSize)) {
    first ??= group
    textCount += group.texts.length
    requestCount += 1
  }
  return first && { texts, first, textCount, requestCount }
}

/** @param fields Those of the request, except `input`. */
async function embedTexts(
  { texts, first, textCount, requestCount }: Checked,
  { model: named, ...others }: { readonly model?: Json } & JsonObject,
  context: EmbedContext & { readonly options: { readonly style?: TableStyle | undefined } },
): Promise<void> {
  const { options, notices, client, catalog } = context
  const maxWait = context.settings.maxWait(options)

  const withModel = async () => ({ model: await chooseEmbeddingModel(named, context), ...others })
  if (context.isPreview) {
    const body = requestBody(await withModel(), first.texts)
    if (!texts.isComplete) await notices.info('the texts need several requests; showing the first')
    else if (requestCount > 1) {
      await notices.info(`${textCount} texts need ${requestCount} requests; showing the first`)
    }
    return printRequest(operations.embeddings, body, context)
  }
  let sent = 0
  async function* embed(): AsyncGenerator<EmbeddedGroup, void, undefined> {
    const body = await withModel()
    const limit = maxWait === undefined ? undefined : await import('../quota/wait-at-limit.ts')
    const wait = limit?.waitAtLimit(client, { ...context, maxWait })
    const request = embedBy(client, body)
    const paced: Embed = (some) => {
      sent += 1
      return wait ? wait(() => request(some)) : request(some)
    }
    const placeOf = (first: number, count: number): string => texts.locationText(first, count)
    let isFirst = true
    try {
      const groups = groupsOf(texts.read(), options.batchSize)
      for await (const group of embedGroups(groups, paced, placeOf)) {
        const warning = isFirst ? otherDimensions(body, group.vectors) : undefined
        isFirst = false
        if (warning !== undefined) await notices.warn(warning)
        yield group
      }
    } catch (error) {
      throw await withModelHint(error, { operation: operations.embeddings, body }, catalog)
    }
  }
  const counts = texts.isComplete ? { textCount, requestCount } : { textCount: undefined, requestCount: Infinity }
  await showEmbeddings({ embed, ...counts, sentCount: () => sent }, options, context)
}

/** @throws UsageError for an invalid `input` from `--param`, which is not checked before. */
function givenTexts(input: Json | undefined): readonly string[] {
  if (input === undefined) return []
  const problem = checkKind(embeddingsFields.input, input)
  if (problem) throw invalidValue('--param input', problem)
  return typeof input === 'string' ? [input] : (input as string[])
}

function inputFormatOf(options: EmbedContext['options']): InputFormat {
  const { lines, inputFormat, column, keep, delimiter, file = [] } = options
  const format = inputFormat ?? (lines ? 'lines' : undefined)
  const formats = format === undefined ? file.map(recordFormatOf) : [format]
  for (const one of formats) checkDelimiter(delimiter, one)
  // A text of a file has a place.
  const columns = file.length === 0 ? keep : keep?.filter((name) => name !== 'path' && name !== 'line')
  const named = column === undefined ? columns?.length && '--keep' : '--column'
  if (named && delimiter === undefined && !recordFormats.some((one) => formats.includes(one))) {
    throw needsRecords(named)
  }
  return { format, column, delimiter }
}
