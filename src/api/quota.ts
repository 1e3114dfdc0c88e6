/** Decodes the quota record (section 2.5). Requests for it are free (section 8). */

import { numberOf } from '../io/json/exact-numbers.ts'
import { decimalText, isObject, type Json, type JsonObject } from '../io/json/json.ts'
import { parseJsonIfValid } from '../io/json/parse.ts'
import { dottedName } from '../io/json/print.ts'

/** The record in a header of an inference reply; only the end of the header's name is fixed. */
export function quotaOfHeaders(headers: Readonly<Record<string, string>>): JsonObject | undefined {
  for (const name of Object.keys(headers)) {
    if (!name.endsWith('-quotas')) continue
    const record = parseJsonIfValid(headers[name] ?? '')
    // Other headers may have the same ending.
    if (isObject(record)) return record
  }
  return undefined
}

/** Current accounts count no requests in this block, which stays full. */
const subscription = 'subscription'

/** The blocks that requests to models use up. */
const requestBlocks = new Set([subscription, 'rollingFiveHourLimit', 'weeklyTokenLimit'])

/** Blocks that stop nothing but web searches and tool calls. */
const otherUses = /^search(\.|$)|ToolCalls(\.|$)/

/**
 * The blocks that may make the service refuse requests to models: those in `requestBlocks`, and any with `limited: true`. The
 * subscription is left out if only other blocks have known amounts.
 */
export function modelBlocks(record: JsonObject): QuotaBlock[] {
  const blocks = quotaBlocks(record).filter(
    ({ name, isLimited }) => requestBlocks.has(name) || (isLimited && !otherUses.test(name)),
  )
  const others = blocks.filter(({ name }) => name !== subscription)
  const saysMore = others.some(({ isSpent }) => isSpent !== undefined)
  return saysMore ? blocks.filter(({ name, isSpent }) => name !== subscription || isSpent !== undefined) : blocks
}

/**
 * The block that runs out first: that with the smallest share left, which is 0 if it is used up; `undefined` if nothing is
 * known. Of equal shares, one that counts requests says most, and the subscription least.
 */
export function tightestBlock(record: JsonObject): QuotaBlock | undefined {
  return tightestOf(modelBlocks(record))
}

function tightestOf(blocks: readonly QuotaBlock[]): QuotaBlock | undefined {
  const share = ({ isSpent, percentLeft = Infinity }: QuotaBlock): number => (isSpent ? 0 : percentLeft)
  const rank = ({ name, unit }: QuotaBlock): number => (name === subscription ? 2 : Number(unit === 'dollars'))
  return blocks
    .filter(({ isSpent, remaining }) => isSpent !== undefined || remaining !== undefined)
    .toSorted((one, other) => share(one) - share(other) || rank(one) - rank(other))[0]
}

/**
 * The requests to models that are left: a whole number, 0 if any block is used up; `undefined` if it is unknown. Requests
 * count by the price of their model.
 */
export function requestsLeft(record: JsonObject): number | undefined {
  const blocks = modelBlocks(record)
  if (blocks.some(({ isSpent }) => isSpent)) return 0
  const counting = blocks.filter(({ unit, remaining }) => unit === 'count' && remaining !== undefined)
  const left = tightestOf(counting)?.remaining
  return left === undefined ? undefined : Math.floor(left)
}

/**
 * The used-up block that makes the service refuse requests to models; `undefined` if there is none.
 * @param isRefused Whether a request was refused: then a fraction of one counts as 0.
 * @returns of several the one that renews last.
 */
export function exhaustedBlock(record: Json, isRefused = false): QuotaBlock | undefined {
  if (!isObject(record)) return undefined
  const renewalOf = ({ renewal }: QuotaBlock): number => renewal?.time ?? 0
  const isShort = ({ unit, remaining = 1 }: QuotaBlock): boolean => isRefused && unit === 'count' && remaining < 1
  const spent = modelBlocks(record).filter((block) => block.isSpent || isShort(block))
  return spent.toSorted((one, other) => renewalOf(other) - renewalOf(one))[0]
}

