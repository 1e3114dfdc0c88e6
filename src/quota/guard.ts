/** Guards for scripts: `--fail-below` and `--wait`. */

import { modelBlocks, type QuotaBlock } from '../api/quota.ts'
import { ThresholdError, UsageError } from '../errors.ts'
import { sanitizeName } from '../io/safe-text.ts'
import type { Io } from '../io/io.ts'
import { type JsonObject, quote } from '../io/json.ts'
import { pauseFor, pauseUntil, timeText } from '../io/time.ts'
import type { Notices } from '../notices.ts'
import { chooseBlock, exactAmount, isTransient, unknownQuotaText } from './record.ts'

export interface Threshold {
  /** As typed: `10%`, `50`. */
  readonly text: string
  readonly value: number
  readonly isPercent: boolean
}

/**
 * @param block The chosen one, which may count dollars.
 * @throws UsageError for anything but a number, or a percentage up to 100.
 */
export function parseThreshold(text: string, block: string | undefined): Threshold {
  const [, digits, sign] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? []
  const [value, isPercent] = [Number(digits), sign === '%']
  // Of requests, 0.1 would never be reached: 10% is meant.
  const isFraction = !isPercent && value > 0 && value < 1 && block === undefined
  if (digits === undefined || (isPercent && value > 100) || isFraction) {
    throw new UsageError(
      `--fail-below: ${quote(text)} is not accepted; expected a count such as 50, or a percentage from 0% to 100%`,
      isFraction ? { hint: `use --fail-below ${Number((value * 100).toPrecision(6))}%` } : {},
    )
  }
  return { text, value, isPercent }
}

export interface Guard {
  /** The name of the block. */
  readonly block?: string | undefined
  /** `undefined` for --wait, which only asks whether something is left. */
  readonly threshold: Threshold | undefined
  /** Whether an unknown amount fails. */
  readonly strict?: boolean | undefined
}

/**
 * Without a name, checks each block that may make the service refuse requests to models.
 * @returns a warning if a remaining amount is unknown: it must not look like a sufficient one, also with --quiet.
 * @throws ThresholdError if one is below the threshold, or unknown with --strict.
 */
export function checkGuard(record: JsonObject, guard: Guard, now: number): string | undefined {
  const { block: name, threshold, strict } = guard
  const blocks = name === undefined ? modelBlocks(record) : [chooseBlock(record, name) ?? []].flat()
  if (threshold) for (const block of blocks) assertEnough(block, threshold, leftOf(block, guard), now)
  const unknown = blocks.find((block) => leftOf(block, guard) === undefined)
  if (blocks.length > 0 && !unknown) return undefined
  const text = unknownQuotaText(record, unknown?.name ?? name)
  if (strict) throw new ThresholdError(text)
  return `${text}; assuming enough is left`
}

/** What is compared with the threshold; `undefined` if it is unknown. A number counts requests, unless the block was named. */
function leftOf(block: QuotaBlock, { block: name, threshold }: Guard): number | undefined {
  if (!threshold) return block.isSpent === undefined ? undefined : Infinity
  if (threshold.isPercent) return block.percentLeft
  return name === undefined && block.unit !== 'count' ? Infinity : block.remaining
}

/** @throws ThresholdError */
function assertEnough(block: QuotaBlock, threshold: Threshold, left: number | undefined, now: number): void {
  const isBelow = left !== undefined && left < threshold.value
  // The service may say that the block is used up without numbers, or with numbers that are behind.
  if (!isBelow && !(block.isSpent && threshold.value > 0)) return
  const time = block.renewal?.time
  const renewal = time === undefined ? '' : `; it renews at ${timeText(time, now)}`
  const state = isBelow ? `is below ${threshold.text}: ${leftText(block)}` : 'is used up'
  throw new ThresholdError(`${sanitizeName(block.name)} ${state}${renewal}`)
}

function leftText({ remaining, percentLeft, limit, unit }: QuotaBlock): string {
  if (remaining === undefined) return `${percentLeft}% left`
  const total = limit === undefined ? '' : ` of ${exactAmount(limit, unit)}`
  return `${exactAmount(remaining, unit)}${total} left`
}

interface Deps {
  readonly io: Io
  readonly notices: Notices
}

type Read = () => Promise<JsonObject>

/** Milliseconds. */
const minute = 60_000

/** First wait after an overdue renewal, in milliseconds. It is short: the service's clock may be slightly behind. */
const firstOverdueWait = 1000

/** Share of the wait over which requests are spread, so that not all waiting runs ask at the same moment. */
const spreadShare = 0.02
/** Milliseconds. */
const maxSpread = 10_000

/**
 * Waits until the block is no longer used up, and sleeps until each renewal that the service reports.
 * @param read Requests the quota.
 * @param choose Selects the block to wait for.
 * @returns the last record, in which something is left or the remaining amount is unknown.
 * @throws what the first request throws; permanent failures of later ones.
 */
export async function waitForRenewal(
  read: Read,
  choose: (record: JsonObject) => QuotaBlock | undefined,
  deps: Deps,
): Promise<JsonObject> {
  const { io, notices } = deps
  let record = await read()
  let lastNotice: string | undefined
  let overdue = 0
  for (let block = choose(record); block?.isSpent; block = choose(record)) {
    const { text, isOverdue, until, wait } = nextRequest(block, io.now(), overdue)
    overdue = isOverdue ? overdue + 1 : 0
    if (text !== lastNotice) await notices.info(text)
    lastNotice = text
    await (until === undefined ? pauseFor(wait, io) : pauseUntil(until, io))
    record = await readWithRetries(read, deps)
  }
  return record
}

interface NextRequest {
  /** The renewal, by the clock of the service. */
  readonly until?: number
  /** In milliseconds, without a renewal. */
  readonly wait: number
  readonly text: string
  readonly isOverdue: boolean
}

/** @param overdue How often the block was still used up after its renewal. */
function nextRequest({ name, renewal }: QuotaBlock, now: number, overdue: number): NextRequest {
  const usedUp = `${sanitizeName(name)} is used up`
  const time = renewal?.time
  if (time === undefined) {
    return {
      wait: minute,
      text: `${usedUp}, renewal time unknown; checking every minute`,
      isOverdue: false,
    }
  }
  if (time <= now) {
    return {
      wait: Math.min(minute, firstOverdueWait * 2 ** overdue),
      text: `${usedUp}, renewal overdue; checking at least every minute`,
      isOverdue: true,
    }
  }
  const spread = Math.min(maxSpread, (time - now) * spreadShare)
  const text = `${usedUp}; waiting until ${timeText(time, now)}`
  return { until: time + Math.random() * spread, wait: 0, text, isOverdue: false }
}

/** During a wait of hours, the network may be down for a while. */
async function readWithRetries(read: Read, { io, notices }: Deps): Promise<JsonObject> {
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!isTransient(error)) throw error
      await notices.info(`${error.message}; retrying in a minute`)
    }
    await pauseFor(minute, io)
  }
}
