/** Cuts a line of prose, as it arrives, into chunks that mean the same whatever follows. */

import { codePointAt, lastOf, mayBreakBetween } from './breaks.ts'
import { OpenMarks } from './open-marks.ts'

export interface ProseReader {
  /** A word, or several where a mark held them together. */
  chunk(text: string): void
  /** White space. */
  gap(): void
}

/** After so many characters nobody closes a mark any more, and after twice as many a word may be cut: lexing stays cheap. */
const longestHold = 2000
const longestRun = 500

export class Prose {
  readonly #reader: ProseReader
  readonly #marks = new OpenMarks()
  /** Text that was not handed on yet. */
  #held = ''
  /** How far it was looked at. */
  #at = 0
  /** Where the chunk begins that is being looked at. */
  #start = 0
  /** Number of backticks that opened a code span; 0 outside of one. */
  #codeMark = 0

  constructor(reader: ProseReader) {
    this.#reader = reader
  }

  /** @param text Part of a line, without its line feed. */
  feed(text: string): void {
    this.#held += text
    this.#scan(false)
    this.#held = this.#held.slice(this.#start)
    this.#at -= this.#start
    this.#start = 0
  }

  /** @returns the backslash at its end, or nothing. */
  endLine(): string {
    this.#scan(true)
    const rest = this.#held.slice(this.#start)
    const hasBackslash = /(?<!\\)(\\\\)*\\$/.test(rest.slice(-longestRun))
    const chunk = hasBackslash ? rest.slice(0, -1) : rest.trimEnd()
    if (chunk !== '') this.#reader.chunk(chunk)
    this.#held = ''
    this.#at = 0
    this.#start = 0
    this.#release()
    return hasBackslash ? '\\' : ''
  }

  #scan(isEnd: boolean): void {
    while (this.#at < this.#held.length) {
      if (this.#at - this.#start >= longestHold) this.#release()
      if (this.#at - this.#start >= 2 * longestHold) this.#cut()
      const used = this.#codeMark > 0 ? this.#stepInCode(isEnd) : this.#step(isEnd)
      if (used === 0) return
      this.#at += used
    }
  }

  /** @returns how many characters were understood: 0 when it depends on what follows. */
  #step(isEnd: boolean): number {
    const character = codePointAt(this.#held, this.#at)
    const next = this.#held.charAt(this.#at + character.length)
    const isLast = next === '' && !isEnd
    switch (character) {
      case ' ':
      case '\t':
        if (this.#marks.areNone) this.#space()
        return 1
      case '\\':
        if (isLast) return 0
        return /^[!-/:-@[-`{-~]/.test(next) ? 2 : 1
      case '`':
      case '*':
      case '_':
      case '~':
        return this.#stepRun(character, isEnd)
      case '[':
      case ']':
      case '(':
      case ')':
        return isLast ? 0 : this.#marks.addBracket(character, next)
      default:
        // Half of a character that lies beyond the first plane.
        if (isLast && character.length === 1 && /^[\ud800-\udbff]/.test(character)) return 0
        if (this.#marks.areNone && mayBreakBetween(this.#before(), character)) this.#cut()
        return character.length
    }
  }

  #stepRun(character: string, isEnd: boolean): number {
    const length = this.#runLength(character)
    const next = codePointAt(this.#held, this.#at + length)
    if (length < longestRun && !isEnd && (next === '' || /^[\ud800-\udbff]$/.test(next))) return 0
    if (character === '`') this.#codeMark = length
    // One tilde means about.
    else if (character !== '~' || length === 2) this.#marks.addRun(character, length, this.#before(), next)
    return length
  }

  #stepInCode(isEnd: boolean): number {
    const length = this.#runLength('`')
    if (length === 0) return 1
    if (length < longestRun && this.#at + length === this.#held.length && !isEnd) return 0
    if (length === this.#codeMark) this.#codeMark = 0
    return length
  }

  #runLength(character: string): number {
    let end = this.#at
    while (this.#held.charAt(end) === character && end - this.#at < longestRun) end++
    return end - this.#at
  }

  /** The code point before; empty at the beginning of a chunk. */
  #before(): string {
    return lastOf(this.#held.slice(Math.max(this.#start, this.#at - 2), this.#at))
  }

  #space(): void {
    this.#cut()
    this.#start++
    this.#reader.gap()
  }

  #cut(): void {
    if (this.#at > this.#start) this.#reader.chunk(this.#held.slice(this.#start, this.#at))
    this.#start = this.#at
  }

  /** Lets go of what is held: it is shown literally. */
  #release(): void {
    this.#marks.clear()
    this.#codeMark = 0
  }
}
