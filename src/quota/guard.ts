/** Guards for scripts: `--fail-below` and `--wait`. */

import { modelBlocks, type QuotaBlock } from '../api/quota.ts'
import { isTransient, quotaWait, renewalText } from '../api/retry-policy.ts'
import { ThresholdError } from '../errors.ts'
import type { CountOrPercentage } from '../fields/notations.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import type { Io } from '../io/io.ts'
import type { JsonObject } from '../io/json/json.ts'
import { pauseFor } from '../io/time/time.ts'
import type { Notices } from '../notices.ts'
import { chooseBlock, exactAmount, unknownQuotaText } from './record.ts'

export interface Guard {
  /** The name of the block. */
  readonly block?: string | undefined
  /** `undefined` for --wait, which only asks whether something is left. */
  readonly failBelow?: CountOrPercentage | undefined
  /** Whether an unknown amount fails. */
  readonly strict?: boolean | undefined
}

/**
 * Without a name, checks each block that may make the service refuse requests to models.
 * @returns a warning if a remaining amount is unknown: it must not look like a sufficient one, also with --quiet.
 * @throws ThresholdError if one is below the threshold, or unknown with --strict.
 */
export function checkGuard(record: JsonObject, guard: Guard, now: number): string | undefined {
  const { block: name, failBelow: threshold, strict } = guard
  const blocks = name === undefined ? modelBlocks(record) : [chooseBlock(record, name) ?? []].flat()
  if (threshold) for (const block of blocks) assertEnough(block, threshold, leftOf(block, guard), now)
  const unknown = blocks.find((block) => leftOf(block, guard) === undefined)
  if (blocks.length > 0 && !unknown) return undefined
  const text = unknownQuotaText(record, unknown?.name ?? name)
  if (strict) throw new ThresholdError(text)
  return `${text}; assuming enough is left`
}

/** What is compared with the threshold; `undefined` if it is unknown. A number counts requests, unless the block was named. */
function leftOf(block: QuotaBlock, { block: name, failBelow: threshold }: Guard): number | undefined {
  if (!threshold) return block.isSpent === undefined ? undefined : Infinity
  if (threshold.isPercent) return block.percentLeft
  return name === undefined && block.unit !== 'count' ? Infinity : block.remaining
}

/** @throws ThresholdError */
function assertEnough(block: QuotaBlock, threshold: CountOrPercentage, left: number | undefined, now: number): void {
  const isBelow = left !== undefined && left < threshold.value
  // The service may say that the block is used up without numbers, or with numbers that are behind.
  if (!isBelow && !(block.isSpent && threshold.value > 0)) return
  const state = isBelow ? `is below ${threshold.text}: ${leftText(block)}` : 'is used up'
  throw new ThresholdError(`${sanitizeName(block.name)} ${state}${renewalText(block.renewal?.time, now)}`)
}

function leftText({ remaining, percentLeft, limit, unit }: QuotaBlock): string {
  if (remaining === undefined) return `${percentLeft}% left`
  const total = limit === undefined ? '' : ` of ${exactAmount(limit, unit)}`
  return `${exactAmount(remaining, unit)}${total} left`
}

interface GuardContext {
  readonly io: Io
  readonly notices: Notices
}

/** In milliseconds. */
const minute = 60_000

/**
 * Waits until the block is no longer used up, and sleeps until each renewal that the service reports.
 * @param read Requests the quota.
 * @param choose Selects the block to wait for.
 * @returns the last record, in which something is left or the remaining amount is unknown.
 * @throws what the first request throws; permanent failures of later ones.
 */
export async function waitForRenewal(
  read: () => Promise<JsonObject>,
  choose: (record: JsonObject) => QuotaBlock | undefined,
  deps: GuardContext,
): Promise<JsonObject> {
  const { io, notices } = deps
  let record = await read()
  let lastNotice: string | undefined
  let checks = 0
  for (let block = choose(record); block?.isSpent; block = choose(record)) {
    const options = { name: sanitizeName(block.name), checks }
    const { length, text, isOverdue } = quotaWait(block.renewal?.time, io.now(), Math.random(), options)
    checks = isOverdue ? checks + 1 : 0
    if (text !== lastNotice) await notices.info(text)
    lastNotice = text
    await pauseFor(length, io)
    record = await readWithRetries(read, deps)
  }
  return record
}

/** During a wait of hours, the network may be down for a while. */
async function readWithRetries(read: () => Promise<JsonObject>, { io, notices }: GuardContext): Promise<JsonObject> {
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
