/**
 * Markdown on a terminal, as it arrives. Append-only: what was printed is never touched again, so the scrollback stays
 * true on every terminal, and however the text is cut into pieces, the same is printed in the end. To that end a piece of
 * text is only shown when nothing that may follow could change it: prose by the word, code by the line, tables when they
 * are whole. Work is linear: only the line that is open is ever looked at again.
 */

import { Blocks } from './blocks.ts'
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

/** A line of which so much has not told what it begins is waited for. */
const longestBeginning = 1000

export class MarkdownRenderer {
  readonly #page: Page
  readonly #blocks: Blocks
  /** What was pushed but not read yet, because something was loading. */
  #rest = ''
  /** The open line, as long as it isn't known what it begins. */
  #line = ''

  constructor({ width, theme, hasLinks }: MarkdownOptions) {
    this.#page = new Page(width)
    this.#blocks = new Blocks(this.#page, new Inline(theme, hasLinks), theme)
  }

  /** When it resolves, more can be had with `push('')`. */
  get loading(): Promise<void> | undefined {
    return this.#blocks.loading
  }

  get awaited(): string | undefined {
    return this.#blocks.isInTable ? 'the whole table' : undefined
  }

  /**
   * @param text Without control characters that do harm.
   * @returns what can be printed now.
   */
  push(text: string): string {
    this.#rest += text
    this.#read(() => this.#blocks.loading !== undefined)
    return this.#page.take()
  }

  /** The text is over. @returns what is left of it; nothing is held any more. */
  end(): string {
    this.#read(() => false)
    if (this.#line !== '') this.#blocks.take(this.#line, true)
    this.#line = ''
    this.#blocks.endLine()
    this.#blocks.close()
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
    if (this.#blocks.isInText) this.#blocks.goOn(text)
    else this.#readBeginning(text, isEnd)
    if (isEnd) this.#blocks.endLine()
  }

  #readBeginning(text: string, isEnd: boolean): void {
    const tried = this.#line.length
    this.#line += text
    if (!isEnd && (tried >= longestBeginning || this.#line.trim() === '')) return
    const beginning = isEnd ? this.#line : this.#line.slice(0, longestBeginning)
    if (!this.#blocks.take(beginning, isEnd)) return
    if (this.#blocks.isInText) this.#blocks.goOn(this.#line.slice(beginning.length))
    this.#line = ''
  }
}
