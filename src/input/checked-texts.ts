/** Reads texts twice, so that all of them are checked before the first request, and few are in memory. */

import { UsageError } from '../errors.ts'
import type { TextSource } from './texts.ts'

/** How much of pipes is kept, in bytes of UTF-16, with `textOverhead` for each text. */
const readAheadSize = 16 * 1024 * 1024
const textOverhead = 32

/** A source of which the start, or all, was checked. */
interface Checked {
  count: number
  /** Whether its end was reached. */
  isWhole: boolean
  /** Those of a source that cannot be read again. */
  readonly kept: (readonly string[])[]
  /** The texts behind those. */
  readonly rest: AsyncIterator<readonly string[]>
}

export class CheckedTexts {
  readonly #sources: readonly TextSource[]
  readonly #checked = new Map<TextSource, Checked>()
  /** Whether `check` has reached the end of all sources. */
  isComplete = false

  constructor(sources: readonly TextSource[]) {
    this.#sources = sources
  }

  /**
   * Yields the texts up to 16 MiB of pipes. What is behind them is checked while it is sent: a pipe may never end.
   * @throws UsageError as the sources do.
   */
  async *check(): AsyncGenerator<readonly string[], void, undefined> {
    let keptSize = 0
    for (const source of this.#sources) {
      const reads = source.read()[Symbol.asyncIterator]()
      const checked: Checked = { count: 0, isWhole: false, kept: [], rest: reads }
      this.#checked.set(source, checked)
      for (let next = await reads.next(); !next.done; next = await reads.next()) {
        const texts = next.value
        checked.count += texts.length
        yield texts
        if (source.isRepeatable) continue
        checked.kept.push(texts)
        for (const text of texts) keptSize += 2 * text.length + textOverhead
        if (keptSize >= readAheadSize) return
      }
      checked.isWhole = true
    }
    this.isComplete = true
  }

  /** Where texts came from: `--file a.txt, lines 65 to 128`. @param first Index among those of all sources. */
  placeOf(first: number, count: number): string {
    const start = this.#locate(first)
    const end = this.#locate(first + count - 1)
    const name = (unit: string, where: string): string => (where === '' ? unit : `${where}, ${unit}`)
    if (count === 1) return name(`${start.unit} ${start.number}`, start.where)
    if (start.where === end.where) return name(`${start.unit}s ${start.number} to ${end.number}`, start.where)
    return `${name(`${start.unit} ${start.number}`, start.where)}, to ${name(`${end.unit} ${end.number}`, end.where)}`
  }

  /** The number counts from 1 in its source. */
  #locate(index: number): { where: string; unit: TextSource['unit']; number: number } {
    let before = 0
    for (const source of this.#sources) {
      const { count = 0, isWhole = false } = this.#checked.get(source) ?? {}
      if (index < before + count || !isWhole) return { ...source, number: index - before + 1 }
      before += count
    }
    return { where: '', unit: 'text', number: index + 1 }
  }

  /**
   * Yields all texts, once after `check`.
   * @throws UsageError as the sources do, also for a file that has fewer texts than before.
   */
  async *read(): AsyncGenerator<readonly string[], void, undefined> {
    for (const source of this.#sources) {
      const checked = this.#checked.get(source)
      if (!checked) yield* source.read()
      else if (source.isRepeatable) yield* readAgain(source, checked.count)
      else {
        // What was sent need not be kept.
        for (let texts = checked.kept.shift(); texts; texts = checked.kept.shift()) yield texts
        yield* { [Symbol.asyncIterator]: () => checked.rest }
      }
    }
  }
}

/** Without texts that were added to the file since. */
async function* readAgain(source: TextSource, count: number): AsyncGenerator<readonly string[], void, undefined> {
  let left = count
  if (left === 0) return
  for await (const texts of source.read()) {
    yield texts.slice(0, left)
    left -= texts.length
    if (left <= 0) return
  }
  throw new UsageError(`${source.where}: changed while it was read`)
}
