/**
 * Renders Markdown for a terminal, as it arrives. Append-only, but that the last row may be drawn again after `showHeld`: the
 * scrollback is right on every terminal, and the output does not depend on how the text is cut into pieces. Text is printed as
 * soon as later text cannot change how it looks: prose by the word, code by the line, a table when it is complete. The work is
 * linear, because only the current line is scanned again.
 */

import type { Io, Sink } from '../../io/io.ts'
import { asSafeText, safe, type SafeText } from '../../io/text/safe-text.ts'
import type { Style } from '../style.ts'
import type { TextFilter } from '../text-filter.ts'
import { BlockPrinter } from './block-printer.ts'
import { BlockReader } from './block-reader.ts'
import { longestLine } from './line-start.ts'
import { Inline } from './inline.ts'
import { LinePrinter } from './line-printer.ts'
import { makeTheme, type Theme } from './theme.ts'

/**
 * A filter that renders Markdown for the terminal it is written to.
 * @param margin The columns before each line, which somebody else fills.
 */
export function markdownFilter(out: Sink, style: Style, io: Io, margin: number): TextFilter<SafeText> {
  return new MarkdownRenderer({
    // With a pager, only stderr is known to be on the terminal.
    width: () => (out.isTerminal ? out : io.err).columns() - margin,
    margin,
    theme: makeTheme(style.theme, style, io),
  })
}

export interface MarkdownOptions {
  /** The current width of a line in columns. */
  width(): number
  /** The columns before each line, which somebody else fills. */
  readonly margin?: number
  readonly theme: Theme
}

/** In characters: if this much does not decide which block a line starts, its end does. */
const longestBeginning = 1000

/** In characters: of 472,412 bold texts in alpaca_eval, 0.5 % are longer. Then open marks become text, if they wait for long. */
const usual = 120

export class MarkdownRenderer {
  readonly #lines: LinePrinter
  readonly #reader = new BlockReader()
  readonly #printer: BlockPrinter
  /** The current line, until it is known which block it starts. */
  #line = ''
  #showsHeld = false

  constructor({ width, margin = 0, theme }: MarkdownOptions) {
    this.#lines = new LinePrinter(width, margin)
    this.#printer = new BlockPrinter(this.#lines, new Inline(theme), theme)
  }

  /** The colors of the code in the next line. */
  get loading(): Promise<void> | undefined {
    return this.#printer.loading
  }

  get awaited(): SafeText | undefined {
    return this.#reader.isInTable ? safe`the whole table` : undefined
  }

  /** @returns the text that can be printed now. */
  push(text: SafeText): SafeText {
    for (let at = 0; at < text.length;) {
      const feed = text.indexOf('\n', at)
      const end = feed === -1 ? text.length : feed
      this.#readPart(text.slice(at, end), feed !== -1)
      at = end + 1
    }
    return this.#taken()
  }

  showHeld(isStalled: boolean): SafeText {
    // Without the last word, which may be the address of a link.
    const isLong = /[\s\u2e80-\uffff]/.test(this.#held.slice(usual - 1))
    if (isLong && this.#line !== '' && this.#take(this.#line, false, true)) this.#line = ''
    if (isLong) this.#printer.paragraph?.printHeld()
    this.#showsHeld ||= isStalled
    return this.#taken()
  }

  get #held(): string {
    return this.#reader.isInTable ? '' : this.#printer.paragraph?.parser.held || this.#line
  }

  #taken(): SafeText {
    const held = this.#showsHeld ? this.#held.replace(/\n[^]*/, '') : ''
    this.#showsHeld = held !== ''
    return asSafeText(this.#lines.take(held))
  }

  /** Called at the end of the text. @returns the text that was held back. */
  end(): SafeText {
    if (this.#line !== '') this.#take(this.#line, true)
    this.#line = ''
    this.#printer.endLine()
    this.#printer.print(this.#reader.close())
    return asSafeText(this.#lines.take())
  }

  /** @param text Part of one line. */
  #readPart(text: string, isEnd: boolean): void {
    if (this.#printer.isInText) this.#printer.paragraph?.feed(text)
    else this.#readBeginning(text, isEnd)
    if (isEnd) this.#printer.endLine()
  }

  #readBeginning(text: string, isEnd: boolean): void {
    const tried = this.#line.length
    this.#line += text
    if (this.#line.length > longestLine && !this.#reader.isVerbatim) return this.#divideLine(tried, isEnd)
    if (!isEnd && (tried >= longestBeginning || this.#line.trim() === '')) return
    const beginning = isEnd ? this.#line : this.#line.slice(0, longestBeginning)
    if (!this.#take(beginning, isEnd)) return
    if (this.#printer.isInText) this.#printer.paragraph?.feed(this.#line.slice(beginning.length))
    this.#line = ''
  }

  /**
   * Reads a line that is too long to be held back. Unless its beginning decides which block it starts, it is read as several
   * lines: a heading ends there, and a paragraph follows.
   */
  #divideLine(tried: number, isEnd: boolean): void {
    const line = this.#line
    this.#line = ''
    const isKnown = tried < longestBeginning && this.#take(line.slice(0, longestBeginning), false)
    const end = isKnown ? longestBeginning : longestLine
    if (!isKnown) {
      this.#take(line.slice(0, end), true)
      this.#printer.endLine()
    }
    this.#readPart(line.slice(end), isEnd)
  }

  /** @returns whether the line was read; `false` if the rest of the line is needed to decide. */
  #take(line: string, isWhole: boolean, isLate = false): boolean {
    const isFormula = !this.#printer.isInText && this.#printer.paragraph?.isInFormula === true
    if (isFormula && !isWhole) return false
    const events = (isFormula ? this.#reader.takeText(line) : undefined) ?? this.#reader.take(line, isWhole, isLate)
    if (events) this.#printer.print(events)
    return events !== undefined
  }
}
