/** A paragraph: prose that appears word by word. Each line of the source starts a new line. */

import { mayBreakBetween } from './breaks.ts'
import { longestWord, type Inline, type InlineParser } from './inline.ts'
import { Flow, plain, type Page } from './page.ts'
import { displayEnd, displayOpener, spanEnd } from './spans.ts'

/** In characters: a mark that is open for longer is text. */
const longestHold = 2000

export class Paragraph {
  readonly #inline: Inline
  readonly #flow: Flow
  readonly #parser: InlineParser
  /** Whether part of the line was printed. */
  #isBegun = false
  /** The opening delimiter of a formula that continues on the next line. */
  #formula: string | undefined

  constructor(page: Page, inline: Inline) {
    page.beginBlock(false)
    this.#inline = inline
    this.#flow = new Flow(page)
    this.#parser = inline.proseParser()
  }

  get isInFormula(): boolean {
    return this.#formula !== undefined
  }

  /** @param text Part of a line, without its line feed; for a formula, the whole line. */
  feed(text: string): void {
    this.#parser.append(this.#formula === undefined ? text : this.#afterFormula(text, this.#formula))
    this.#read(false)
  }

  endLine(): void {
    this.#read(true)
    this.#print()
    this.#isBegun = false
    this.#flow.end()
  }

  /** Prints each word as soon as later text cannot change how it looks. */
  #read(isEnd: boolean): void {
    const parser = this.#parser
    for (let next = parser.next; next !== ''; next = parser.next) {
      if (parser.length >= longestWord) this.#print(true)
      const isSpace = next === ' ' || next === '\t'
      const isBetweenWords = isSpace || (parser.length > 0 && mayBreakBetween(parser.last, next))
      if (isBetweenWords && (parser.length >= longestHold || !parser.hasOpenMarks)) this.#print()
      if (isEnd && this.#beginsFormula()) this.#printFormulaLine()
      else if (isSpace && parser.length === 0) {
        parser.drop(1)
        this.#flow.space({ text: ' ', appearance: plain })
      } else if (!parser.step(isEnd)) return
    }
  }

  /** Prints what is parsed. @param isCut Whether the next text continues the last word. */
  #print(isCut = false): void {
    if (this.#parser.length === 0) return
    this.#flow.add(this.#inline.runsOf(this.#parser.take()), isCut)
    this.#isBegun = true
  }

  /** Whether the rest of the line starts a formula of several lines: its delimiter is first or last on the line. */
  #beginsFormula(): boolean {
    const rest = this.#parser.unread
    const opener = displayOpener(rest)
    if (opener === undefined || spanEnd(rest, 0, true) !== -1) return false
    const isFirst = this.#parser.length === 0 && !this.#isBegun
    return isFirst || rest.slice(opener.length).trim() === ''
  }

  #printFormulaLine(): void {
    this.#print()
    const rest = this.#parser.unread
    this.#formula = displayOpener(rest)
    this.#flow.addUnwrapped({ text: rest.trimEnd(), appearance: plain })
    this.#parser.drop(rest.length)
  }

  /** @returns the text after the formula on its last line. */
  #afterFormula(line: string, opener: string): string {
    const end = displayEnd(line, opener)
    this.#flow.addUnwrapped({ text: end === -1 ? line.trimEnd() : line.slice(0, end), appearance: plain })
    if (end === -1) return ''
    this.#formula = undefined
    this.#isBegun = true
    return line.slice(end)
  }
}
