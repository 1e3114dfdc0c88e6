/** The `custom_id` of rows, by which users find their results. No two rows have the same. */

import { UsageError } from '../../errors.ts'
import { invalidValue } from '../../fields/problem.ts'
import { isObject } from '../../io/json/json.ts'
import { bareText, quote } from '../../io/json/print.ts'
import type { BatchInput } from './input.ts'
import { type InputRecord, valueAt } from '../../input/records.ts'
import { hashNumber } from '../sha256.ts'

/** A key or column with the ids of records. For files it is their path. */
export type IdKey = 'custom_id' | 'id' | 'path'

/** The record's id, or else `line-N`. @throws UsageError if it is neither a string nor a number. */
export function customIdOf(record: InputRecord, where: string, key: IdKey): string {
  const id = customIdIfValid(record, key)
  if (id !== undefined) return id
  const found = quote(valueAt(record.value, key, [key]))
  throw invalidValue(`${where}, line ${record.line}`, { path: [key], found, expected: 'a string' })
}

/** @returns `undefined` if it is neither a string nor a number. */
export function customIdIfValid({ line, value }: InputRecord, key: IdKey): string | undefined {
  const id = valueAt(value, key, [key])
  if (id === undefined || id === null || id === '') return lineId(line)
  if (typeof id === 'number') return String(id)
  return typeof id === 'string' ? bareText(id) : undefined
}

/** `id` if all records have one, all of them are different, and none has a `custom_id`. Of a pipe nobody knows. */
export async function findIdKey(input: Pick<BatchInput, 'format' | 'isRepeatable' | 'read'>): Promise<IdKey> {
  if (input.format === 'files') return 'path'
  if (!input.isRepeatable) return 'custom_id'
  const hashes: number[] = []
  for await (const items of input.read()) {
    for (const item of items) {
      if ('isBlank' in item) continue
      if ('error' in item || !isObject(item.value) || Object.hasOwn(item.value, 'custom_id')) return 'custom_id'
      const id = customIdIfValid(item, 'id')
      if (id === undefined || id === lineId(item.line)) return 'custom_id'
      hashes.push(hashNumber(id))
    }
  }
  return repeatedIn(hashes).size > 0 ? 'custom_id' : 'id'
}

/** How many ids are remembered: a pipe may never end. */
const maxIds = 1_000_000

/** The id of a row that has none. */
export function lineId(line: number): string {
  return `line-${line}`
}

/** The numbers that are there more than once. Of a million, a set of all takes 30 MiB more. */
export function repeatedIn(numbers: readonly number[]): ReadonlySet<number> {
  return new Set(
    Float64Array.from(numbers)
      .sort()
      .filter((number, at, sorted) => number === sorted[at - 1]),
  )
}

/** A row has the id of an earlier one: nobody could tell their results apart. */
export class RepeatedIdError extends UsageError {}

/** Takes the id of each row, with the document, for the error. @throws RepeatedIdError for one that comes twice. */
export type CheckId = (id: string, line: number, where: string) => void

/** @param repeated The hashes that several ids have (default: any may). Ids with others need no memory. */
export function createIdCheck(repeated?: ReadonlySet<number>): CheckId {
  /**
   * The lines of ids that may come twice, by id. Of a pipe, where any may, by its hash: a million take 47 MiB, names of 36
   * characters 85. Two names of a million have the same hash in one of 10,000 inputs.
   */
  const lines = new Map<string | number, number>()
  return (id, line, where) => {
    if (repeated?.size === 0) return
    const hash = hashNumber(id)
    if (repeated?.has(hash) === false) return
    const key = repeated ? id : hash
    const first = lines.get(key)
    if (first !== undefined) {
      throw new RepeatedIdError(`${where}, line ${line}: the custom_id ${quote(id)} is that of line ${first} already`)
    }
    if (repeated || lines.size < maxIds) lines.set(key, line)
  }
}
