/** The quota record: asked for, and the block of it that is meant. */

import { withBaseUrlHint } from '../api/failures.ts'
import { operations, type Sender, type SendOptions } from '../api/operations.ts'
import { knownBlocks, type QuotaBlock, quotaBlocks, type Unit } from '../api/quota.ts'
import { FailedError, NetworkError, StatusError } from '../errors.ts'
import { nearest } from '../fields/nearest.ts'
import { sanitizeName } from '../io/sanitize.ts'
import { isObject, type JsonObject, quote } from '../io/json.ts'

/**
 * Asks the service for the record.
 * @throws NetworkError for a reply that is none, and what the request throws.
 */
export async function readQuota(client: Sender, options?: SendOptions): Promise<JsonObject> {
  const { json } = await client.send(operations.quota, undefined, options).catch((error: unknown) => {
    throw withBaseUrlHint(error)
  })
  if (isObject(json)) return json
  throw new NetworkError(`the service sent no quota record: ${quote(json)}`)
}

/** Of a key or an address that is wrong, and stays so. */
const permanentStatuses = new Set([401, 403, 404])

/** Whether repeated readings should go on after this failure: a network that is down comes back. */
export function isTransient(error: unknown): error is NetworkError | StatusError {
  return error instanceof NetworkError || (error instanceof StatusError && !permanentStatuses.has(error.status))
}

/** What is meant where no block is named. */
const defaultBlock = 'subscription'

/**
 * @returns nothing when the service doesn't tell of the block: it is as unknown as one without a limit.
 * @throws FailedError for a name that is most likely misspelt: a guard must not pass because of that.
 */
export function chooseBlock(record: JsonObject, name: string = defaultBlock): QuotaBlock | undefined {
  const blocks = quotaBlocks(record)
  const block = blocks.find((one) => one.name === name)
  if (block || knownBlocks.includes(name)) return block
  const meant = nearest(name, new Set([...blocks.map((one) => one.name), ...knownBlocks]))
  if (meant === undefined) return undefined
  throw new FailedError(`--block: the service tells nothing of ${name} (did you mean ${sanitizeName(meant)}?)`)
}

/** Why there is nothing to show. */
export function noQuotaText(record: JsonObject, name: string = defaultBlock): string {
  const names = quotaBlocks(record).map((one) => sanitizeName(one.name))
  if (names.length === 0) return 'no subscription: the service tells of no quota'
  return `the service tells nothing of ${name}, only of ${names.join(', ')}`
}

/** Why it is unknown what is left. */
export function unknownQuotaText(record: JsonObject, name: string = defaultBlock): string {
  if (!chooseBlock(record, name)) return noQuotaText(record, name)
  return `how much of ${name} is left is unknown: the service tells no limit`
}

/** `1100.25`, `$23.99`: to be read by programs, exact, and the same in every locale. */
export function exactAmount(value: number, unit: Unit): string {
  return unit === 'count' ? String(value) : inDollars(value, { maximumFractionDigits: 20, useGrouping: false })
}

/** `1,100.25`, `$23.99`: to be read by people, rounded to hundredths. */
export function readableAmount(value: number, unit: Unit): string {
  if (unit === 'dollars') return inDollars(value, { maximumFractionDigits: 2 })
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 })
}

function inDollars(value: number, options: Intl.NumberFormatOptions): string {
  return value.toLocaleString('en-US', { style: 'currency', currency: 'USD', minimumFractionDigits: 2, ...options })
}
