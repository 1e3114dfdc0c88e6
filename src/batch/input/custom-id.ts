/** The `custom_id` of rows, by which users find their results. No two rows have the same. */

import { UsageError } from '../../errors.ts'
import { invalidValue } from '../../fields/problem.ts'
import { bareText, isObject, quote } from '../../io/json.ts'
import { NumberList } from './number-list.ts'
import type { InputItem, InputRecord } from '../row.ts'
import { hashNumber } from '../sha256.ts'

/**
 * The key or column `custom_id`, or else `line-N`.
 * @throws UsageError if it is neither a string nor a number.
 */
export function customIdOf({ line, value }: InputRecord, where: string): string {
  const id = isObject(value) && Object.hasOwn(value, 'custom_id') ? value.custom_id : undefined
  if (typeof id === 'number') return String(id)
  if (id === undefined || id === null || id === '') return lineId(line)
  if (typeof id === 'string') return bareText(id)
  throw invalidValue(`${where}, line ${line}`, { path: ['custom_id'], found: quote(id), expected: 'a string' })
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
        const id = 'value' in item ? customIdIfValid(item) : undefined
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
export function customIdIfValid(record: InputRecord): string | undefined {
  try {
    return customIdOf(record, '')
  } catch {
    return undefined
  }
}
