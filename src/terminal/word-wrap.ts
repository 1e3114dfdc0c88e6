/** Text as it is but for its lines, which are broken between words as they arrive. */

import type { Sink } from '../io/io.ts'
import { unbreakable } from './markdown/breaks.ts'
import { widthOf } from './width.ts'
import type { TextFilter } from './text-filter.ts'

export class WordWrap implements TextFilter {
  readonly loading = undefined
  readonly #sink: Pick<Sink, 'columns'>
  /** Columns that are taken of the line. */
  #used = 0
  /** White space before the word. */
  #gap = ''
  /** May go on with the next text. */
  #word = ''

  constructor(sink: Pick<Sink, 'columns'>) {
    this.#sink = sink
  }

  push(text: string): string {
    let shown = ''
    for (const part of text.split(/(\n|[ \t]+)/)) {
      if (part === '\n') shown += `${this.end()}\n`
      else if (/^[ \t]/.test(part)) {
        shown += this.#place()
        this.#gap += part
      } else this.#word += part
    }
    return shown + this.#place({ isOpen: true })
  }

  end(): string {
    const shown = this.#place()
    this.#gap = ''
    this.#used = 0
    return shown
  }

  /** @param options With `isOpen`, the last part stays: more may follow that belongs to it. */
  #place({ isOpen = false } = {}): string {
    const parts = unbreakable(this.#word)
    this.#word = isOpen ? (parts.pop() ?? '') : ''
    return parts.map((part) => (part === '' ? '' : this.#put(part))).join('')
  }

  /** A word that is longer than a line is left to the terminal. */
  #put(word: string): string {
    const columns = this.#sink.columns()
    const gap = this.#gap
    const width = widthOf(word)
    const isTooWide = this.#used > 0 && this.#used + widthOf(gap) + width > columns
    this.#gap = ''
    this.#used = isTooWide ? width : this.#used + widthOf(gap) + width
    if (this.#used > columns) this.#used %= columns
    return (isTooWide ? '\n' : gap) + word
  }
}
