/** Wraps text between words: a whole text, or one that arrives. */

import type { Sink } from '../io/io.ts'
import { asSafeText, type SafeText } from '../io/text/safe-text.ts'
import { unbreakable } from './markdown/breaks.ts'
import { collecting, LineBreaker, plain } from './markdown/line-printer.ts'
import { previousBoundary } from './graphemes.ts'
import type { TextFilter } from './text-filter.ts'
import { longestWrapped } from './wrap-words.ts'

/** Wraps unstyled text, and keeps the spaces between words. Longer words are broken, but not the addresses in it. */
export function wrapTo(text: SafeText, columns: number): SafeText[] {
  if (text.length > longestWrapped) return [text]
  const lines: string[] = []
  const breaker = new LineBreaker(collecting(lines, Math.max(1, columns)))
  for (const part of text.split(/([ \t]+)/)) {
    const run = { text: part, appearance: plain }
    if (/^[ \t]/.test(part)) breaker.space(run)
    else breaker.add([run])
  }
  breaker.end()
  return lines.length === 0 ? [text] : lines.map(asSafeText)
}

/** In characters: the start of a longer word is written before its end arrives. To hold it back would be O(n²). */
const longestWord = 2000

export class WordWrap implements TextFilter<SafeText> {
  readonly loading = undefined
  readonly #breaker: LineBreaker
  #written = ''
  /** Whitespace before the word, written only if there is one on the line. */
  #gap = ''
  /** The word being received, which the next text may continue. */
  #word = ''

  constructor(sink: Pick<Sink, 'columns'>) {
    this.#breaker = new LineBreaker({
      begin: () => sink.columns(),
      write: (text) => void (this.#written += text),
      end: () => void (this.#written += '\n'),
      get terminalColumns() {
        return sink.columns()
      },
    })
  }

  push(text: SafeText): SafeText {
    for (const part of text.split(/(\n|[ \t]+)/)) {
      if (!/^\s/.test(part)) this.#word += part
      else {
        this.#place(false)
        this.#gap += part
      }
      if (part !== '\n') continue
      this.#breaker.break()
      this.#gap = ''
    }
    this.#place(true)
    return this.#take()
  }

  end(): SafeText {
    this.#place(false)
    return this.#take()
  }

  #take(): SafeText {
    const written = asSafeText(this.#written)
    this.#written = ''
    return written
  }

  /** @param isOpen Whether the last part is held back, because the next text may continue it. */
  #place(isOpen: boolean): void {
    const parts = unbreakable(this.#word, isOpen)
    this.#word = isOpen ? (parts.pop() ?? '') : ''
    for (const part of parts) this.#put(part)
    if (this.#word.length <= longestWord) return
    // But for its last character, which may still get an accent.
    const end = previousBoundary(this.#word, this.#word.length)
    this.#put(this.#word.slice(0, end), true)
    this.#word = this.#word.slice(end)
  }

  /** A word longer than a line is left to the terminal to break. */
  #put(text: string, isCut = false): void {
    if (text === '') return
    const gap = { text: this.#gap, appearance: plain }
    this.#gap = ''
    if (gap.text !== '' && this.#breaker.isAtLineStart) this.#breaker.addUnwrapped(gap, true)
    else if (gap.text !== '') this.#breaker.space(gap)
    this.#breaker.addUnwrapped({ text, appearance: plain }, isCut)
  }
}