/**
 * When this much of a block will be left, in milliseconds since 1970; `undefined` if it is unknown. Some limits come back in
 * parts, and the service names the time of the next one only: for others it is an estimate.
 * @param percent From 0 to 100.
 */
export function timeOfShare({ name, percentLeft = 0, renewal, part }: QuotaBlock, percent: number): number | undefined {
  if (renewal?.time === undefined || renewal.isWhole) return renewal?.time
  if (part === undefined || percent > 100) return undefined
  // Rounded, so that 0.1 + 0.2 makes no part more.
  const parts = Math.max(1, Math.ceil(Number(((percent - percentLeft) / part).toFixed(6))))
  const period = periods.find(([word]) => word.test(name))?.[1]
  if (parts === 1) return renewal.time
  return period === undefined ? undefined : renewal.time + ((parts - 1) * (period * part)) / 100
}

/** The time in which all parts of a limit come back, in milliseconds, by a word of its name. */
const periods: readonly (readonly [RegExp, number])[] = [
  [/FiveHour/, 5 * 3_600_000],
  [/weekly/, 7 * 24 * 3_600_000],
]

export type QuotaBlock = Readonly<ReturnType<typeof decodeBlock>>

export type Unit = 'count' | 'dollars'

export type Renewal = Readonly<NonNullable<QuotaBlock['renewal']>>

export interface QuotaField {
  /** From the top of the record, joined with dots. */
  readonly path: string
  readonly value: Json
}

/** The key of a time at which all of the quota renews. */
const wholeRenewal = 'renewsAt'

/** The known blocks; an account may lack any of them. */
export const knownBlocks: readonly string[] = [
  'subscription',
  'search.hourly',
  'freeToolCalls',
  'weeklyTokenLimit',
  'rollingFiveHourLimit',
]

/**
 * The keys of each kind of block: of several, the first that has a value counts. The first kind is that of a block of which
 * nothing is known.
 */
const kinds = [
  {
    unit: 'count',
    used: ['requests', 'used'],
    limit: ['limit', 'max'],
    remaining: ['remaining'],
    percentLeft: [],
    renewal: [wholeRenewal, 'nextTickAt'],
  },
  {
    unit: 'dollars',
    used: [],
    limit: ['maxCredits'],
    remaining: ['remainingCredits'],
    percentLeft: ['percentRemaining'],
    renewal: ['nextRegenAt'],
  },
] as const

/**
 * The blocks of a quota record, in its order. Section 2.5 documents one, current accounts have five, and more may follow: any
 * object that looks like a block is decoded as one, and its other keys are kept in `fields`. A value outside all blocks is
 * returned as a block without amounts.
 */
export function quotaBlocks(record: JsonObject): QuotaBlock[] {
  return Object.entries(record).flatMap(([key, value]) => {
    const name = dottedName(key)
    return isBranch(value) ? blocksBelow(name, value) : [decodeBlock(name, {}, [{ path: name, value }])]
  })
}

function blocksBelow(name: string, object: JsonObject): QuotaBlock[] {
  const entries = Object.entries(object).map(([key, value]) => ({ path: dottedName(name, key), value }))
  const leaves = entries.filter(({ value }) => !isBranch(value))
  const nested = entries.flatMap(({ path, value }) => (isBranch(value) ? blocksBelow(path, value) : []))
  return leaves.length === 0 ? nested : [decodeBlock(name, object, leaves), ...nested]
}

function isBranch(value: Json): value is JsonObject {
  return isObject(value) && Object.keys(value).length > 0
}

