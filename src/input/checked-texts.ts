/** Reads texts twice, so that all of them are checked before the first request, and few are in memory. */

import { UsageError } from '../errors.ts'
import type { TextSource } from './texts.ts'

/** How much of pipes is kept, in bytes of UTF-16, with `textOverhead` for each text. */
const readAheadSize = 16 * 1024 * 1024
const textOverhead = 32

/** A source of which the start, or all, was checked. */
interface Checked {
  count: number
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
      const checked: Checked = { count: 0, kept: [], rest: reads }
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
    }
    this.isComplete = true
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
