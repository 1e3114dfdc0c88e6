/** IDs and names of conversations. No text can be both. */

import { UsageError } from '../errors.ts'
import { quote } from '../io/json/print.ts'
import { normalize } from '../io/text/normalize.ts'

const longestName = 100

/** What means the latest conversation, unless one that was named before has this name. */
export const latestName = 'last'

/** `20261121-101512-4f7a9c`, in UTC: IDs sort by start time. */
export function newId(now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().replace(/[-:]/g, '').split(/[T.]/)
  return `${date}-${time}-${randomDigits(6)}`
}

/** An ID for a turn or an answer, unique within its file. */
export function newNodeId(): string {
  return randomDigits(8)
}

/** Hexadecimal. Unique is enough, so they are not from node:crypto, which takes as long to load as a tenth of a run. */
function randomDigits(count: number): string {
  return Math.floor(Math.random() * 16 ** count)
    .toString(16)
    .padStart(count, '0')
}

export function isNodeId(text: string): boolean {
  return /^[\da-f]{8}$/.test(text)
}

/** Whether a text is an ID or an ID prefix that has at least the eight digits of the date. A shorter one is a name. */
export function looksLikeId(text: string): boolean {
  return /^\d{8}(?:-\d{0,6}|-\d{6}-[\da-f]{0,6})?$/.test(text)
}

/** Trims a name and normalizes it to NFC, so that names that look the same are equal. */
export function normalizeName(text: string): string {
  return normalize(text.trim())
}

/**
 * @param where The flag or argument with the name, for errors.
 * @returns the normalized name.
 * @throws UsageError for an invalid name.
 */
export function checkName(text: string, where: string): string {
  const name = normalizeName(text)
  if (name === '') throw new UsageError(`${where}: the name is empty`)
  if (name === latestName)
    throw new UsageError(`${where}: ${quote(name)} means the latest conversation; expected a name`)
  if (looksLikeId(name)) throw new UsageError(`${where}: ${quote(name)} looks like an ID; expected a name`)
  if (/\p{Cc}/u.test(name)) throw new UsageError(`${where}: ${quote(name)} contains control characters`)
  if (name.length <= longestName) return name
  throw new UsageError(`${where}: ${quote(name)} is longer than ${longestName} characters`)
}
