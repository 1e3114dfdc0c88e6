/** A paragraph: prose that appears word by word. Each line of the source starts a new line. */

import { mayBreakBetween } from './breaks.ts'
import { longestWord, type Inline, type InlineParser } from './inline.ts'
import { countOf } from './links.ts'
import { LineBreaker, plain, type LinePrinter } from './line-printer.ts'
import { displayEnd, displayOpener, spanEnd } from './spans.ts'

/** Characters that draw boxes and the branches of trees. */
const drawing = /[\u2500-\u257f]/

/** In characters: a mark that is open for longer is text. */
const longestHold = 2000

export class Paragraph {
  readonly #inline: Inline
  readonly #breaker: LineBreaker
  readonly #parser: InlineParser
  /** Whether part of the line was printed. */
  #isBegun = false
  /** The opening delimiter of a formula that continues on the next line. */
  #formula: string | undefined
  /** What has arrived of the current line, and the line above it. */
  #line = ''
  #above = ''
  /** The blanks at the end of what has arrived. */
  #blanks = ''
  /** Whether the line keeps its blanks, as the rows of a drawing do. */
  #keepsBlanks = false

  constructor(lines: LinePrinter, inline: Inline) {
    lines.beginBlock(false)
    this.#inline = inline
    this.#breaker = new LineBreaker(lines)
    this.#parser = inline.proseParser()
  }

  get isInFormula(): boolean {
    return this.#formula !== undefined
  }

  /** @param text Part of a line, without its line feed. */
  feed(text: string): void {
    this.#parser.append(this.#formula === undefined ? this.#spaced(text) : text)
    this.#read(false)
  }

  /**
   * Makes each run of blanks one, but not in a drawing, such as the tree of a folder, and not below other blanks: a table whose
   * columns are aligned keeps them from its second line on.
   */
  #spaced(text: string): string {
    // Most text is so, and the rest takes 20 % of the renderer's time.
    if (this.#line !== '' && this.#blanks === '' && !/[ \t]{2}|\t|[ \t]$/.test(text)) {
      this.#line += text
      return text
    }
    return text.replaceAll(/[ \t]+|[^ \t]+/g, (part) => {
      const blanks = this.#blanks
      const start = this.#line.length - blanks.length
      this.#line += part
      this.#blanks = /^[ \t]/.test(part) ? blanks + part : ''
      if (this.#blanks !== '') return start > 0 && blanks === '' ? ' ' : ''
      if (start === 0) this.#beginLine(blanks, part)
      const isKept = this.#keepsBlanks || / {2}/.test(this.#above.slice(start, start + blanks.length))
      return isKept && start > 0 ? blanks.slice(1) + part : part
    })
  }

  /** Formulas that begin the line, too, are shown as written. */
  #beginLine(indent: string, first: string): void {
    const isDrawn = drawing.test(this.#above) || drawing.test(first.charAt(0))
    this.#keepsBlanks = isDrawn || /^[$\\]/.test(first)
    if (isDrawn && indent !== '' && this.#parser.next === '')
      this.#breaker.addUnwrapped({ text: indent, appearance: plain }, true)
  }

  endLine(): void {
    this.#above = this.#line
    this.#line = ''
    this.#blanks = ''
    // No code goes on into a formula, whose next lines may look like blocks.
    this.#read(true, displayOpener(this.#parser.lastLine.trimStart()) !== undefined)
    if (this.#parser.next === '') this.#finishLine()
    else this.#parser.endLine()
  }

  /** Prints what waits for the end of code or a tag. */
  end(): void {
    this.#read(true, true)
    this.#finishLine()
  }

  #finishLine(): void {
    this.#print()
    this.#isBegun = false
    this.#breaker.end()
  }

  #read(isEnd: boolean, isLast = false): void {
    const parser = this.#parser
    for (;;) {
      this.#readLine(isEnd, isLast)
      if (parser.next !== '' || !parser.hasNextLine) return
      this.#finishLine()
      parser.nextLine()
    }
  }

  /** Prints each word as soon as later text cannot change how it looks. */
  #readLine(isEnd: boolean, isLast: boolean): void {
    const parser = this.#parser
    if (this.#formula !== undefined && parser.next !== '') {
      if (!isEnd && !parser.hasNextLine) return
      this.#continueFormula(this.#formula)
    }
    for (let next = parser.next; next !== ''; next = parser.next) {
      if (parser.length >= longestWord) this.#print(true)
      const isSpace = next === ' ' || next === '\t'
      const isBetweenWords = isSpace || (parser.length > 0 && mayBreakBetween(parser.last, next))
      if (isBetweenWords && (parser.length >= longestHold || !parser.hasOpenMarks)) this.#print()
      if ((isEnd || parser.hasNextLine) && this.#beginsFormula()) this.#printFormulaLine()
      else if (isSpace && parser.length === 0) {
        parser.drop(1)
        this.#breaker.space({ text: ' ', appearance: plain })
      } else if (!parser.step(isEnd || parser.hasNextLine, isLast)) return
    }
  }

  /** Prints what is parsed. @param isCut Whether the next text continues the last word. */
  #print(isCut = false): void {
    if (this.#parser.length === 0) return
    this.#breaker.add(this.#inline.runsOf(this.#parser.take()), isCut)
    this.#isBegun = true
  }

  /** Whether the rest of the line starts a formula of several lines: its delimiter is last on the line, or first and before TeX. */
  #beginsFormula(): boolean {
    const rest = this.#parser.unread
    const opener = displayOpener(rest)
    if (opener === undefined || spanEnd(rest, 0, true) !== -1) return false
    const formula = rest.slice(opener.length)
    const isFirst = this.#parser.length === 0 && !this.#isBegun
    return formula.trim() === '' || (isFirst && looksLikeTex(formula))
  }

  #printFormulaLine(): void {
    this.#print()
    this.#formula = displayOpener(this.#parser.unread)
    this.#printAsWritten()
  }

  /** Prints the current line up to the end of the formula. */
  #continueFormula(opener: string): void {
    const end = displayEnd(this.#parser.unread, opener)
    this.#printAsWritten(end === -1 ? undefined : end)
    if (end === -1) return
    this.#formula = undefined
    this.#isBegun = true
  }

  #printAsWritten(end?: number): void {
    const text = this.#parser.unread.slice(0, end)
    this.#breaker.addUnwrapped({ text: text.trimEnd(), appearance: plain })
    this.#parser.drop(text.length)
  }
}

/** Text after `\[` that closes this bracket, as in `\[ ] task_1`, or has none of these signs, is no TeX. */
function looksLikeTex(text: string): boolean {
  return countOf(text, ']') <= countOf(text, '[') && /[\\^_={}&]/.test(text)
}
