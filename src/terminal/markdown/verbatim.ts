/** Blocks whose lines stand as they are: code in fences, indented code, and HTML. */

import type { Highlighter } from './highlight.ts'
import type { Block } from './line-start.ts'
import type { Page } from './page.ts'
import { dropColumns, indentOf, type Rest } from './rest.ts'
import type { Theme } from './theme.ts'

/** A block that is asked for each line whether it is one of its own. */
export interface Verbatim {
  /** @returns whether the line was taken, and with it perhaps the last. */
  take(rest: Rest): 'taken' | 'last' | 'refused'
  close(): void
}

/** Nothing stands beside the code, so that what is copied from the screen is the code; long lines are the terminal's. */
export class FencedCode implements Verbatim {
  /** Colours the code, once its language is there. */
  highlighter: Highlighter | undefined
  readonly #fence: Extract<Block, { kind: 'fence' }>
  readonly #page: Page
  readonly #theme: Theme

  constructor(fence: Extract<Block, { kind: 'fence' }>, page: Page, theme: Theme) {
    this.#fence = fence
    this.#page = page
    this.#theme = theme
    page.beginBlock(true)
    if (theme.keepsMarks) page.line(fence.marker + fence.info)
    else if (fence.info !== '') page.line(theme.label(fence.info))
  }

  take(rest: Rest): 'taken' | 'last' {
    const { marker, indent } = this.#fence
    const closing = indentOf(rest) <= 3 ? rest.text.trim() : ''
    if (closing.startsWith(marker) && closing === marker.charAt(0).repeat(closing.length)) {
      if (this.#theme.keepsMarks) this.#page.line(marker)
      return 'last'
    }
    const { text } = dropColumns(rest, Math.min(indent, indentOf(rest)))
    this.#page.line(this.#highlighted(text))
    return 'taken'
  }

  close(): void {
    // Everything is printed.
  }

  #highlighted(line: string): string {
    if (this.highlighter) return this.highlighter.line(line)
    return line.trim() === '' ? line : this.#theme.codeBlock(line)
  }
}

export class IndentedCode implements Verbatim {
  readonly #page: Page
  readonly #theme: Theme
  /** Blank lines, which are code only if code follows. */
  #blanks = 0

  constructor(first: Rest, page: Page, theme: Theme) {
    this.#page = page
    this.#theme = theme
    page.beginBlock(true)
    this.#print(first)
  }

  take(rest: Rest): 'taken' | 'refused' {
    if (rest.text.trim() === '') {
      this.#blanks++
      return 'taken'
    }
    if (indentOf(rest) < 4) return 'refused'
    for (; this.#blanks > 0; this.#blanks--) this.#page.line('')
    this.#print(dropColumns(rest, 4))
    return 'taken'
  }

  close(): void {
    if (this.#blanks > 0) this.#page.noteBlank()
  }

  #print({ text }: Rest): void {
    this.#page.line(this.#theme.keepsMarks ? `    ${text}` : this.#theme.codeBlock(text))
  }
}

/** Tags are shown as they stand, up to the next blank line. */
export class Html implements Verbatim {
  readonly #page: Page

  constructor(first: Rest, page: Page) {
    this.#page = page
    page.beginBlock(false)
    page.line(first.text)
  }

  take({ text }: Rest): 'taken' | 'refused' {
    if (text.trim() === '') return 'refused'
    this.#page.line(text)
    return 'taken'
  }

  close(): void {
    // Everything is printed.
  }
}
