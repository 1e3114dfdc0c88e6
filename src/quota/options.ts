/** The options of `syn quota`. */

import { UsageError, withHint } from '../errors.ts'
import type { Fields, Values } from '../fields/field.ts'
import type { GlobalValues } from '../fields/global-options.ts'
import { countOrPercentage, keyPath, time } from '../fields/notations.ts'
import { invalidValue } from '../fields/problem.ts'
import { requestOptions } from '../fields/request-options.ts'
import { quote } from '../io/json/print.ts'

export const quotaOptions = {
  json: { ...requestOptions.json, exclusive: ['remaining', 'curl'] },
  block: {
    ...keyPath,
    placeholder: 'NAME',
    help: 'Show only this block, such as search.hourly; --remaining prints it instead of the one that runs out first, and --fail-below and --wait check it instead of all that limit requests to models. An unknown name is an error',
  },
  remaining: {
    kind: 'switch',
    exclusive: ['curl'],
    everyday: true,
    help: 'Print the requests that are left, a whole number',
  },
  failBelow: {
    ...countOrPercentage('N|N%', 50),
    exclusive: ['wait', 'curl'],
    everyday: true,
    help: 'Exit with status 8 if less is left of any limit; N counts requests (-q: print no table)',
  },
  wait: {
    ...countOrPercentage('N|N%', 50),
    kind: 'switch or notation',
    default: '1 request',
    exclusive: ['curl'],
    everyday: true,
    help: 'Wait until this much of each limit is left; N counts requests (-q: print no table)',
  },
  maxWait: { ...time, default: 'any', help: 'With --wait: the longest wait, then exit with status 5' },
  curl: requestOptions.curl,
  output: requestOptions.output,
} as const satisfies Fields

export type QuotaOptions = Values<typeof quotaOptions> & GlobalValues

/** Whether the exit status reports the quota. */
export function isGuard({ failBelow, wait }: QuotaOptions): boolean {
  return failBelow !== undefined || Boolean(wait)
}

/** @throws UsageError for a fraction of requests, and for --block where it has no effect. */
export function checkOptions(options: QuotaOptions): void {
  const { failBelow, wait } = options
  const typed = failBelow ?? (typeof wait === 'object' ? wait : undefined)
  // 0.1 requests would never be reached: 10% is meant. A block may count dollars.
  if (typed && !typed.isPercent && typed.value > 0 && typed.value < 1 && options.block === undefined) {
    const flag = failBelow ? '--fail-below' : '--wait'
    const { expected } = quotaOptions.failBelow
    const error = invalidValue(flag, { path: [], found: quote(typed.text), expected })
    throw withHint(error, `use ${flag} ${Number((typed.value * 100).toPrecision(6))}%`)
  }
  if (options.maxWait !== undefined && !options.wait) throw new UsageError('--max-wait needs --wait')
  const usesBlock = !options.json && !options.curl
  if (options.block === undefined || usesBlock || isGuard(options)) return
  throw new UsageError('--block cannot be combined with --json or --curl', {
    hint: `for one block as JSON: syn quota --json | jq .${options.block}`,
  })
}
