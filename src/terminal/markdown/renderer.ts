/**
 * Markdown on a terminal, as it arrives. Append-only: what was printed is never drawn again, so the scrollback stays true on
 * every terminal, and however the text is cut into pieces, the same is printed in the end. To that end text is only shown
 * when nothing that may follow can change how it looks: prose by the word, code by the line, tables when they are whole. Work
 * is linear: only the open line is ever looked at again.
 */

import { BlockPrinter } from './block-printer.ts'
import { BlockReader } from './block-reader.ts'
import { Inline } from './inline.ts'
import { Page } from './page.ts'
import type { Theme } from './theme.ts'

export interface MarkdownOptions {
  /** Columns of the terminal at this moment. */
  width(): number
  readonly theme: Theme
  /** Whether the terminal opens links at a click. */
  readonly hasLinks: boolean
}

/** Where this much of a line does not decide what the line begins, its end does. */
const longestBeginning = 1000

export class MarkdownRenderer {
  readonly #page: Page
  readonly #reader = new BlockReader()
  readonly #printer: BlockPrinter
  /** What was pushed but not read yet, because something was loading. */
  #rest = ''
  /** The open line, until it is known what it begins. */
  #line = ''

  constructor({ width, theme, hasLinks }: MarkdownOptions) {
    this.#page = new Page(width)
    this.#printer = new BlockPrinter(this.#page, new Inline(theme, hasLinks), theme)
  }

  /** When it resolves, `push('')` returns more. */
  get loading(): Promise<void> | undefined {
    return this.#printer.loading
  }

  get awaited(): string | undefined {
    return this.#reader.isInTable ? 'the whole table' : undefined
  }

  /**
   * @param text Without harmful control characters.
   * @returns what can be printed now.
   */
  push(text: string): string {
    this.#rest += text
    this.#read(() => this.#printer.loading !== undefined)
    return this.#page.take()
  }

  /** The text is over. @returns what was held. */
  end(): string {
    this.#read(() => false)
    if (this.#line !== '') this.#take(this.#line, true)
    this.#line = ''
    this.#printer.endLine()
    this.#printer.print(this.#reader.close())
    return this.#page.take()
  }

  #read(mustWait: () => boolean): void {
    let at = 0
    while (at < this.#rest.length && !mustWait()) {
      const feed = this.#rest.indexOf('\n', at)
      const end = feed === -1 ? this.#rest.length : feed
      this.#readPart(this.#rest.slice(at, end), feed !== -1)
      at = end + 1
    }
    this.#rest = this.#rest.slice(at)
  }

  /** @param text Part of one line. */
  #readPart(text: string, isEnd: boolean): void {
    if (this.#printer.isInText) this.#printer.feed(text)
    else this.#readBeginning(text, isEnd)
    if (isEnd) this.#printer.endLine()
  }

  #readBeginning(text: string, isEnd: boolean): void {
    const tried = this.#line.length
    this.#line += text
    if (!isEnd && (tried >= longestBeginning || this.#line.trim() === '')) return
    const beginning = isEnd ? this.#line : this.#line.slice(0, longestBeginning)
    if (!this.#take(beginning, isEnd)) return
    if (this.#printer.isInText) this.#printer.feed(this.#line.slice(beginning.length))
    this.#line = ''
  }

  /** @returns whether the line was taken; not, when what of it is still to come decides. */
  #take(line: string, isWhole: boolean): boolean {
    const isFormula = this.#printer.isInFormula
    if (isFormula && !isWhole) return false
    const events = (isFormula ? this.#reader.takeText(line) : undefined) ?? this.#reader.take(line, isWhole)
    if (events) this.#printer.print(events)
    return events !== undefined
  }
}
