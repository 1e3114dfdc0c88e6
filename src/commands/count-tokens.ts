import { type Countable, countAll, countBody, countTokens, type TokenCountReply } from '../api/messages/count.ts'
import { countTokensFields, uncountedFields } from '../api/messages/fields.ts'
import { contextLengthOf } from '../api/models.ts'
import { defineCommand, type Example } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { ThresholdError, UsageError } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { type Json, type JsonObject, quote, writeJson } from '../io/json/json.ts'
import { inputOptions, requestOptions } from '../fields/request-options.ts'
import { readCountables } from '../input/prompt.ts'
import { safe } from '../io/text/safe-text.ts'
import { chooseModel } from '../models/choose.ts'
import { withModelHint } from '../models/rotation.ts'
import { printRequest } from '../preview.ts'
import { pluralize } from '../io/text/plural.ts'
import { withTarget } from '../io/files/output.ts'
import { type ModelContext, totalOf, writeCounts } from '../models/token-counts.ts'
import { withSpinner } from '../terminal/spinner.ts'

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
  fields: countTokensFields,
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
    const { fields, options, io } = context
    const countables = await readCountables(fields.messages, context, io)
    const messages = countables.flatMap((one) => one.messages)
    const model = await chooseModel(countTokens, { ...fields, messages }, context)
    const { model: _model, messages: _messages, ...others } = fields
    if (others.system === '') delete others.system
    const request: JsonObject = { model, ...others }
    if (context.isPreview) return preview(countables, request, context)

    const counting = async (): Promise<[TokenCountReply[], ModelContext | undefined]> => [
      await count(countables, request, context),
      options.context ? await contextOf(model, context) : undefined,
    ]
    const total = await withTarget(options.output, io, async (target) => {
      const [counts, modelContext] = await withSpinner(safe`counting tokens`, context, counting)
      if (options.json) await writeJson(answerOf(counts, totalOf(counts)), target)
      else await writeCounts(counts, modelContext, target)
      return totalOf(counts)
    })
    if (options.max !== undefined && total > options.max) {
      throw new ThresholdError(`${pluralize(total, 'token')} exceed${total === 1 ? 's' : ''} --max ${options.max}`)
    }
  },
})

type Preview = CommandContext<Fields, typeof requestOptions>

/** Shows the first of several requests. */
async function preview(countables: readonly Countable[], request: JsonObject, context: Preview): Promise<void> {
  const [first, ...others] = countables.filter(({ messages }) => messages.length > 0)
  if (!first) throw new UsageError('the text is empty, so there is no request to show')
  if (others.length > 0) {
    await context.notices.info(`${others.length + 1} files need ${others.length + 1} requests; showing the first`)
  }
  return printRequest(countTokens, countBody(first, request), context)
}

type CountContext = Pick<CommandContext, 'client' | 'catalog' | 'notices'>

async function count(
  countables: readonly Countable[],
  request: JsonObject,
  { client, catalog }: CountContext,
): Promise<TokenCountReply[]> {
  try {
    return await countAll(countables, request, client)
  } catch (error) {
    const messages = countables.flatMap((one) => one.messages)
    throw await withModelHint(error, { operation: countTokens, body: { ...request, messages } }, catalog)
  }
}

/** The model's context length from the model list. Prints a notice if it is unknown. */
async function contextOf(model: Json, { catalog, notices }: CountContext): Promise<ModelContext | undefined> {
  const name = typeof model === 'string' ? model : quote(model)
  const length = contextLengthOf(await catalog.modelsIfAvailable(), name)
  if (length !== undefined) return { length, model: name }
  await notices.info(`the context length of ${name} is unknown`)
  return undefined
}

/** The service's whole reply, or for several files the total and each count. */
function answerOf(counts: readonly TokenCountReply[], total: number): Json {
  const [only, ...others] = counts
  if (only && others.length === 0) return only.reply
  return { input_tokens: total, files: counts.map(({ file = '', tokens }) => ({ file, input_tokens: tokens })) }
}
