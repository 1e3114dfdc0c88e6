/** Guards for scripts: `--fail-below`, a threshold, and `--wait`, until something is left again. */

import type { QuotaBlock } from '../api/quota.ts'
import { ThresholdError, UsageError } from '../errors.ts'
import { sanitizeName } from '../io/sanitize.ts'
import type { Io } from '../io/io.ts'
import { type JsonObject, quote } from '../io/json.ts'
import { pauseUntil, timeText } from '../io/time.ts'
import type { Notices } from '../notices.ts'
import { exactAmount, isTransient } from './record.ts'

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
  throw new ThresholdError(`${sanitizeName(block.name)} is below ${threshold.text}: ${leftText(block)}${renewal}`)
}

function leftText({ remaining, percentLeft, limit, unit }: QuotaBlock): string {
  if (remaining === undefined) return `${percentLeft}% left`
  const whole = limit === undefined ? '' : ` of ${exactAmount(limit, unit)}`
  return `${exactAmount(remaining, unit)}${whole} left`
}

interface Deps {
  readonly io: Io
  readonly notices: Notices
}

type Read = () => Promise<JsonObject>

/** In milliseconds. */
const minute = 60_000

/** A renewal may be a moment late by the service's clock: the first waits after it are short, in milliseconds. */
const firstOverdueWait = 1000

/** Who waits for the same moment must not all ask in it: after it they spread over a part of the wait. */
const spreadPart = 0.02
const longestSpread = 10_000

/**
 * Asks until the block is not used up, and sleeps until each renewal that the service names.
 * @param read Asks the service.
 * @param choose The block that is waited for.
 * @returns the last record: something is left by it, or what is left is unknown.
 * @throws what the first reading throws; of later ones only what time does not mend.
 */
export async function waitForRenewal(
  read: Read,
  choose: (record: JsonObject) => QuotaBlock | undefined,
  deps: Deps,
): Promise<JsonObject> {
  const { io, notices } = deps
  let record = await read()
  let said: string | undefined
  let overdue = 0
  for (let block = choose(record); block?.isSpent; block = choose(record)) {
    const { until, text, isOverdue } = nextReading(block, io.now(), overdue)
    overdue = isOverdue ? overdue + 1 : 0
    if (text !== said) await notices.info(text)
    said = text
    await pauseUntil(until, io)
    record = await readPatiently(read, deps)
  }
  return record
}

interface Reading {
  readonly until: number
  readonly text: string
  readonly isOverdue: boolean
}

/** @param overdue How often the block was found spent after its renewal. */
function nextReading({ name, renewal }: QuotaBlock, now: number, overdue: number): Reading {
  const spent = `${sanitizeName(name)} is used up`
  const time = renewal?.time
  if (time === undefined) {
    return {
      until: now + minute,
      text: `${spent} and when it renews is not told; asking each minute`,
      isOverdue: false,
    }
  }
  if (time <= now) {
    const wait = Math.min(minute, firstOverdueWait * 2 ** overdue)
    return {
      until: now + wait,
      text: `${spent} and its renewal is overdue; asking at least each minute`,
      isOverdue: true,
    }
  }
  const spread = Math.min(longestSpread, (time - now) * spreadPart)
  const text = `${spent}; waiting until ${timeText(time, now)}`
  return { until: time + Math.random() * spread, text, isOverdue: false }
}

/** A wait of hours outlasts a network that is away for a while. */
async function readPatiently(read: Read, { io, notices }: Deps): Promise<JsonObject> {
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!isTransient(error)) throw error
      await notices.info(`${error.message}; asking again in a minute`)
    }
    await pauseUntil(io.now() + minute, io)
  }
}
