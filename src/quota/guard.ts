/** Guards for scripts: `--fail-below` and `--wait`. */

import { modelBlocks, type QuotaBlock, timeOfShare } from '../api/quota.ts'
import { isTransient, renewalText } from '../api/retry-policy.ts'
import { QuotaError, ThresholdError, UsageError } from '../errors.ts'
import type { CountOrPercentage } from '../fields/notations.ts'
import { defer } from '../io/defer.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import type { Io } from '../io/io.ts'
import type { JsonObject } from '../io/json/json.ts'
import { clockTime, durationText, hour, minute, pauseFor, timeText } from '../io/time/time.ts'
import type { Notices } from '../notices.ts'
import { startLiveLine } from '../terminal/progress.ts'
import { chooseBlock, exactAmount, unknownQuotaText } from './record.ts'
import { Waiter } from './waiter.ts'

export interface Guard {
  /** The name of the block. */
  readonly block?: string | undefined
  readonly failBelow?: CountOrPercentage | undefined
  /** How much to wait for; `true` for one request, or any credit. */
  readonly wait?: true | CountOrPercentage | undefined
}

/** What must be left of each block. */
function thresholdOf({ failBelow, wait }: Guard): CountOrPercentage {
  return failBelow ?? (typeof wait === 'object' ? wait : { text: '1 request', value: 1, isPercent: false })
}

/** Without a name, each block that may make the service refuse requests to models. */
function blocksOf(record: JsonObject, { block: name }: Guard): QuotaBlock[] {
  return name === undefined ? modelBlocks(record) : [chooseBlock(record, name) ?? []].flat()
}

/**
 * @returns a warning if a remaining amount is unknown: it must not look like a sufficient one, also with --quiet.
 * @throws ThresholdError if one is below the threshold of --fail-below.
 */
export function checkGuard(record: JsonObject, guard: Guard, now: number): string | undefined {
  const { block: name, failBelow } = guard
  const blocks = blocksOf(record, guard)
  const below = failBelow && blocks.find((block) => isBelow(block, guard))
  if (below) throw new ThresholdError(`${shortText(below, guard)}${readyText(below, guard, now)}`)
  const unknown = blocks.find((block) => leftOf(block, guard) === undefined)
  if (blocks.length > 0 && !unknown) return undefined
  return `${unknownQuotaText(record, unknown?.name ?? name)}; assuming enough is left`
}

/** What is compared with the threshold; `undefined` if it is unknown. A number counts requests, unless the block was named. */
function leftOf(block: QuotaBlock, guard: Guard): number | undefined {
  const { unit, remaining, percentLeft, isSpent } = block
  if (guard.wait === true)
    return isSpent === undefined ? undefined : unit === 'count' ? (remaining ?? Infinity) : Infinity
  if (thresholdOf(guard).isPercent) return percentLeft
  return guard.block === undefined && unit !== 'count' ? Infinity : remaining
}

/** The service may say that the block is used up without numbers, or with numbers that are behind. */
function isBelow(block: QuotaBlock, guard: Guard): boolean {
  const { value } = thresholdOf(guard)
  return isShort(block, guard) || (block.isSpent === true && value > 0)
}

function isShort(block: QuotaBlock, guard: Guard): boolean {
  return (leftOf(block, guard) ?? Infinity) < thresholdOf(guard).value
}

/** `rollingFiveHourLimit is below 10%: 3.2 of 500 left` */
function shortText(block: QuotaBlock, guard: Guard): string {
  const isNothing = !isShort(block, guard) || (guard.wait === true && block.isSpent)
  const state = isNothing ? 'is used up' : `is below ${thresholdOf(guard).text}: ${leftText(block)}`
  return `${sanitizeName(block.name)} ${state}`
}

function leftText({ remaining, percentLeft, limit, unit }: QuotaBlock): string {
  if (remaining === undefined) return `${percentLeft}% left`
  const total = limit === undefined ? '' : ` of ${exactAmount(limit, unit)}`
  return `${exactAmount(remaining, unit)}${total} left`
}

/** When as much will be left as the threshold says, which may take several renewals; `undefined` if it is unknown. */
function readyTime(block: QuotaBlock, guard: Guard): number | undefined {
  const { value, isPercent } = thresholdOf(guard)
  const { limit = 0, unit } = block
  // Any credit is enough for a request.
  if (!isPercent && unit === 'dollars' && guard.block === undefined) return block.renewal?.time
  return timeOfShare(block, isPercent ? value : limit > 0 ? (100 * value) / limit : 0)
}

function readyText(block: QuotaBlock, guard: Guard, now: number): string {
  const { renewal } = block
  if (renewal?.time === undefined || renewal.isWhole) return renewalText(renewal?.time, now)
  const time = readyTime(block, guard)
  if (time === undefined) return `; the next part comes back at ${timeText(renewal.time, now)}`
  const about = time === renewal.time ? '' : 'about '
  return `; ${thresholdOf(guard).text} will be left at ${about}${timeText(time, now)}`
}

