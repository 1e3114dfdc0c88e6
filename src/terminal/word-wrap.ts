/** Wraps text between words, as it arrives. */

import type { Sink } from '../io/io.ts'
import { asSafeText, type SafeText } from '../io/safe-text.ts'
import { unbreakable } from './markdown/breaks.ts'
import { previousBoundary } from './graphemes.ts'
import { columnAfter, widthOf } from './width.ts'
import type { TextFilter } from './text-filter.ts'

/** In characters: the start of a longer word is written before its end arrives. To hold it back would be O(n²). */
const longestHeld = 2000

export class WordWrap implements TextFilter<SafeText> {
  readonly loading = undefined
  readonly #sink: Pick<Sink, 'columns'>
  /** Columns used on the current line. */
  #used = 0
  /** Whitespace after the last word, written only if another word follows on the line. */
  #gap = ''
  /** The word being received, which the next text may continue. */
  #word = ''
  /** Whether its start is written. */
  #isInWord = false

  constructor(sink: Pick<Sink, 'columns'>) {
    this.#sink = sink
  }

  push(text: SafeText): SafeText {
    let shown = ''
    for (const part of text.split(/(\n|[ \t]+)/)) {
      if (part === '\n') shown += `${this.end()}\n`
      else if (/^[ \t]/.test(part)) {
        shown += this.#place()
        this.#gap += part
      } else this.#word += part
    }
    return asSafeText(shown + this.#place({ isOpen: true }))
  }

  end(): SafeText {
    const shown = this.#place()
    this.#gap = ''
    this.#used = 0
    return asSafeText(shown)
  }

  /** @param options With `isOpen`, the last part is held back, because the next text may continue it. */
  #place({ isOpen = false } = {}): string {
    const parts = unbreakable(this.#word)
    this.#word = isOpen ? (parts.pop() ?? '') : ''
    const shown = parts.map((part) => (part === '' ? '' : this.#put(part))).join('')
    return this.#word.length > longestHeld ? shown + this.#putStart() : shown
  }

  /** Writes the word but for its last character, which may still get an accent. */
  #putStart(): string {
    const end = previousBoundary(this.#word, this.#word.length)
    const shown = this.#put(this.#word.slice(0, end))
    this.#word = this.#word.slice(end)
    this.#isInWord = true
    return shown
  }

  /** A word longer than a line is left to the terminal to break. */
  #put(word: string): string {
    const columns = this.#sink.columns()
    const gap = this.#gap
    const start = this.#used + widthOf(gap)
    const isTooWide = !this.#isInWord && this.#used > 0 && start + widthOf(word) > columns
    this.#gap = ''
    this.#isInWord = false
    this.#used = columnAfter(word, isTooWide ? 0 : start, columns)
    return (isTooWide ? '\n' : gap) + word
  }
}
