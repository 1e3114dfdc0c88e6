/** `--shard`, `--limit` and `--sample`: which records of the input are rows of this run. */

import { hashNumber } from '../sha256.ts'
import type { InputItem } from '../../input/records.ts'

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

/** @param kept Lines of records that are selected in addition, in ascending order. */
type Select = (
  blocks: AsyncIterable<readonly InputItem[]>,
  kept: readonly number[],
) => AsyncIterable<readonly InputItem[]>

/**
 * @param read The input, read once if a sample is taken.
 * @returns what selects the records of a pass over the input. It ends after the last one.
 */
export async function createSelection(
  { shard, limit, sample, seed = 0 }: SelectionOptions,
  read: () => AsyncIterable<readonly InputItem[]>,
): Promise<Select> {
  if (!shard && limit === undefined && sample === undefined) return (blocks) => blocks
  const isInShard = (raw: string): boolean => !shard || hashNumber(raw) % shard.count === shard.index - 1
  // The same records are drawn wherever they stand: the sample is those with the lowest hashes.
  const keyOf = (raw: string): number => hashNumber(`${seed}\n${raw}`)
  const keys: number[] = []
  if (sample !== undefined) {
    for await (const items of read()) {
      for (const item of items) if ('raw' in item && isInShard(item.raw)) keys.push(keyOf(item.raw))
    }
  }
  const lowest = Float64Array.from(keys).sort().subarray(0, sample)
  const highestKey = sample === undefined ? Infinity : (lowest.at(-1) ?? -1)
  const countOfHighest = lowest.length - lowest.indexOf(highestKey)
  return async function* (blocks, kept) {
    let keptBefore = 0
    let left = limit ?? Infinity
    let leftOfHighest = countOfHighest
    const isChosen = (item: InputItem): boolean => {
      if (!('raw' in item)) return !shard && sample === undefined && left > 0
      if (left === 0 || !isInShard(item.raw)) return false
      const key = sample === undefined ? -1 : keyOf(item.raw)
      if (key > highestKey || (key === highestKey && leftOfHighest-- <= 0)) return false
      left -= 1
      return true
    }
    for await (const items of blocks) {
      const selected = items.filter((item) => {
        const isKept = kept[keptBefore] === item.line
        if (isKept) keptBefore += 1
        return isChosen(item) || isKept
      })
      if (selected.length > 0) yield selected
      if (left === 0 && keptBefore === kept.length) return
    }
  }
}
