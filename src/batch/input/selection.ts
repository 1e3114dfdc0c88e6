/** `--shard`, `--limit` and `--sample`: which records of the input are rows of this run. */

import { invalidValue } from '../../fields/problem.ts'
import { NumberList } from './number-list.ts'
import { hashNumber } from '../sha256.ts'
import type { InputItem } from '../row.ts'

/** One of `count` parts of the input. */
export interface Shard {
  /** From 1. */
  readonly index: number
  readonly count: number
}

/** At most one of `limit` and `sample`. They count the records of the shard. */
export interface SelectionOptions {
  readonly shard?: Shard | undefined
  /** The first records. */
  readonly limit?: number | undefined
  /** As many at random, in input order. */
  readonly sample?: number | undefined
  /** Another seed is another sample (default: 0). */
  readonly seed?: number | undefined
}

/** @param text `2/8` @throws UsageError */
export function parseShard(text: string): Shard {
  const [, index = NaN, count = NaN] = (/^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? []).map(Number)
  if (index >= 1 && index <= count) return { index, count }
  throw invalidValue('--shard', { path: [], found: JSON.stringify(text), expected: 'I/N, with I from 1 to N' })
}

export interface Selection {
  /**
   * Starts another pass over the input.
   * @param kept Lines of records that are selected in addition, in ascending order.
   * @returns which records of a block are selected, until `true` says that none follow.
   */
  start(
    kept: NumberList,
  ): (items: readonly InputItem[]) => { readonly selected: readonly InputItem[]; readonly isComplete: boolean }
}

/** @param read The input, read once if a sample is taken. */
export async function createSelection(
  { shard, limit, sample, seed = 0 }: SelectionOptions,
  read: () => AsyncIterable<readonly InputItem[]>,
): Promise<Selection> {
  const isInShard = (raw: string): boolean => !shard || hashNumber(raw) % shard.count === shard.index - 1
  // The same records are drawn wherever they stand: the sample is those with the lowest hashes.
  const keyOf = (raw: string): number => hashNumber(`${seed}\n${raw}`)
  const drawn = sample === undefined ? undefined : new LowestKeys(sample)
  if (drawn) {
    for await (const items of read()) {
      for (const item of items) if ('raw' in item && isInShard(item.raw)) drawn.add(keyOf(item.raw))
    }
  }
  const bound = drawn?.bound()
  const keepsBlanks = !shard && !drawn
  return {
    start(kept) {
      let keptBefore = 0
      let left = limit ?? Infinity
      let atBound = bound?.count ?? 0
      const isChosen = (item: InputItem): boolean => {
        if (!('raw' in item)) return keepsBlanks && left > 0
        if (left === 0 || !isInShard(item.raw)) return false
        if (bound) {
          const key = keyOf(item.raw)
          if (key > bound.key || (key === bound.key && atBound-- <= 0)) return false
        }
        left -= 1
        return true
      }
      const isSelected = (item: InputItem): boolean => {
        const isKept = kept.at(keptBefore) === item.line
        if (isKept) keptBefore += 1
        return isChosen(item) || isKept
      }
      if (keepsBlanks && limit === undefined) return (items) => ({ selected: items, isComplete: false })
      return (items) => ({ selected: items.filter(isSelected), isComplete: left === 0 && keptBefore === kept.length })
    },
  }
}

/** The lowest of any number of keys. About twice as many are held. */
class LowestKeys {
  readonly #size: number
  readonly #keys = new NumberList()
  #added = 0

  constructor(size: number) {
    this.#size = size
  }

  add(key: number): void {
    this.#added += 1
    this.#keys.push(key)
    if (this.#keys.length >= 2 * this.#size + 1024) this.#cut()
  }

  /** The highest of them, and how many have it; `undefined` if they are all. */
  bound(): { readonly key: number; readonly count: number } | undefined {
    if (this.#added <= this.#size) return undefined
    const keys = this.#cut()
    const key = keys.at(-1) ?? -1
    return { key, count: keys.length - keys.indexOf(key) }
  }

  #cut(): Float64Array {
    const lowest = this.#keys.sort().subarray(0, this.#size)
    this.#keys.length = lowest.length
    return lowest
  }
}
