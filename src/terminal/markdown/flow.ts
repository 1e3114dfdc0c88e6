/** Flowing text: words, put on lines as wide as there is room. */

import { widthOf } from '../width.ts'
import { lastOf, mayBreakBetween, unbreakable } from './breaks.ts'
import { lineBreak, painted, type Appearance, type Run } from './run.ts'

/** Where lines go, one after the other. */
export interface Lines {
  /** Begins a line. @returns how many columns there are on it. */
  begin(): number
  write(text: string): void
  end(): void
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export class Flow {
  readonly #lines: Lines
  /** Columns left on the line; with none begun, undefined. */
  #left: number | undefined
  #isLineEmpty = true
  /** The space that stands before the next word, unless that begins a line. */
  #gap: Appearance | undefined
  /** What must stay together, so far. */
  #word: Run[] = []
  /** What is on the line but not written yet. */
  #line: Run[] = []

  constructor(lines: Lines) {
    this.#lines = lines
  }

  /** Words that are whole: what is added next begins another word, after a space if `space` is called before. */
  add(runs: readonly Run[]): void {
    for (const { text, appearance } of runs) {
      for (const part of text.split(/([ \t]+|\n)/)) {
        if (part === '') continue
        if (part === lineBreak) this.#break()
        else if (/^[ \t]/.test(part)) this.space(appearance)
        else this.#addWord(part, appearance)
      }
    }
    this.#place()
    this.#write()
  }

  space(appearance: Appearance): void {
    this.#place()
    this.#gap = appearance
  }

  /** What isn't wrapped, however long it is, nor loses spaces. */
  addWhole({ text, appearance }: Run): void {
    this.#place()
    const width = widthOf(text)
    this.#makeRoom(width)
    this.#put({ text, appearance }, width)
    this.#write()
  }

  /** Ends the line. */
  end(): void {
    this.#place()
    this.#write()
    if (this.#left !== undefined) this.#lines.end()
    this.#left = undefined
    this.#gap = undefined
  }

  #addWord(text: string, appearance: Appearance): void {
    for (const part of unbreakable(text)) {
      const before = lastOf(this.#word.at(-1)?.text ?? '')
      if (before !== '' && mayBreakBetween(before, String.fromCodePoint(part.codePointAt(0) ?? 0))) this.#place()
      this.#word.push({ text: part, appearance })
    }
  }

  #place(): void {
    const word = this.#word
    if (word.length === 0) return
    this.#word = []
    const width = widthOf(word.map(({ text }) => text).join(''))
    this.#makeRoom(width)
    if (width <= (this.#left ?? 0)) {
      for (const run of word) this.#put(run, 0)
      this.#left = (this.#left ?? 0) - width
    } else this.#placeBroken(word)
  }

  /** Puts the gap before so many columns, or begins a line for them where the line has no room. */
  #makeRoom(width: number): void {
    const left = this.#left ?? this.#begin()
    const gap = this.#isLineEmpty ? undefined : this.#gap
    this.#gap = undefined
    if (!this.#isLineEmpty && width + (gap ? 1 : 0) > left) this.#wrap()
    else if (gap) this.#put({ text: ' ', appearance: gap }, 1)
  }

  /** A word longer than a line fills as many as it needs. */
  #placeBroken(word: readonly Run[]): void {
    for (const { text, appearance } of word) {
      for (const { segment } of graphemes.segment(text)) {
        const width = widthOf(segment)
        if (width > (this.#left ?? 0) && !this.#isLineEmpty) this.#wrap()
        this.#put({ text: segment, appearance }, width)
      }
    }
  }

  #put(run: Run, width: number): void {
    this.#line.push(run)
    this.#isLineEmpty = false
    this.#left = (this.#left ?? 0) - width
  }

  #begin(): number {
    this.#left = this.#lines.begin()
    this.#isLineEmpty = true
    return this.#left
  }

  /** Ends the line where the text says so, also an empty one. */
  #break(): void {
    this.#place()
    if (this.#left === undefined) this.#begin()
    this.end()
  }

  #wrap(): void {
    this.#write()
    this.#lines.end()
    this.#begin()
  }

  #write(): void {
    if (this.#line.length > 0) this.#lines.write(painted(this.#line))
    this.#line = []
  }
}

/** The same as lines of their own, for a cell of a table. */
export function wrapped(runs: readonly Run[], width: number): string[] {
  const lines: string[] = []
  const flow = new Flow({
    begin: () => (lines.push(''), width),
    write: (text) => void (lines[lines.length - 1] += text),
    end: () => undefined,
  })
  flow.add(runs)
  flow.end()
  return lines
}
