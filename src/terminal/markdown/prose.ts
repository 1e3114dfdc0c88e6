/** Cuts a line of prose, as it arrives, into chunks whose meaning the rest of the line cannot change. */

import { codePointAt, lastCodePoint, mayBreakBetween } from './breaks.ts'
import { delimiterAt, mayPair, nameEnd, type Delimiter } from './delimiters.ts'
import { angleAutolinkEnd } from './links.ts'
import { displayEnd, displayOpener, lineBreakEnd, spanEnd } from './spans.ts'

interface ProseReader {
  /**
   * A word, or several that a mark holds together.
   * @param isCut Whether the next chunk continues the last word.
   */
  chunk(text: string, isCut: boolean): void
  /** Whitespace. */
  gap(): void
  /** A line of a formula, or the part of a formula on the line. */
  verbatim(text: string): void
}

/** In characters: a mark that is open for longer is text, and a word of twice the length is cut, to keep the work linear. */
const longestHold = 2000
const longestRun = 500

export class Prose {
  readonly #reader: ProseReader
  readonly #marks = new OpenMarks()
  /** Text that is not passed on yet. */
  #held = ''
  /** How far it is scanned. */
  #at = 0
  /** The start of the current chunk. */
  #start = 0
  /** Whether part of the line was passed on. */
  #isBegun = false
  /** The opening delimiter of a formula that continues on the next line. */
  #formula: string | undefined

  constructor(reader: ProseReader) {
    this.#reader = reader
  }

  get isInFormula(): boolean {
    return this.#formula !== undefined
  }

  /** @param text Part of a line, without its line feed; for a formula, the whole line. */
  feed(text: string): void {
    this.#held += this.#formula === undefined ? text : this.#afterFormula(text, this.#formula)
    this.#scan(false)
    this.#held = this.#held.slice(this.#start)
    this.#at -= this.#start
    this.#start = 0
  }

  /** @returns the backslash at the end of the line, or an empty string. */
  endLine(): string {
    this.#scan(true)
    const rest = this.#held.slice(this.#start)
    const hasBackslash = /(?<!\\)(\\\\)*\\$/.test(rest.slice(-longestRun))
    const chunk = hasBackslash ? rest.slice(0, -1) : rest.trimEnd()
    if (chunk !== '') this.#reader.chunk(chunk, false)
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
      if (this.#at - this.#start >= 2 * longestHold) this.#cut(true)
      const used = this.#step(isEnd)
      if (used === 0) return
      this.#at += used
    }
  }

