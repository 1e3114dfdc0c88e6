import { operations } from '../api/operations.ts'
import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import type { Fields } from '../fields/field.ts'
import type { JsonObject } from '../io/json/json.ts'
import { checkOptions, isGuard, isSilent, quotaOptions } from '../quota/options.ts'
import { noQuotaText, readQuota } from '../quota/record.ts'
import { loadQuotaFormat, type QuotaFormat } from '../quota/view.ts'
import { checkGuard, waitForRenewal } from '../quota/guard.ts'
import { liveDisplay, watchQuota, type QuotaDisplay } from '../quota/watch.ts'
import { printRequest } from '../preview.ts'
import type { Style } from '../terminal/style.ts'
import { safe } from '../io/text/safe-text.ts'
import { complete, openTarget, type OutputTarget } from '../io/files/output.ts'
import { showSpinner, withSpinner } from '../terminal/spinner.ts'

type QuotaContext = CommandContext<Fields, typeof quotaOptions>

const spinnerText = safe`fetching the quota`

export default defineCommand({
  description:
    'Ask the service for the quota, which is free. A terminal shows a bar per block. When piped, output is tab-separated: ' +
    'one line per block with name, used, limit, remaining, and renewal time, and one line per other value with path and ' +
    'value. --fail-below and --wait check each block that limits requests to models: rollingFiveHourLimit, ' +
    'weeklyTokenLimit, subscription, and any with limited: true, except those of search and tool calls. --remaining ' +
    'prints the requests left of the one of these that runs out first. A request to the default large model counts as 1, ' +
    'one to another model by its price. If the limit of one is missing or 0, the remaining quota is unknown: they succeed ' +
    'with a warning, with --strict they fail.',
  options: quotaOptions,
  examples: [
    ['Show the quota', 'syn quota'],
    ['Ask only if at least 10% is left', 'syn quota -q --fail-below 10% && syn chat "Say hello"'],
    ['Ask as soon as a request is left', 'syn quota -q --wait && syn chat "Say hello"'],
    ['Wait until half of the quota is left', 'syn quota -q --wait 50% && syn batch rows.jsonl -o out.jsonl'],
    ['Print one number for a script', 'syn quota --remaining --block search.hourly'],
    ['Refresh every ten seconds', 'syn quota --watch 10'],
  ],

  async run(context) {
    const { options, client, io, notices } = context
    checkOptions(options)
    if (context.isPreview) return printRequest(operations.quota, undefined, context)
    const target = await openTarget(options.output, io)
    const style = await context.loadStyle(target)
    const format = await loadQuotaFormat(options, target, style, io)
    if (options.watch !== undefined) return watch({ target, format, style }, context)
    const read = () => withSpinner(spinnerText, context, () => readQuota(client, options.block))
    const record = options.wait ? await waitForRenewal(read, options, context) : await read()
    await print(record, format, target, context)
    const warning = isGuard(options) ? checkGuard(record, options, io.now()) : undefined
    if (warning !== undefined) await notices.warn(warning)
  },
})

/** @param target Where the quota is written. A file is replaced. */
async function print(
  record: JsonObject,
  format: QuotaFormat,
  target: OutputTarget,
  { options, notices }: QuotaContext,
): Promise<void> {
  const text = format(record, target.columns())
  if (text === '' && !isGuard(options)) {
    const notice = noQuotaText(record, options.block)
    await (options.block === undefined ? notices.info(notice) : notices.warn(notice))
  }
  await complete(target, () => target.write(text))
}

interface View {
  readonly target: OutputTarget
  readonly format: QuotaFormat
  readonly style: Style
}

async function watch(view: View, context: QuotaContext): Promise<void> {
  const { options, client, io } = context
  const interval = typeof options.watch === 'number' ? options.watch : quotaOptions.watch.default
  const display = await chooseDisplay(view, interval, context)
  const spinner = await showSpinner(spinnerText, context)
  // Best effort: the next reading serves as the retry.
  const read = () => readQuota(client, options.block, { oneAttempt: true }).finally(() => spinner?.stop())
  const check = (record: JsonObject) => options.failBelow && checkGuard(record, options, io.now())
  await watchQuota({ interval, read, display, check }, io)
}

/** On a capable terminal the quota is redrawn in place; elsewhere each reading is printed. */
async function chooseDisplay(
  { target, format, style }: View,
  interval: number,
  context: QuotaContext,
): Promise<QuotaDisplay> {
  const { options, io, notices } = context
  const { out } = io
  // The trace of --debug would be overwritten.
  if (
    out.isTerminal &&
    out.window?.columns &&
    target.isTerminal &&
    io.env.TERM !== 'dumb' &&
    !options.debug &&
    !isSilent(options)
  ) {
    return liveDisplay({ format, style, interval, elapsed: io.elapsed, out, window: out.window })
  }
  let lastWarning: string | undefined
  let lastForecast: string | undefined
  return {
    async show(record, forecast) {
      await print(record, format, await openTarget(options.output, io), context)
      if (forecast !== undefined && forecast !== lastForecast) await notices.info(forecast)
      lastForecast = forecast
    },
    fail: (message) => notices.info(`${message}; retrying in ${interval} s`),
    warn: async (message) => {
      if (message !== lastWarning) await notices.warn(message)
      lastWarning = message
    },
    close: () => Promise.resolve(),
  }
}
