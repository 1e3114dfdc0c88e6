import { operations } from '../api/operations.ts'
import { defineCommand } from '../command.ts'
import { checkOptions, isGuard, quotaOptions } from '../quota/options.ts'
import { paceTexts } from '../quota/pace.ts'
import { noQuotaText, readQuota } from '../quota/record.ts'
import { quotaText } from '../quota/view.ts'
import { checkGuard, createWaiter, waitForRenewal } from '../quota/guard.ts'
import { printRequest } from '../preview.ts'
import { safe } from '../io/text/safe-text.ts'
import { withTarget } from '../io/files/output.ts'
import { withSpinner } from '../terminal/spinner.ts'

export default defineCommand({
  description:
    'Ask the service for the quota, which is free. When piped, output is tab-separated: ' +
    'one line per block with name, used, limit, remaining, and renewal time, and one line per other value with path and ' +
    'value. --fail-below and --wait check each block that limits requests to models: rollingFiveHourLimit, ' +
    'weeklyTokenLimit, subscription, and any with limited: true, except those of search and tool calls. --remaining ' +
    'prints the requests left of the one of these that runs out first. Requests count by the price of their model. ' +
    'If the limit of one is missing or 0, the remaining quota is unknown: they succeed ' +
    'with a warning.',
  options: quotaOptions,
  examples: [
    ['Show the quota', 'syn quota'],
    ['Ask only if at least 10% is left', 'syn quota -q --fail-below 10% && syn chat "Say hello"'],
    ['Ask as soon as a request is left', 'syn quota -q --wait && syn chat "Say hello"'],
    ['Wait until half of the quota is left', 'syn quota -q --wait 50% && syn batch rows.jsonl -o out.jsonl'],
    ['Print one number for a script', 'syn quota --remaining --block search.hourly'],
  ],

  async run(context) {
    const { options, client, io, notices } = context
    checkOptions(options)
    if (context.isPreview) return printRequest(operations.quota, undefined, context)
    const read = () => withSpinner(safe`fetching the quota`, context, () => readQuota(client, options.block))
    const record = options.wait
      ? await waitForRenewal(read, options, { io, notices, waiter: createWaiter(io, options.maxWait) })
      : await read()
    await withTarget(options.output, io, async (target) => {
      const text = await quotaText(record, target, options, context)
      if (text === '' && !isGuard(options)) {
        const notice = noQuotaText(record, options.block)
        await (options.block === undefined ? notices.info(notice) : notices.warn(notice))
      }
      await target.write(text)
    })
    if (!isGuard(options) && !options.remaining)
      for (const text of await paceTexts(record, context)) await notices.info(text)
    const warning = isGuard(options) ? checkGuard(record, options, io.serviceClock.now()) : undefined
    if (warning !== undefined) await notices.warn(warning)
  },
})
