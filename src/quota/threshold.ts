/** `--fail-below`: how little may be left. */

import type { QuotaBlock } from '../api/quota.ts'
import { ThresholdError, UsageError } from '../errors.ts'
import { quote } from '../io/json.ts'
import { harmlessName } from '../io/harmless.ts'
import { timeText } from '../io/time.ts'
import { exactAmount } from './amount.ts'

export interface Threshold {
  /** As it was typed: `10%`, `50`. */
  readonly text: string
  readonly value: number
  readonly isPercent: boolean
}

/** @throws UsageError for anything but a plain number, or one up to 100 with a percent sign. */
export function parseThreshold(text: string): Threshold {
  const [, digits, sign] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? []
  const [value, isPercent] = [Number(digits), sign === '%']
  if (digits === undefined || (isPercent && value > 100)) {
    throw new UsageError(
      `--fail-below: ${quote(text)} is not accepted; expected a count such as 50, or a share from 0% to 100%`,
    )
  }
  return { text, value, isPercent }
}

/**
 * @returns whether it is known what is left.
 * @throws ThresholdError when less is left.
 */
export function checkThreshold(threshold: Threshold, block: QuotaBlock | undefined, now: number): boolean {
  const left = threshold.isPercent ? block?.percentLeft : block?.remaining
  if (block === undefined || left === undefined) return false
  if (left >= threshold.value) return true
  const time = block.renewal?.time
  const renewal = time === undefined ? '' : `; it renews ${timeText(time, now)}`
  throw new ThresholdError(`${harmlessName(block.name)} is below ${threshold.text}: ${leftText(block)}${renewal}`)
}

function leftText({ remaining, percentLeft, limit, unit }: QuotaBlock): string {
  if (remaining === undefined) return `${percentLeft}% left`
  const whole = limit === undefined ? '' : ` of ${exactAmount(limit, unit)}`
  return `${exactAmount(remaining, unit)}${whole} left`
}
