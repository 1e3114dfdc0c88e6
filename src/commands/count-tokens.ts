import { countAll, countBody, countTokens, type Countable, type TokenCountReply } from '../api/messages/count.ts'
import { uncountedFields } from '../api/messages/fields.ts'
import { contextLengthOf } from '../api/models.ts'
import { defineCommand, type Example } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { ThresholdError, UsageError } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { type Json, type JsonObject, jsonText, quote } from '../io/json.ts'
import { inputOptions, requestOptions } from '../fields/request-options.ts'
import { readCountables } from '../input/countable.ts'
import { chooseModel } from '../models/choose.ts'
import { adviseOnModel } from '../models/rotation.ts'
import { isPreview, printRequest } from '../preview.ts'
import { openTarget } from '../io/output.ts'
import { countsText, totalOf, type ModelContext } from '../models/token-counts.ts'
import { waitFor } from '../terminal/spinner.ts'

const examples: readonly Example[] = [
  ['Count a text', 'syn count-tokens "Say hello in three languages"'],
  ['Count the output of a program', 'git diff | syn count-tokens'],
  ['Count files one by one', 'syn count-tokens -f README.md -f LICENSE'],
  ['Show the share of the context length', 'syn count-tokens --context -m syn:small:text -f README.md'],
  ['Ask only if a file fits', 'syn count-tokens --max 100000 -f a.txt && syn chat "Summarize" < a.txt'],
]

export default defineCommand({
  description:
    'Print how many tokens a model would read. Files given without any other input are counted one by one, as plain ' +
    'text; everything else is counted as the single request that syn messages would send. An empty text counts 0, and ' +
    'nothing is sent.\n\n' +
    'When piped, the output of --context is tab-separated: tokens, context length, percent, model, and the ' +
    'file if there are several.',
  arguments: [{ name: 'text', help: 'Text to count, or - for stdin', many: true }],
  fields: countTokens.fields,
  unsent: uncountedFields,
  options: {
    file: { ...inputOptions.file, help: 'Count a text file, or - for stdin; repeatable' },
    image: inputOptions.image,
    stdin: inputOptions.stdin,
    context: {
      kind: 'switch',
      exclusive: ['json'],
      everyday: true,
      help: "Also print the share of the model's context length",
    },
    max: {
      kind: 'number',
      minimum: 0,
      whole: true,
      everyday: true,
      help: 'Exit with status 8 if there are more tokens than this',
    },
    ...requestOptions,
  },
  examples,

  async run(context) {
    const { words, fields, options, io } = context
    const sources = { words, files: options.file, images: options.image, stdin: options.stdin }
    const countables = await readCountables(fields.messages, sources, io)
    const messages = countables.flatMap((one) => one.messages)
    const model = await chooseModel(countTokens, { ...fields, messages }, context)
    const { model: _model, messages: _messages, ...others } = fields
    const request: JsonObject = { model, ...others }
    if (isPreview(options)) return preview(countables, request, context)

    const target = await openTarget(options.output, io)
    const counting = async (): Promise<[TokenCountReply[], ModelContext | undefined]> => [
      await count(countables, request, context),
      options.context ? await contextOf(model, context) : undefined,
    ]
    const [counts, modelContext] = await waitFor('counting tokens', context, counting)
    const total = totalOf(counts)
    await target.write(
      options.json ? jsonText(answerOf(counts, total), target) : countsText(counts, modelContext, target),
    )
    await target.commit()
    if (options.max !== undefined && total > options.max) {
      throw new ThresholdError(`${total} tokens are more than --max ${options.max}`)
    }
  },
})

type Preview = CommandContext<Fields, typeof requestOptions>

/** Of several requests the first. */
async function preview(countables: readonly Countable[], request: JsonObject, context: Preview): Promise<void> {
  const [first, ...others] = countables.filter(({ messages }) => messages.length > 0)
  if (!first) throw new UsageError('there is no text, and so no request to show')
  if (others.length > 0) {
    await context.notices.info(`${others.length + 1} files are as many requests; this is the first`)
  }
  const { settings, options } = context
  return printRequest(countTokens, countBody(first, request), settings.shownBaseUrl, options, context)
}

type Deps = Pick<CommandContext, 'client' | 'catalog' | 'notices'>

async function count(
  countables: readonly Countable[],
  request: JsonObject,
  { client, catalog }: Deps,
): Promise<TokenCountReply[]> {
  try {
    return await countAll(countables, request, client)
  } catch (error) {
    const messages = countables.flatMap((one) => one.messages)
    const advise = (alias: string): string => `-m ${alias} stays current`
    throw await adviseOnModel(error, countTokens, { ...request, messages }, catalog, advise)
  }
}

/** What the model can read, where the list of models tells; else that is said. */
async function contextOf(model: Json, { catalog, notices }: Deps): Promise<ModelContext | undefined> {
  const name = typeof model === 'string' ? model : quote(model)
  const length = contextLengthOf(await catalog.modelsIfAvailable(), name)
  if (length !== undefined) return { length, model: name }
  await notices.info(`the context length of ${name} is not known`)
  return undefined
}

/** The service's whole answer; of several their sum as well. */
function answerOf(counts: readonly TokenCountReply[], total: number): Json {
  const [only, ...others] = counts
  if (only && others.length === 0) return only.reply
  return { input_tokens: total, files: counts.map(({ file = '', tokens }) => ({ file, input_tokens: tokens })) }
}
