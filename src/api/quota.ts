/** The quota record, section 2.5. Asking for it costs nothing (section 8). */

import { isObject, type Json, type JsonObject } from '../fields/json.ts'
import type { Operation } from './operation.ts'

export const quota: Operation = { method: 'GET', path: '/v2/quotas' }

/** The record that may ride in a header of an inference reply; its name varies but for its end. */
export function quotaOfHeaders(headers: Readonly<Record<string, string>>): JsonObject | undefined {
  for (const [name, value] of Object.entries(headers)) {
    if (!name.endsWith('-quotas')) continue
    try {
      const record = JSON.parse(value) as Json
      if (isObject(record)) return record
    } catch {
      // Another header that ends alike.
    }
  }
  return undefined
}

/** What is left of the subscription, in requests. A limit of 0 or none means unknown. */
export function subscriptionLeft(record: JsonObject): { left: number; limit: number } | undefined {
  const { subscription } = record
  if (!isObject(subscription)) return undefined
  const { limit, requests } = subscription
  if (typeof limit !== 'number' || typeof requests !== 'number' || limit <= 0) return undefined
  return { left: Math.max(0, limit - requests), limit }
}

/**
 * Whether a block of the record is used up.
 * @returns when it renews, as the service writes it, or an empty string when it doesn't say; nothing when something is left.
 */
export function spentUntil(record: Json): string | undefined {
  if (!isObject(record)) return undefined
  const { subscription, rollingFiveHourLimit: rolling, weeklyTokenLimit: weekly } = record
  if (isObject(subscription) && subscriptionLeft(record)?.left === 0) return timeText(subscription.renewsAt)
  if (isObject(rolling) && rolling.limited === true) return timeText(rolling.nextTickAt)
  if (isObject(weekly) && weekly.percentRemaining === 0) return timeText(weekly.nextRegenAt)
  return undefined
}

function timeText(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
