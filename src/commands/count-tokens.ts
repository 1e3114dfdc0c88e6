import { type Countable, countBody, countTokens, type TokenCountReply } from '../api/messages/count.ts'
import { countTokensFields, uncountedFields } from '../api/messages/fields.ts'
import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { ThresholdError, UsageError } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { writeJson } from '../io/json/print.ts'
import { inputOptions, requestOptions, textOptions } from '../fields/request-options.ts'
import { readCountables } from '../input/prompt.ts'
import { safe } from '../io/text/safe-text.ts'
import { chooseModel } from '../models/choose.ts'
import { countWithAny } from '../models/counting.ts'
import { printRequest } from '../preview.ts'
import { pluralize } from '../io/text/plural.ts'
import { withTarget } from '../io/files/output.ts'
import { totalOf, writeCounts } from '../models/token-counts.ts'
import { withSpinner } from '../terminal/spinner.ts'

export default defineCommand({
  description:
    'Print how many tokens a model would read. Files given without any other input are counted one by one, as plain ' +
    'text; everything else is counted as the single request that syn messages would send. An empty text counts 0, and ' +
    'nothing is sent.',
  arguments: [{ name: 'text', help: 'Text to count, or - for stdin', many: true }],
  fields: countTokensFields,
  unsent: uncountedFields,
  options: {
    file: { ...inputOptions.file, help: 'Count a text file, or - for stdin; repeatable' },
    image: inputOptions.image,
    stdin: inputOptions.stdin,
    max: {
      kind: 'number',
      minimum: 0,
      whole: true,
      everyday: true,
      help: 'Exit with status 8 if there are more tokens than this',
    },
    fallback: {
      ...textOptions.fallback,
      help: 'If the model cannot count, take the count of this one, or of another alias; repeatable, in order',
    },
    ...requestOptions,
  },
  examples: [
    ['Count a text', 'syn count-tokens "Say hello in three languages"'],
    ['Count the output of a program', 'git diff | syn count-tokens'],
    ['Count files one by one', 'syn count-tokens -f README.md -f LICENSE'],
    ['Ask only if a file fits', 'syn count-tokens --fallback --max 90000 -f a.txt && syn chat "Sum up" < a.txt'],
  ],

  async run(context) {
    const { fields, options, io } = context
    const countables = await readCountables(fields.messages, context, io)
    const messages = countables.flatMap((one) => one.messages)
    const { model: _model, messages: _messages, ...others } = fields
    if (others.system === '') delete others.system
    const body = { model: await chooseModel(countTokens, { ...fields, messages }, context), ...others }
    if (context.isPreview) return preview(countables, body, context)

    const isGate = options.max !== undefined
    const fallback = context.settings.fallback(options)
    let total = 0
    await withTarget(options.output, io, async (target) => {
      const count = () => countWithAny(countables, body, { fallback, isGate }, context)
      const counts = await withSpinner(safe`counting tokens`, context, count)
      total = totalOf(counts)
      if (options.json) await writeJson(answerOf(counts, total), target)
      else await writeCounts(counts, target)
    })
    const { max = Infinity } = options
    const verb = total === 1 ? 'exceeds' : 'exceed'
    if (total > max) throw new ThresholdError(`${pluralize(total, 'token')} ${verb} --max ${max}`)
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

/** The service's whole reply, or for several files the total and each count. */
function answerOf(counts: readonly TokenCountReply[], total: number): Json {
  const [only, ...others] = counts
  if (only && others.length === 0) return only.reply
  return { input_tokens: total, files: counts.map(({ file = '', tokens }) => ({ file, input_tokens: tokens })) }
}
