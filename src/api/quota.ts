/** The quota record, section 2.5. Asking for it costs nothing (section 8). */

import { isObject, type Json, type JsonObject, parseJsonIfValid } from '../io/json.ts'
import type { Operation } from './operation.ts'
import { quotaBlocks, type QuotaBlock } from './quota-block.ts'

export const quota: Operation = { method: 'GET', path: '/v2/quotas' }

/** The record that may ride in a header of an inference reply; its name varies but for its end. */
export function quotaOfHeaders(headers: Readonly<Record<string, string>>): JsonObject | undefined {
  for (const [name, value] of Object.entries(headers)) {
    if (!name.endsWith('-quotas')) continue
    const record = parseJsonIfValid(value)
    // Other headers may end alike.
    if (isObject(record)) return record
  }
  return undefined
}

/** What is left of the subscription, in requests. A limit of 0 or none means unknown. */
export function subscriptionLeft(record: JsonObject): { left: number; limit: number } | undefined {
  const { remaining, limit } = quotaBlocks(record).find(({ name }) => name === 'subscription') ?? {}
  return remaining === undefined || limit === undefined ? undefined : { left: remaining, limit }
}

/** The blocks that requests to models are counted in. */
const requestBlocks = new Set(['subscription', 'rollingFiveHourLimit', 'weeklyTokenLimit'])

/** The block that is used up and makes the service refuse requests to models, if one does. */
export function spentBlock(record: Json): QuotaBlock | undefined {
  if (!isObject(record)) return undefined
  return quotaBlocks(record).find(({ name, isSpent }) => isSpent && requestBlocks.has(name))
}
