/** The `custom_id` of rows, by which users find their results. No two rows have the same. */

import { UsageError } from '../../errors.ts'
import { invalidValue } from '../../fields/problem.ts'
import { bareText, isObject, quote } from '../../io/json.ts'
import type { BatchInput } from './input.ts'
import { NumberList } from './number-list.ts'
import type { InputItem, InputRecord } from '../row.ts'
import { hashNumber } from '../sha256.ts'

/** A key or column with the ids of records. */
export type IdKey = 'custom_id' | 'id'

/**
 * The record's id, or else `line-N`.
 * @throws UsageError if it is neither a string nor a number.
 */
export function customIdOf({ line, value }: InputRecord, where: string, key: IdKey): string {
  const id = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  if (typeof id === 'number') return String(id)
  if (id === undefined || id === null || id === '') return lineId(line)
  if (typeof id === 'string') return bareText(id)
  throw invalidValue(`${where}, line ${line}`, { path: [key], found: quote(id), expected: 'a string' })
}

/** `id` if all records have one, all of them are different, and none has a `custom_id`. Of a pipe nobody knows. */
export async function findIdKey(input: Pick<BatchInput, 'isRepeatable' | 'read'>): Promise<IdKey> {
  if (!input.isRepeatable) return 'custom_id'
  const hashes = new NumberList()
  for await (const items of input.read()) {
    for (const item of items) {
      if ('isBlank' in item) continue
      if (!('value' in item) || !isObject(item.value) || Object.hasOwn(item.value, 'custom_id')) return 'custom_id'
      const id = customIdIfValid(item, 'id')
      if (id === undefined || id === lineId(item.line)) return 'custom_id'
      hashes.push(hashNumber(id))
    }
  }
  const sorted = hashes.sort()
  return sorted.some((hash, at) => hash === sorted[at - 1]) ? 'custom_id' : 'id'
}

/** The id of a row that has none. */
export function lineId(line: number): string {
  return `line-${line}`
}

/** Finds duplicates among any number of ids, of which it holds 8 bytes each. */
export class CustomIds {
  readonly #hashes = new NumberList()

  add(id: string): void {
    this.#hashes.push(hashNumber(id))
  }

  /**
   * The errors of rows whose id an earlier row has, by line.
   * @param read The records again. Called only if two ids may be equal.
   * @param where The document, for errors.
   */
  async duplicates(
    read: () => AsyncIterable<readonly InputItem[]>,
    where: string,
  ): Promise<ReadonlyMap<number, UsageError>> {
    const hashes = this.#hashes.sort()
    const twice = new Set<number>()
    for (let at = 1; at < hashes.length; at++) {
      const hash = hashes[at] ?? 0
      if (hash === hashes[at - 1]) twice.add(hash)
    }
    const errors = new Map<number, UsageError>()
    if (twice.size === 0) return errors
    const lines = new Map<string, number>()
    for await (const items of read()) {
      for (const item of items) {
        const id = 'value' in item ? customIdIfValid(item, 'custom_id') : undefined
        if (id === undefined || !twice.has(hashNumber(id))) continue
        const first = lines.get(id)
        if (first === undefined) lines.set(id, item.line)
        else errors.set(item.line, duplicate(id, `${where}, line ${item.line}`, first))
      }
    }
    return errors
  }
}

function duplicate(id: string, where: string, first: number): UsageError {
  return new UsageError(`${where}: the custom_id ${quote(id)} is that of line ${first} already`)
}

/** @returns `undefined` if it is neither a string nor a number. */
export function customIdIfValid(record: InputRecord, key: IdKey): string | undefined {
  try {
    return customIdOf(record, '', key)
  } catch {
    return undefined
  }
}
