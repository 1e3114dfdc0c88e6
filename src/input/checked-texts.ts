/** Reads texts twice, so that all of them are checked before the first request, and few are in memory. */

import { UsageError } from '../errors.ts'
import { Replay } from '../io/text/lines.ts'
import type { TextSource } from './texts.ts'

/** How much of pipes is kept, in bytes of UTF-16, with `textOverhead` for each text. */
const readAheadSize = 16 * 1024 * 1024
const textOverhead = 32

/** A source of which the start, or all, was checked. */
interface CheckedSource {
  readonly source: TextSource
  /** Of one that cannot be read again. */
  readonly texts: Replay<readonly string[]>
  count: number
  /** Whether its end was reached. */
  isWhole: boolean
}

export class CheckedTexts {
  readonly #sources: readonly CheckedSource[]

  constructor(sources: readonly TextSource[]) {
    this.#sources = sources.map((source) => ({ source, texts: new Replay(source.read()), count: 0, isWhole: false }))
  }

  /** Whether `check` has reached the end of all sources. */
  get isComplete(): boolean {
    return this.#sources.every(({ isWhole }) => isWhole)
  }

  /**
   * Yields the texts up to 16 MiB of pipes. What is behind them is checked while it is sent: a pipe may never end.
   * @throws UsageError as the sources do.
   */
  async *check(): AsyncGenerator<readonly string[], void, undefined> {
    let keptSize = 0
    for (const checked of this.#sources) {
      const { source } = checked
      for await (const texts of source.isRepeatable ? source.read() : checked.texts.start()) {
        checked.count += texts.length
        yield texts
        if (source.isRepeatable) continue
        for (const text of texts) keptSize += 2 * text.length + textOverhead
        if (keptSize >= readAheadSize) return
      }
      checked.isWhole = true
    }
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
    for (const { source, count, isWhole } of this.#sources) {
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
    for (const { source, texts, count, isWhole } of this.#sources) {
      yield* isWhole && source.isRepeatable ? readAgain(source, count) : texts.all()
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