/** @param leaves The block's own values; those decoded as amounts are left out of `fields`. */
function decodeBlock(name: string, object: JsonObject, leaves: readonly QuotaField[]) {
  const keys = kinds.find((kind) => readBlock(kind, object).found.size > 0) ?? kinds[0]
  const limited = typeof object.limited === 'boolean' ? object.limited : undefined
  const isLimited = limited === true
  const { used, limit, remaining, percentLeft, renewal, found } = readBlock(keys, object)
  const isUnknown = limit !== undefined && limit <= 0
  const rest = isUnknown ? undefined : (remaining ?? difference(limit, used))
  const left = rest === undefined ? undefined : Math.max(0, rest)
  const percent = isUnknown ? undefined : (percentLeft ?? percentOf(left, limit))
  const hasNothing = left === undefined && percent === undefined ? limited : left === 0 || (percent ?? 100) <= 0
  const shown = new Set(found)
  for (const key of [...keys.percentLeft, ...(remaining === left ? [] : keys.remaining)]) shown.delete(key)
  return {
    /** Its path in the record: `subscription`, `search.hourly`. */
    name,
    unit: keys.unit,
    /** Counts can be fractional. */
    used: used ?? difference(limit, left),
    /** 0, which some services send, means unknown. */
    limit,
    remaining: left,
    percentLeft: percent === undefined ? undefined : Math.min(100, Math.max(0, percent)),
    /** Whether it is used up; `undefined` if unknown. */
    isSpent: isLimited || (isUnknown ? undefined : hasNothing),
    /** Whether the service says that it refuses requests because of it. */
    isLimited,
    /** How much comes back at each renewal, in percent of the limit; `undefined` if all does, or if it is unknown. */
    part: partOf(object, limit),
    /** `isWhole`: whether all of the quota renews then, not just a part. */
    renewal: renewal === undefined ? undefined : { ...timed(renewal), isWhole: found.has(wholeRenewal) },
    /** The other keys of the block. */
    fields: leaves.filter(({ path }) => !shown.has(path.slice(name.length + 1))),
  }
}

function partOf({ tickPercent, nextRegenCredits }: JsonObject, limit: number | undefined): number | undefined {
  // A fraction, whatever its name says.
  const tick = count(numberOf(tickPercent))
  const part = tick === undefined ? percentOf(dollars(numberOf(nextRegenCredits)), limit) : 100 * tick
  return part !== undefined && part > 0 ? part : undefined
}

/** A value of the wrong type, or an empty string, counts as missing. @returns also the keys whose values were found. */
function readBlock(keys: (typeof kinds)[number], object: JsonObject) {
  const found = new Set<string>()
  const first = <Value>(names: readonly string[], decode: (value: Json | undefined) => Value | undefined) => {
    for (const name of names) {
      const value = decode(numberOf(object[name]))
      if (value === undefined) continue
      found.add(name)
      return value
    }
    return undefined
  }
  const amount = keys.unit === 'dollars' ? dollars : count
  const used = first(keys.used, amount)
  const limit = first(keys.limit, amount)
  const remaining = first(keys.remaining, amount)
  const percentLeft = first(keys.percentLeft, count)
  const renewal = first(keys.renewal, (value) => (typeof value === 'string' && value !== '' ? value : undefined))
  return { used, limit, remaining, percentLeft, renewal, found }
}

/** A count in a string is accepted: a guard must not treat it as unknown. */
function count(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function dollars(value: Json | undefined): number | undefined {
  const digits = decimalText(value)
  return digits === undefined ? undefined : Number(digits)
}

/** Rounded: 500 - 498.9 is 1.1000000000000227. */
function difference(whole: number | undefined, part: number | undefined): number | undefined {
  return whole === undefined || part === undefined ? undefined : Number((whole - part).toFixed(9))
}

function percentOf(part: number | undefined, whole: number | undefined): number | undefined {
  return whole === undefined || part === undefined ? undefined : (part * 100) / whole
}

/** `time` is in milliseconds since 1970, and only of ISO 8601: for other formats `Date.parse` guesses. */
function timed(text: string): { readonly text: string; readonly time: number | undefined } {
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN
  return { text, time: Number.isNaN(time) ? undefined : time }
}
