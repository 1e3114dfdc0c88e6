/** Which block of a record is meant, and what is said where there is none. */

import { knownBlocks, quotaBlocks, type QuotaBlock } from '../api/quota.ts'
import { FailedError } from '../errors.ts'
import type { JsonObject } from '../io/json.ts'
import { nearest } from '../fields/nearest.ts'
import { harmlessName } from '../io/harmless.ts'

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
  throw new FailedError(`--block: the service tells nothing of ${name} (did you mean ${harmlessName(meant)}?)`)
}

/** Why there is nothing to show. */
export function nothingTold(record: JsonObject, name: string = defaultBlock): string {
  const names = quotaBlocks(record).map((one) => harmlessName(one.name))
  if (names.length === 0) return 'no subscription: the service tells of no quota'
  return `the service tells nothing of ${name}, only of ${names.join(', ')}`
}

/** Why it is unknown what is left. */
export function nothingKnown(record: JsonObject, name: string = defaultBlock): string {
  if (!chooseBlock(record, name)) return nothingTold(record, name)
  return `how much of ${name} is left is unknown: the service tells no limit`
}
