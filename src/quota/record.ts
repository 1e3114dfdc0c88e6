/** Requests the quota record, and selects a block of it. */

import { operations, type Sender, type SendOptions } from '../api/operations.ts'
import { knownBlocks, type QuotaBlock, quotaBlocks, tightestBlock, type Unit } from '../api/quota.ts'
import { NetworkError, UsageError } from '../errors.ts'
import { suggestion } from '../fields/suggestion.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import { isObject, type JsonObject } from '../io/json/json.ts'
import { quote } from '../io/json/print.ts'

/** Requests the record. @throws NetworkError for a reply that is none, UsageError if it cannot have the block. */
export async function readQuota(client: Sender, block: string | undefined, options?: SendOptions): Promise<JsonObject> {
  const { exact } = await client.send(operations.quota, undefined, options)
  const json = exact()
  if (!isObject(json)) throw new NetworkError(`the reply is not a quota record: ${quote(json)}`)
  // Here, so that nothing is printed of a record that lacks it.
  chooseBlock(json, block)
  return json
}

const defaultBlock = 'subscription'

/**
 * @returns `undefined` if the service does not report the block, though it is a known one.
 * @throws UsageError for any other name: a guard must not pass because of a typo.
 */
export function chooseBlock(record: JsonObject, name: string = defaultBlock): QuotaBlock | undefined {
  const blocks = quotaBlocks(record)
  const block = blocks.find((one) => one.name === name)
  if (block || knownBlocks.includes(name)) return block
  const names = [...new Set([...knownBlocks, ...blocks.map((one) => one.name)])].map(sanitizeName)
  throw new UsageError(`--block: no quota block named ${JSON.stringify(name)}${suggestion(name, names)}`, {
    hint: `known blocks: ${names.join(', ')}`,
  })
}

/** The notice if there is nothing to show. */
export function noQuotaText(record: JsonObject, name: string = defaultBlock): string {
  const names = quotaBlocks(record).map((one) => sanitizeName(one.name))
  if (names.length === 0) return 'no subscription: the service reports no quota'
  return `no quota block named ${JSON.stringify(name)} (available: ${names.join(', ')})`
}

export function unknownQuotaText(record: JsonObject, name: string = defaultBlock): string {
  const block = chooseBlock(record, name)
  if (!block) return noQuotaText(record, name)
  return `the remaining amount of ${name} is unknown: the service sent ${amountsOf(block)}`
}

/** What there is of a block whose remaining amount is unknown. */
function amountsOf({ limit, percentLeft }: QuotaBlock): string {
  if (percentLeft !== undefined) return 'only a percentage'
  return limit !== undefined && limit > 0 ? 'only a limit' : 'no limit'
}

/**
 * What runs out first: `3.2 of 500 requests left`, `$1.20 of $24.00 credit left`, or `60% of weeklyTokenLimit left`.
 * @returns `undefined` if the record does not say.
 */
export function quotaLeftText(record: JsonObject): string | undefined {
  const block = tightestBlock(record)
  if (!block) return undefined
  const { name, unit, isSpent, limit = 0, percentLeft } = block
  const remaining = isSpent ? 0 : block.remaining
  if (remaining === undefined) {
    return percentLeft === undefined ? undefined : `${readableAmount(percentLeft, 'count')}% of ${name} left`
  }
  const total = limit > 0 ? ` of ${readableAmount(limit, unit)}` : ''
  const noun = unit === 'dollars' ? 'credit' : remaining === 1 && total === '' ? 'request' : 'requests'
  return `${readableAmount(remaining, unit)}${total} ${noun} left`
}

/** What was taken of the block that runs out first: `−0.07 requests`. @returns `undefined` if nothing was, or it is unknown. */
export function quotaTakenText(before: JsonObject, after: JsonObject): string | undefined {
  const [one, other] = [tightestBlock(before), tightestBlock(after)]
  const taken = one?.name === other?.name ? (one?.remaining ?? NaN) - (other?.remaining ?? NaN) : NaN
  // The amount is rounded to hundredths.
  if (!one || !(taken >= 0.005)) return undefined
  const noun = one.unit === 'dollars' ? 'credit' : taken === 1 ? 'request' : 'requests'
  return `−${readableAmount(taken, one.unit)} ${noun}`
}

/** `1100.25`, `$23.99`: exact and independent of the locale, for programs. */
export function exactAmount(value: number, unit: Unit): string {
  return unit === 'count' ? String(value) : inDollars(value, { maximumFractionDigits: 20, useGrouping: false })
}

/** `1,100.25`, `$23.99`: rounded to hundredths, for people. */
export function readableAmount(value: number, unit: Unit): string {
  if (unit === 'dollars') return inDollars(value, { maximumFractionDigits: 2 })
  return formatNumber(value, { maximumFractionDigits: 2 })
}

function inDollars(value: number, options: Intl.NumberFormatOptions): string {
  return formatNumber(value, { style: 'currency', currency: 'USD', minimumFractionDigits: 2, ...options })
}

/** By their options: one takes 50 µs to make, and a hostile record has thousands of amounts. */
const formats = new Map<string, Intl.NumberFormat>()

function formatNumber(value: number, options: Intl.NumberFormatOptions): string {
  const key = JSON.stringify(options)
  const format = formats.get(key) ?? new Intl.NumberFormat('en-US', options)
  formats.set(key, format)
  return format.format(value)
}
