import { countTokens, type TokenCount } from '../api/messages/count.ts'
import { countTokensFields, uncountedFields } from '../api/messages/fields.ts'
import { defineCommand } from '../command.ts'
import { ThresholdError, UsageError } from '../errors.ts'
import { writeText } from '../io/io.ts'
import { writeJson } from '../io/json/print.ts'
import { inputOptions, requestOptions, textOptions } from '../fields/request-options.ts'
import { readCounted } from '../input/prompt.ts'
import { safe } from '../io/text/safe-text.ts'
import { chooseModel } from '../models/choose.ts'
import { countWithAny } from '../models/counting.ts'
import { printRequest } from '../preview.ts'
import { pluralize } from '../io/text/plural.ts'
import { withTarget } from '../io/files/output.ts'
import { withSpinner } from '../terminal/spinner.ts'

export default defineCommand({
  description:
    'Print how many tokens a model would read: those of the request that syn messages would send. Empty standard ' +
    'input counts 0, and nothing is sent.',
  arguments: [{ name: 'text', help: 'Text to count, or - for stdin', many: true }],
  fields: countTokensFields,
  unsent: uncountedFields,
  options: {
    file: inputOptions.file,
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
    ['Count files one by one', 'for f in *.md; do echo "$f $(syn count-tokens < "$f")"; done'],
    ['Ask only if a file fits', 'syn count-tokens --fallback --max 90000 -f a.txt && syn chat "Sum up" < a.txt'],
  ],

  async run(context) {
    const { fields, options, io } = context
    const messages = await readCounted(fields.messages, context, io)
    const { model: _model, messages: _messages, ...others } = fields
    if (others.system === '') delete others.system
    const model = await chooseModel(countTokens, { ...fields, messages }, context)
    const body = { model, ...others, messages }
    const isEmpty = messages.length === 0
    if (context.isPreview) {
      if (isEmpty) throw new UsageError('standard input is empty, so there is no request to show')
      return printRequest(countTokens, body, context)
    }
    const choice = { fallback: context.settings.fallback(options), isGate: options.max !== undefined }
    let total = 0
    await withTarget(options.output, io, async (target) => {
      const count = () => countWithAny(body, choice, context)
      const counted = isEmpty ? noTokens : await withSpinner(safe`counting tokens`, context, count)
      total = counted.tokens
      if (options.json) await writeJson(counted.reply, target)
      else await writeText(target, `${total}\n`)
    })
    const { max = Infinity } = options
    const verb = total === 1 ? 'exceeds' : 'exceed'
    if (total > max) throw new ThresholdError(`${pluralize(total, 'token')} ${verb} --max ${max}`)
  },
})

const noTokens: TokenCount = { tokens: 0, reply: { input_tokens: 0 } }
