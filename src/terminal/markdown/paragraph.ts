/** A paragraph: prose that appears word by word. Each line of the source starts a new line. */

import { mayBreakBetween } from './breaks.ts'
import { formulaText } from './formula.ts'
import { longestWord, type Inline, type InlineParser } from './inline.ts'
import { countOf } from './links.ts'
import { LineBreaker, plain, type LinePrinter } from './line-printer.ts'
import { displayEnd, displayOpener, spanEnd } from './spans.ts'

/** The start of a line with a box or the branches of a tree. */
const drawing = /^[ \t]*[\u2500-\u257f]/

/** In characters: a longer run of blanks is one. */
const longestBlanks = 200

export class Paragraph {
  readonly #inline: Inline
  readonly #breaker: LineBreaker
  readonly parser: InlineParser
  /** The opening delimiter of a formula that continues on the next line. */
  #formula: string | undefined
  /** Its lines that are not printed yet. */
  #waiting: string[] = []
  /** What has arrived of the current line, and the line above it. */
  #line = ''
  #above = ''
  /** The blanks at the end of what has arrived. */
  #blanks = ''
  #keepsBlanks = false

  constructor(lines: LinePrinter, inline: Inline) {
    lines.beginBlock(false)
    this.#inline = inline
    this.#breaker = new LineBreaker(lines)
    this.parser = inline.proseParser()
  }

  /** Whether it continues on the next line, whatever that looks like. */
  get isInFormula(): boolean {
    return this.#formula !== undefined
  }

  /** @param text The beginning of a line. A drawing, such as a tree, keeps its blanks, and a formula at the start. */
  beginLine(text: string): void {
    const start = text.trimStart()
    const indent = text.slice(0, -start.length)
    const isDrawn = drawing.test(this.#above) || drawing.test(text)
    this.#keepsBlanks = isDrawn || /^[$\\]/.test(start)
    this.#line = indent
    if (isDrawn && this.parser.held === '') this.#breaker.addUnwrapped({ text: indent, appearance: plain }, true)
    this.feed(this.#formula === undefined ? start : text)
  }

  /** @param text Part of a line, without its line feed. */
  feed(text: string): void {
    this.parser.append(this.#formula === undefined ? this.#spaced(text) : text)
    this.#read(false)
  }

  /** Makes each run of blanks one, but not below other blanks: a table keeps its columns from the second line on. */
  #spaced(text: string): string {
    const [from, before] = [this.#line.length - this.#blanks.length, this.#blanks]
    this.#line += text
    const joined = before + text
    this.#blanks = joined.endsWith(' ') ? ' ' : ''
    // Most text is so, and the rest takes long.
    if (!/[ \t]{2}|\t/.test(joined)) return text
    const spaced = joined.replaceAll(/([ \t]+)(\S?)/g, (_run, blanks: string, next: string, at: number) => {
      if (next === '') this.#blanks = blanks.slice(0, longestBlanks + 1)
      const above = this.#above.slice(from + at, from + at + blanks.length)
      const isKept = next !== '' && blanks.length <= longestBlanks && (this.#keepsBlanks || above.includes('  '))
      return (isKept ? blanks : ' ') + next
    })
    return before === '' ? spaced : spaced.slice(1)
  }

  endLine(): void {
    this.#above = this.#line
    this.#blanks = ''
    // No code goes on into a formula, whose next lines may look like blocks.
    this.#read(true, displayOpener(this.parser.lastLine.trimStart()) !== undefined)
    if (this.parser.next === '') this.#finishLine()
    else this.parser.endLine()
  }

  /** Prints what open marks hold back, with them as text; else what code holds back. The line may go on. */
  printHeld(): void {
    if (this.parser.length === 0) this.#read(true, true)
    this.#print(this.parser.last !== ' ')
  }

  end(): void {
    this.#read(true, true)
    this.#printFormula()
    this.#finishLine()
  }

  #finishLine(): void {
    this.#print()
    this.#breaker.end()
  }

  #read(isEnd: boolean, isLast = false): void {
    const parser = this.parser
    for (;;) {
      this.#readLine(isEnd, isLast)
      if (parser.next !== '' || !parser.hasNextLine) return
      this.#finishLine()
      parser.nextLine()
    }
  }

  /** Prints each word as soon as later text cannot change how it looks. */
  #readLine(isEnd: boolean, isLast: boolean): void {
    const parser = this.parser
    if (this.#formula !== undefined && parser.next !== '') {
      if (!isEnd && !parser.hasNextLine) return
      this.#readFormulaLine()
    }
    for (let next = parser.next; next !== ''; next = parser.next) {
      if (parser.length >= longestWord) this.#print(true)
      const isSpace = next === ' ' || next === '\t'
      const isBetweenWords = isSpace || (parser.length > 0 && mayBreakBetween(parser.last, next))
      if (isBetweenWords && !parser.hasOpenMarks) this.#print()
      if ((isEnd || parser.hasNextLine) && this.#beginsFormula()) this.#readFormulaLine()
      else if (isSpace && parser.length === 0) {
        parser.drop(1)
        this.#breaker.space({ text: ' ', appearance: plain })
      } else if (!parser.step(isEnd || parser.hasNextLine, isLast)) return
    }
  }

  /** Prints what is parsed. @param isCut Whether the next text continues the last word. */
  #print(isCut = false): void {
    if (this.parser.length === 0) return
    this.#breaker.add(this.#inline.runsOf(this.parser.take()), isCut)
  }

  /** Whether the rest of the line starts a formula of several lines: its delimiter is last on the line, or first and before TeX. */
  #beginsFormula(): boolean {
    const rest = this.parser.unread
    const opener = displayOpener(rest)
    if (opener === undefined || spanEnd(rest, 0, true) !== -1) return false
    const formula = rest.slice(opener.length)
    const isFirst = this.parser.length === 0 && this.#breaker.isAtLineStart
    return formula.trim() === '' || (isFirst && looksLikeTex(formula))
  }

  /** Reads the current line up to the end of the formula. What may become Unicode waits for the end. */
  #readFormulaLine(): void {
    this.#print()
    const { unread } = this.parser
    const end = this.#formula === undefined ? -1 : displayEnd(unread, this.#formula)
    this.#formula = end === -1 ? (this.#formula ?? displayOpener(unread)) : undefined
    this.parser.drop(end === -1 ? unread.length : end)
    this.#waiting.push(unread.slice(0, end === -1 ? undefined : end).trimEnd())
    const source = this.#waiting.join('\n')
    const waits = end === -1 && this.#breaker.isAtLineStart && source.length < longestWord
    if (!waits || !/^(?:\$\$|\\\[)(?![^]*(?:\\\\|&))/.test(source)) this.#printFormula(source)
  }

  #printFormula(source = ''): void {
    const shown = source !== '' && this.#formula === undefined ? formulaText(source) : undefined
    if (shown !== undefined) this.#breaker.add([{ text: shown, appearance: plain }])
    for (const [index, text] of (shown === undefined ? this.#waiting : []).entries()) {
      if (index > 0) this.#breaker.end()
      this.#breaker.addUnwrapped({ text, appearance: plain })
    }
    this.#waiting = []
  }
}

/** Text after `\[` that closes this bracket, as in `\[ ] task_1`, or has none of these signs, is no TeX. */
function looksLikeTex(text: string): boolean {
  return countOf(text, ']') <= countOf(text, '[') && /[\\^_={}&]/.test(text)
}
