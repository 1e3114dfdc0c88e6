import { batchesOf, embedBatches, requestBody, defaultBatchSize, type EmbeddedBatch } from '../api/embeddings/embed.ts'
import { embeddingsFields } from '../api/embeddings/fields.ts'
import { operations } from '../api/operations.ts'
import { defineCommand, type Example } from '../command.ts'
import { UsageError } from '../errors.ts'
import { checkKind } from '../fields/parse.ts'
import type { Json, JsonObject } from '../io/json.ts'
import { cannotBeCombined, invalidValue } from '../fields/problem.ts'
import { inputOptions, requestOptions } from '../fields/request-options.ts'
import { defaultColumn, type InputFormat, inputFormats, readTexts } from '../input/texts.ts'
import { adviseOnEmbeddingModel, chooseEmbeddingModel } from '../models/embedding-model.ts'
import { checkEmbeddingsView, embeddingFormats, showEmbeddings } from '../embeddings/show.ts'
import { isPreview, printRequest } from '../preview.ts'

/** What files and standard input hold by default. */
const defaultFormat = 'text'

const examples: readonly Example[] = [
  ['Embed a text', 'syn embed "The cat sat on the mat"'],
  ['Embed each line of a file', 'syn embed --lines < lines.txt > embeddings.jsonl'],
  ['See how alike texts are', 'syn embed --compare "A cat" "A kitten" "A ship"'],
  [
    'Embed a column of a table, for NumPy',
    'syn embed --input-format csv --column title -f books.csv --format npy -o books.npy',
  ],
]

export default defineCommand({
  description:
    'Turns texts into embeddings: lists of numbers that lie near each other where the texts are alike. Texts come from ' +
    '--input, arguments, files and standard input, in this order, or else from --param or --body. Off a terminal each becomes a line of JSON; on one a ' +
    'summary of each is shown. Many texts are sent in several requests, of which --dry-run and --curl show the first.',
  arguments: [{ name: 'text', help: 'A text to embed, each argument one; - stands for standard input.', many: true }],
  fields: embeddingsFields,
  options: {
    file: { ...inputOptions.file, help: 'Embed a text file; repeat for several.' },
    lines: {
      kind: 'switch',
      everyday: true,
      help: 'Each line of files and standard input is a text, also a blank one; the same as --input-format lines.',
    },
    inputFormat: {
      kind: 'text',
      choices: inputFormats,
      default: defaultFormat,
      help: 'What files and standard input hold: one text, a text a line, JSON Lines, or CSV with a header.',
    },
    column: {
      kind: 'text',
      placeholder: 'NAME',
      default: defaultColumn,
      help: "The key (JSON Lines), or the column's name or number (CSV), of the text.",
    },
    stdin: inputOptions.stdin,
    format: {
      kind: 'text',
      choices: embeddingFormats,
      default: "the ending of --output's file, else jsonl off a terminal",
      exclusive: ['json'],
      everyday: true,
      help: 'How to write the embeddings.',
    },
    withText: { kind: 'switch', exclusive: ['compare', 'json'], help: 'Write each text beside its embedding.' },
    compare: {
      kind: 'switch',
      exclusive: ['format', 'json'],
      everyday: true,
      help: 'Instead of the embeddings, print how alike the texts are: cosines from -1 to 1.',
    },
    usage: { kind: 'switch', short: 'u', help: 'Tell tokens, requests and time on standard error.' },
    batchSize: {
      kind: 'number',
      minimum: 1,
      whole: true,
      default: defaultBatchSize,
      help: 'Texts in one request, unless they are long.',
    },
    ...requestOptions,
  },
  examples,

  async run(context) {
    const { words, fields, flags, options, io, secrets, settings, notices, client, catalog } = context
    checkEmbeddingsView(options, io.out)
    const { model: named, input, ...others } = fields
    const given = givenTexts(flags.input)
    const sources = { ...inputFormatOf(options), words, files: options.file, stdin: options.stdin }
    const typed = [...given, ...(await readTexts({ ...sources, hasOther: input !== undefined }, io))]
    // As everywhere, what is typed takes the place of what --param or --body holds.
    const texts = typed.length > 0 ? typed : givenTexts(input)
    const batches = batchesOf(texts, options.batchSize)
    const [first] = batches
    if (!first)
      throw new UsageError('no text: give it as arguments, in files or on standard input', {
        hint: 'for example: syn embed "The cat sat on the mat"',
      })
    if (options.compare && texts.length < 2) throw new UsageError('--compare takes two texts or more; there is one')

    const chosen = async (isAsked: boolean): Promise<JsonObject & { model: Json }> => {
      return { model: await chooseEmbeddingModel(named, isAsked, context), ...others }
    }
    if (isPreview(options)) {
      const body = requestBody(await chosen(options.sandbox ?? false), first)
      if (batches.length > 1) {
        await notices.info(`${texts.length} texts are ${batches.length} requests; this is the first`)
      }
      return printRequest(operations.embeddings, body, settings.shownBaseUrl, options, context)
    }
    async function* embed(): AsyncGenerator<EmbeddedBatch, void, undefined> {
      const body = await chosen(true)
      try {
        yield* embedBatches(batches, body, client)
      } catch (error) {
        throw await adviseOnEmbeddingModel(error, body.model, catalog)
      }
    }
    await showEmbeddings(
      { embed, textCount: texts.length, requestCount: batches.length, mask: (text) => secrets.mask(text) },
      options,
      context,
    )
  },
})

/** @throws UsageError for an `input` that `--param` put there unchecked. */
function givenTexts(input: Json | undefined): readonly string[] {
  if (input === undefined) return []
  const problem = checkKind(embeddingsFields.input, input)
  if (problem) throw invalidValue('--param input', problem)
  return typeof input === 'string' ? [input] : (input as string[])
}

interface FormOptions {
  readonly lines?: boolean
  readonly inputFormat?: InputFormat['format']
  readonly column?: string
}

function inputFormatOf({ lines, inputFormat, column }: FormOptions): InputFormat {
  const format = inputFormat ?? (lines ? 'lines' : defaultFormat)
  if (lines && format !== 'lines') {
    throw cannotBeCombined(['--lines', `--input-format ${format}`])
  }
  if (column !== undefined && format !== 'jsonl' && format !== 'csv') {
    throw new UsageError('--column: only jsonl and csv have columns', { hint: 'name the form: --input-format csv' })
  }
  return { format, column }
}