export interface WaitContext {
  readonly io: Io
  readonly notices: Notices
  /** The quota, if it was read before. */
  readonly record?: JsonObject
  readonly waiter: Waiter
}

/** @param maxWait The longest wait in milliseconds (default: any). */
export function createWaiter({ elapsed, serviceClock }: Io, maxWait: number | undefined): Waiter {
  return new Waiter({ clock: { now: elapsed, time: serviceClock.now }, maxWait, random: Math.random })
}

/**
 * Waits until as much is left as the guard says. Reads the quota again at each renewal that the service reports. A terminal
 * shows the rest of the wait; elsewhere a notice says at the start and once an hour until when it is.
 * @param read Requests the quota.
 * @returns the last record, in which enough is left or the remaining amount is unknown.
 * @throws what the first request throws; permanent failures of later ones; QuotaError after the longest wait, or before if
 *   nothing renews until then.
 */
export async function waitForRenewal(
  read: () => Promise<JsonObject>,
  guard: Guard,
  deps: WaitContext,
): Promise<JsonObject> {
  const { io, notices, waiter } = deps
  let record = deps.record ?? (await read())
  const { value, text: amount, isPercent } = thresholdOf(guard)
  const small = blocksOf(record, guard).find(({ limit = 0, unit }) => limit > 0 && limit < value && unit === 'count')
  if (small && !isPercent && guard.wait !== true) {
    throw new UsageError(`--wait: ${amount} is more than the limit of ${sanitizeName(small.name)}, ${small.limit}`)
  }
  let shown = ''
  const stop = notices.voice.isChat ? 'Esc stops' : 'Ctrl-C stops'
  const line = startLiveLine((columns) => `${shown} · ${stop}`.slice(0, columns - 1), deps)
  using _line = defer(() => line?.stop())
  for (let block = lastReady(record, guard); block; block = lastReady(record, guard)) {
    const short = block
    const state = shortText(short, guard)
    waiter.hold({ block: short, state, renewal: short.renewal?.time, end: readyTime(short, guard) })
    if (waiter.isTooLong()) throw endedWait(short, guard, waiter, io)
    await pauseFor((waiter.current?.until ?? 0) - io.elapsed(), io, async (rest) => {
      shown = liveText(short, state, rest, waiter, io)
      if (line) return line.draw()
      const notice = waiter.takeNotice(hour)
      if (notice !== undefined) await notices.info(notice)
    })
    waiter.finish()
    line?.clear()
    record = await readWithRetries(read, deps)
  }
  return record
}

/** `rollingFiveHourLimit used up; 5% back at 22:18 (in 14 min)`: on 80 columns, with what ends it. */
function liveText(
  { renewal, part }: QuotaBlock,
  state: string,
  rest: number,
  waiter: Waiter,
  { serviceClock }: Io,
): string {
  if (renewal?.time === undefined || waiter.current?.isOverdue) return waiter.text
  const back = part === undefined || renewal.isWhole ? 'renews' : `${Number(part.toFixed(2))}% back`
  const words = state.replace(' is used', ' used')
  return `${words}; ${back} at ${clockTime(renewal.time, serviceClock.now())} (in ${durationText(rest)})`
}

function endedWait(block: QuotaBlock, guard: Guard, { waited, longEnough }: Waiter, { serviceClock }: Io): QuotaError {
  const end = waited < 1000 ? '' : `; waited ${durationText(waited)}`
  const hint = longEnough && `use ${longEnough} to wait for it`
  return new QuotaError(`${shortText(block, guard)}${readyText(block, guard, serviceClock.now())}${end}`, { hint })
}

/** The block for which to wait longest, among those of which less is left. */
function lastReady(record: JsonObject, guard: Guard): QuotaBlock | undefined {
  const below = blocksOf(record, guard).filter((block) => isBelow(block, guard))
  const waitEnd = (block: QuotaBlock): number => readyTime(block, guard) ?? block.renewal?.time ?? 0
  return below.toSorted((one, other) => waitEnd(other) - waitEnd(one))[0]
}

/** During a wait of hours, the network may be down for a while. */
async function readWithRetries(read: () => Promise<JsonObject>, deps: WaitContext): Promise<JsonObject> {
  const { io, notices, waiter } = deps
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!isTransient(error)) throw error
      if (waiter.rest === 0) throw new QuotaError(`the quota is used up, and cannot be read again: ${error.message}`)
      await notices.info(`${error.message}; retrying in a minute`)
    }
    await pauseFor(Math.min(minute, waiter.rest), io)
  }
}
