/** Cuts a line of prose, as it arrives, into chunks that mean the same whatever follows. */

import { codePointAt, lastOf, mayBreakBetween } from './breaks.ts'
import { delimiterAt, mayPair, nameEnd, type Delimiter } from './delimiters.ts'
import { angledAddressEnd } from './links.ts'
import { displayEnd, displayOpener, lineBreakEnd, spanEnd } from './spans.ts'

interface ProseReader {
  /** A word, or several where a mark held them together. */
  chunk(text: string): void
  /** White space. */
  gap(): void
  /** A line of a formula, or the part of it that is on the line. */
  verbatim(text: string): void
}

/** A mark that is not closed within so many characters is text, and a word of twice as many is cut: work stays linear. */
const longestHold = 2000
const longestRun = 500

export class Prose {
  readonly #reader: ProseReader
  readonly #marks = new OpenMarks()
  /** Text that was not passed on yet. */
  #held = ''
  /** How far it was looked at. */
  #at = 0
  /** Where the chunk begins that is being looked at. */
  #start = 0
  /** Whether a part of the line was passed on. */
  #isBegun = false
  /** The opening delimiter of a formula that continues in the next line. */
  #formula: string | undefined

  constructor(reader: ProseReader) {
    this.#reader = reader
  }

  get isInFormula(): boolean {
    return this.#formula !== undefined
  }

  /** @param text Part of a line, without its line feed; of a formula, the line. */
  feed(text: string): void {
    this.#held += this.#formula === undefined ? text : this.#afterFormula(text, this.#formula)
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
    this.#isBegun = false
    this.#marks.clear()
    return hasBackslash ? '\\' : ''
  }

  #scan(isEnd: boolean): void {
    while (this.#at < this.#held.length) {
      if (this.#at - this.#start >= longestHold) this.#marks.clear()
      if (this.#at - this.#start >= 2 * longestHold) this.#cut()
      const used = this.#step(isEnd)
      if (used === 0) return
      this.#at += used
    }
  }

  /** @returns how many characters were read: 0 when it depends on what follows. */
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
      case '`':
      case '$':
        return this.#stepSpan(character, isEnd)
      case '<':
        return this.#stepAngle(isEnd)
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
        // Half of a surrogate pair.
        if (isLast && character.length === 1 && /^[\ud800-\udbff]/.test(character)) return 0
        if (this.#marks.areNone && mayBreakBetween(this.#before(), character)) this.#cut()
        return character.length
    }
  }

  #stepSpan(character: string, isEnd: boolean): number {
    const end = spanEnd(this.#held, this.#at, isEnd)
    if (end === -1 && isEnd && this.#beginsFormula()) return this.#formulaLine()
    const isEscape = character === '\\' && /^[!-/:-@[-`{-~]$/.test(this.#held.charAt(this.#at + 1))
    return this.#usedUntil(end, isEscape ? 2 : this.#runLength(character))
  }

  #stepAngle(isEnd: boolean): number {
    const end = lineBreakEnd(this.#held, this.#at, isEnd)
    return this.#usedUntil(end === -1 ? angledAddressEnd(this.#held, this.#at, isEnd) : end, 1)
  }

  /** @param end Where the span ends; -1 for none. @param otherwise How many characters are read then. */
  #usedUntil(end: number | undefined, otherwise: number): number {
    if (end === undefined) return 0
    return end === -1 ? otherwise : end - this.#at
  }

  #stepRun(character: string, isEnd: boolean): number {
    const length = this.#runLength(character)
    if (character === '_' && length === 2) {
      const end = nameEnd(this.#held, this.#at, isEnd)
      if (end !== -1) return this.#usedUntil(end, 0)
    }
    const run = delimiterAt(this.#held, this.#start, this.#at, length, isEnd || length >= longestRun)
    if (!run) return 0
    this.#marks.addRun(run)
    return length
  }

  #runLength(character: string): number {
    let end = this.#at + 1
    while (this.#held.charAt(end) === character && end - this.#at < longestRun) end++
    return end - this.#at
  }

  /** Whether the rest of the line begins a formula of several lines: the delimiter begins or ends the line. */
  #beginsFormula(): boolean {
    const opener = displayOpener(this.#held, this.#at)
    if (opener === undefined) return false
    const isFirst = this.#at === this.#start && !this.#isBegun
    return isFirst || this.#held.slice(this.#at + opener.length).trim() === ''
  }

  /** @returns the length of the line's rest. */
  #formulaLine(): number {
    this.#cut()
    this.#formula = displayOpener(this.#held, this.#at)
    const rest = this.#held.slice(this.#at)
    this.#reader.verbatim(rest.trimEnd())
    this.#start = this.#held.length
    return rest.length
  }

  /** @returns what follows the formula on its last line. */
  #afterFormula(line: string, opener: string): string {
    const end = displayEnd(line, opener)
    this.#reader.verbatim(end === -1 ? line.trimEnd() : line.slice(0, end))
    if (end === -1) return ''
    this.#formula = undefined
    this.#isBegun = true
    return line.slice(end)
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
    if (this.#at > this.#start) {
      this.#reader.chunk(this.#held.slice(this.#start, this.#at))
      this.#isBegun = true
    }
    this.#start = this.#at
  }
}

interface Mark {
  /** `*`, `_`, `~`, `[`, or `(` for the target of a link. */
  readonly character: string
  /** What was written, unless it is a bracket. */
  readonly run?: Delimiter
  left: number
}

/**
 * The marks that a line has opened and not closed yet: while there are any, what follows may still turn out to be emphasized,
 * struck or the text of a link. Only an estimate: where it is wrong, text is held longer or shorter than it need be.
 */
class OpenMarks {
  #marks: Mark[] = []

  get areNone(): boolean {
    return this.#marks.length === 0
  }

  clear(): void {
    this.#marks = []
  }

  /** A run of `*`, `_` or `~`. */
  addRun(run: Delimiter): void {
    const left = run.closes ? this.#close(run) : run.length
    if (run.opens && left > 0) this.#marks.push({ character: run.character, run, left })
  }

  /** @returns how many of it closed nothing. */
  #close(run: Delimiter): number {
    let left = run.length
    for (let opener = this.#opener(run); opener?.run && left > 0; opener = this.#opener(run)) {
      const at = this.#marks.indexOf(opener)
      const used = Math.min(left, opener.left, 2)
      left -= used
      opener.left -= used
      this.#marks.length = at + (opener.left > 0 ? 1 : 0)
    }
    return left
  }

  /**
   * A bracket or a parenthesis.
   * @param after the character that follows.
   * @returns how many characters that was: `](` is one mark.
   */
  addBracket(character: string, after: string): 1 | 2 {
    const isInTarget = this.#marks.at(-1)?.character === '('
    if (isInTarget) {
      if (character === '(') this.#marks.push({ character, left: 1 })
      if (character === ')') this.#marks.pop()
      return 1
    }
    if (character === '[') this.#marks.push({ character, left: 1 })
    if (character !== ']') return 1
    const bracket = this.#lastBracket()
    if (bracket === -1) return 1
    this.#marks.length = bracket
    if (after !== '(') return 1
    this.#marks.push({ character: after, left: 1 })
    return 2
  }

  #lastBracket(): number {
    return this.#marks.findLastIndex((mark) => mark.character === '[')
  }

  /** Emphasis never closes across the edge of a bracket. */
  #opener(closer: Delimiter): Mark | undefined {
    const edge = this.#lastBracket()
    return this.#marks.findLast(({ run }, at) => at > edge && run && mayPair(run, closer))
  }
}