  /** @returns how many characters were scanned: 0 if it depends on the text that follows. */
  #step(isEnd: boolean): number {
    const character = codePointAt(this.#held, this.#at)
    const next = this.#held.charAt(this.#at + character.length)
    const isLast = next === '' && !isEnd
    switch (character) {
      case ' ':
      case '\t':
        if (this.#marks.isEmpty) this.#space()
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
        if (this.#marks.isEmpty && mayBreakBetween(this.#previous(), character)) this.#cut()
        return character.length
    }
  }

  #stepSpan(character: string, isEnd: boolean): number {
    const end = spanEnd(this.#held, this.#at, isEnd)
    if (end === -1 && isEnd && this.#beginsFormula()) return this.#formulaLine()
    const isEscape = character === '\\' && /^[!-/:-@[-`{-~]$/.test(this.#held.charAt(this.#at + 1))
    return this.#lengthTo(end, isEscape ? 2 : this.#runLength(character))
  }

  #stepAngle(isEnd: boolean): number {
    const end = lineBreakEnd(this.#held, this.#at, isEnd)
    return this.#lengthTo(end === -1 ? angleAutolinkEnd(this.#held, this.#at, isEnd) : end, 1)
  }

  /** @param end The end of the span; -1 for none. @param otherwise The characters to scan without a span. */
  #lengthTo(end: number | undefined, otherwise: number): number {
    if (end === undefined) return 0
    return end === -1 ? otherwise : end - this.#at
  }

  #stepRun(character: string, isEnd: boolean): number {
    const length = this.#runLength(character)
    if (character === '_' && length === 2) {
      const end = nameEnd(this.#held, this.#at, isEnd)
      if (end !== -1) return this.#lengthTo(end, 0)
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

  /** Whether the rest of the line starts a formula of several lines: its delimiter is first or last on the line. */
  #beginsFormula(): boolean {
    const opener = displayOpener(this.#held, this.#at)
    if (opener === undefined) return false
    const isFirst = this.#at === this.#start && !this.#isBegun
    return isFirst || this.#held.slice(this.#at + opener.length).trim() === ''
  }

  /** @returns the length of the rest of the line. */
  #formulaLine(): number {
    this.#cut()
    this.#formula = displayOpener(this.#held, this.#at)
    const rest = this.#held.slice(this.#at)
    this.#reader.verbatim(rest.trimEnd())
    this.#start = this.#held.length
    return rest.length
  }

  /** @returns the text after the formula on its last line. */
  #afterFormula(line: string, opener: string): string {
    const end = displayEnd(line, opener)
    this.#reader.verbatim(end === -1 ? line.trimEnd() : line.slice(0, end))
    if (end === -1) return ''
    this.#formula = undefined
    this.#isBegun = true
    return line.slice(end)
  }

  /** The code point before the current one; empty at the start of a chunk. */
  #previous(): string {
    return lastCodePoint(this.#held.slice(Math.max(this.#start, this.#at - 2), this.#at))
  }

  #space(): void {
    this.#cut()
    this.#start++
    this.#reader.gap()
  }

  /** @param isInWord Whether a line must not break here. */
  #cut(isInWord = false): void {
    if (this.#at > this.#start) {
      this.#reader.chunk(this.#held.slice(this.#start, this.#at), isInWord)
      this.#isBegun = true
    }
    this.#start = this.#at
  }
}

interface Mark {
  /** `*`, `_`, `~`, `[`, or `(` for a link destination. */
  readonly character: string
  /** `undefined` for a bracket. */
  readonly run?: Delimiter
  /** Characters that are not paired yet. */
  unpaired: number
}

/**
 * The open marks of a line. While there are any, the text after them may still turn out to be emphasized, struck through or
 * the text of a link. Only an estimate: if it is wrong, text is held back for longer or shorter than needed.
 */
class OpenMarks {
  #marks: Mark[] = []

  get isEmpty(): boolean {
    return this.#marks.length === 0
  }

  clear(): void {
    this.#marks = []
  }

  /** A run of `*`, `_` or `~`. */
  addRun(run: Delimiter): void {
    const unpaired = run.closes ? this.#close(run) : run.length
    if (run.opens && unpaired > 0) this.#marks.push({ character: run.character, run, unpaired })
  }

  /** @returns how many of its characters closed nothing. */
  #close(run: Delimiter): number {
    let unpaired = run.length
    for (let opener = this.#opener(run); opener?.run && unpaired > 0; opener = this.#opener(run)) {
      const at = this.#marks.indexOf(opener)
      const used = Math.min(unpaired, opener.unpaired, 2)
      unpaired -= used
      opener.unpaired -= used
      this.#marks.length = at + (opener.unpaired > 0 ? 1 : 0)
    }
    return unpaired
  }

  /**
   * A bracket or a parenthesis.
   * @param after The next character.
   * @returns how many characters the mark has: `](` is one mark.
   */
  addBracket(character: string, after: string): 1 | 2 {
    const isInTarget = this.#marks.at(-1)?.character === '('
    if (isInTarget) {
      if (character === '(') this.#marks.push({ character, unpaired: 1 })
      if (character === ')') this.#marks.pop()
      return 1
    }
    if (character === '[') this.#marks.push({ character, unpaired: 1 })
    if (character !== ']') return 1
    const bracket = this.#lastBracket()
    if (bracket === -1) return 1
    this.#marks.length = bracket
    if (after !== '(') return 1
    this.#marks.push({ character: after, unpaired: 1 })
    return 2
  }

  #lastBracket(): number {
    return this.#marks.findLastIndex((mark) => mark.character === '[')
  }

  /** Emphasis never spans a bracket. */
  #opener(closer: Delimiter): Mark | undefined {
    const edge = this.#lastBracket()
    return this.#marks.findLast(({ run }, at) => at > edge && run && mayPair(run, closer))
  }
}
