/** How fast the quota is used up, by an earlier reading of it. */

import { modelBlocks } from '../api/quota.ts'
import { readCache, writeCache } from '../io/files/cache.ts'
import type { Io } from '../io/io.ts'
import { isObject, type JsonObject } from '../io/json/json.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import { clockTime, durationText, minute } from '../io/time/time.ts'
import { readableAmount } from './record.ts'

interface PaceContext {
  readonly io: Io
  readonly settings: { readonly cacheKey: string | undefined; readonly profile: string }
}

/** In milliseconds. */
const newReadingAfter = 10 * minute
/** An older reading says nothing of how fast the quota is used now: a limit may have come back as a whole. */
const maxAge = 300 * minute

/** In percent: less is rounding. */
const leastUsed = 0.05

/**
 * Compares the record with the stored reading of each block, and stores it in place of one that is ten minutes old.
 * @returns `rollingFiveHourLimit: 12% since 14:02; at this pace empty in 3 h`: what has come back meanwhile is counted.
 */
export async function paceTexts(record: JsonObject, { io, settings }: PaceContext): Promise<string[]> {
  const now = io.serviceClock.now()
  // Each profile has its own, as others have other accounts.
  const cacheName = `quota-readings-${settings.profile}`
  const cached = readCache(cacheName, settings.cacheKey, io)?.value
  const stored = isObject(cached) ? cached : {}
  const readings: JsonObject = {}
  const texts: string[] = []
  for (const { name, percentLeft } of modelBlocks(record)) {
    if (percentLeft === undefined) continue
    const before = isObject(stored[name]) ? stored[name] : {}
    const [time, percent] = [Number(before.time), Number(before.percent)]
    const [age, used] = [now - time, percent - percentLeft]
    const isUsable = age >= 0 && age < maxAge
    readings[name] = isUsable && age < newReadingAfter ? before : { time: now, percent: percentLeft }
    if (!isUsable || age < minute || !(used >= leastUsed)) continue
    const left = durationText((percentLeft / used) * age)
    const since = `${readableAmount(used, 'count')}% since ${clockTime(time, now)}`
    texts.push(`${sanitizeName(name)}: ${since}; at this pace empty in ${left}`)
  }
  await writeCache(cacheName, settings.cacheKey, readings, io)
  return texts
}
