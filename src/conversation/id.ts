/** Ids and names of conversations. No text is both. */

import { randomBytes } from 'node:crypto'
import { UsageError } from '../errors.ts'
import { quote } from '../io/json.ts'

const longestName = 100

/** `20261121-101512-4f7a9c`: by their ids conversations are in the order in which they began. UTC. */
export function newId(now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().replace(/[-:]/g, '').split(/[T.]/)
  return `${date}-${time}-${randomBytes(3).toString('hex')}`
}

/** Of a turn or an answer, among those of one file. */
export function newNodeId(): string {
  return randomBytes(4).toString('hex')
}

/** Whether a text is an id or its beginning, down to the eight digits of the date. What is shorter is a name. */
export function isLikeId(text: string): boolean {
  return /^\d{8}(?:-\d{0,6}|-\d{6}-[\da-f]{0,6})?$/.test(text)
}

/** What a text is as a name: without white space around it, and in the one form of letters that look the same. */
export function nameOf(text: string): string {
  return text.trim().normalize('NFC')
}

/** @throws UsageError for what can't be a name. */
export function checkName(text: string, where: string): string {
  const name = nameOf(text)
  if (name === '') throw new UsageError(`${where}: the name is empty`)
  if (isLikeId(name)) throw new UsageError(`${where}: ${quote(name)} looks like an id; expected a name`)
  if (/\p{Cc}/u.test(name)) throw new UsageError(`${where}: ${quote(name)} holds control characters; expected a name`)
  if (name.length <= longestName) return name
  throw new UsageError(`${where}: ${quote(name)} is longer than ${longestName} characters`)
}
