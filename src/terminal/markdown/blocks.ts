/** The blocks of a text, line by line: which is open, and what a line does to it. */

import { makeContainer } from './containers.ts'
import { Flow } from './flow.ts'
import type { Inline } from './inline.ts'
import { languageOf } from './languages.ts'
import { enterAll, readLine, type Block, type LineStart } from './line-start.ts'
import type { Page } from './page.ts'
import { Paragraph } from './paragraph.ts'
import { plain, within, type Run } from './run.ts'
import { Table } from './table.ts'
import type { Theme } from './theme.ts'
import { FencedCode, Html, IndentedCode, type Verbatim } from './verbatim.ts'

export class Blocks {
  readonly #page: Page
  readonly #inline: Inline
  readonly #theme: Theme
  #paragraph: Paragraph | undefined
  #verbatim: Verbatim | undefined
  #table: Table | undefined
  /** A line that begins like a table: the next one tells. */
  #row: string | undefined
  /** Whether a line of text is being taken, of which more may come. */
  isInText = false
  /** A language on its way, which the next line waits for. */
  loading: Promise<void> | undefined

  constructor(page: Page, inline: Inline, theme: Theme) {
    this.#page = page
    this.#inline = inline
    this.#theme = theme
  }

  /** Whether a table is held, so that the cursor is at the beginning of a line. */
  get isInTable(): boolean {
    return this.#table !== undefined
  }

  /**
   * @param line The beginning of a line.
   * @returns whether it was taken; not, when it depends on what of the line is still to come.
   */
  take(line: string, isWhole: boolean): boolean {
    if (!isWhole && (this.#verbatim || this.#table || this.#row !== undefined)) return false
    if (this.#verbatim && this.#takeVerbatim(line)) return true
    if (this.#paragraph?.isInFormula && !this.isInText) {
      if (!isWhole) return false
      if (this.#takeFormula(line)) return true
    }
    const start = readLine(line, isWhole, this.#page.containers, Boolean(this.#paragraph) || this.#row !== undefined)
    if (!start) return false
    if (this.#isTableLine(start)) return true
    this.#apply(start)
    return true
  }

  /** More of the line of text that is being taken. */
  goOn(text: string): void {
    if (text !== '') this.#paragraph?.feed(text)
  }

  endLine(): void {
    if (this.isInText) this.#paragraph?.endLine()
    this.isInText = false
  }

  /** The text has ended. */
  close(): void {
    this.#closeBlock()
    this.#closeContainers(0)
  }

  #takeVerbatim(line: string): boolean {
    const [matched, rest] = enterAll(line, this.#page.containers)
    const taken = matched === this.#page.containers.length ? this.#verbatim?.take(rest) : 'refused'
    if (taken !== 'taken') {
      this.#verbatim?.close()
      this.#verbatim = undefined
    }
    return taken !== 'refused'
  }

  /** A formula that was begun goes on to its end, or to a blank line. */
  #takeFormula(line: string): boolean {
    const [, rest] = enterAll(line, this.#page.containers)
    if (rest.text.trim() === '') return false
    this.#paragraph?.feed(rest.text)
    this.isInText = true
    return true
  }

  /** A row of the open table, or the line that makes a table of the row before it. */
  #isTableLine({ matched, opened, block }: LineStart): boolean {
    const row = this.#row
    const isText = block.kind === 'text' || block.kind === 'row'
    const isHere = isText && opened.length === 0 && matched === this.#page.containers.length
    if (row !== undefined && isHere) {
      const table = Table.begin(row, block.text)
      if (!table) return false
      this.#row = undefined
      this.#closeBlock()
      this.#table = table
      return true
    }
    if (this.#table && isHere) this.#table.add(block.text)
    return this.#table !== undefined && isHere
  }

  #apply({ matched, opened, block }: LineStart): void {
    this.#releaseRow()
    const isText = block.kind === 'text' || block.kind === 'row'
    if (this.#paragraph && opened.length === 0 && (isText || block.kind === 'underline')) {
      if (isText) this.#takeText(block)
      else this.#underline(block.character)
      return
    }
    this.#closeBlock()
    const before = this.#page.containers[matched]
    this.#closeContainers(matched)
    for (const [index, opening] of opened.entries()) {
      const depth = this.#page.containers.filter((container) => container.opening.kind === 'item').length
      const container = makeContainer(opening, depth, index === 0 ? before : undefined, this.#theme)
      this.#page.containers.push(container)
    }
    if (block.kind === 'blank' && opened.length === 0) this.#takeBlank()
    else this.#begin(block)
  }

  #begin(block: Block): void {
    switch (block.kind) {
      case 'text':
      case 'row':
        return this.#takeText(block)
      case 'heading':
        return this.#heading(block.depth, block.text)
      case 'rule':
        this.#page.beginBlock(true)
        return this.#rule('─')
      case 'fence':
        return this.#beginFence(block)
      case 'indented':
        this.#verbatim = new IndentedCode(block.rest, this.#page, this.#theme)
        return undefined
      case 'html':
        this.#verbatim = new Html(block.rest, this.#page)
        return undefined
      case 'definition':
        this.#inline.define(block.label, block.href)
        this.#page.beginBlock(false)
        return this.#line([{ text: block.text, appearance: within(plain, this.#theme.target) }])
      case 'blank':
      case 'underline':
        return undefined
    }
  }

  /** What may be a table's header waits for the next line; else it flows. */
  #takeText({ kind, text }: { readonly kind: 'text' | 'row'; readonly text: string }): void {
    if (kind === 'row') {
      this.#row = text
      return
    }
    this.#paragraph ??= new Paragraph(this.#page, this.#inline)
    this.#paragraph.feed(text)
    this.isInText = true
  }

  #releaseRow(): void {
    if (this.#row === undefined) return
    const text = this.#row
    this.#row = undefined
    this.#takeText({ kind: 'text', text })
    this.endLine()
  }

  #takeBlank(): void {
    const last = this.#page.containers.at(-1)
    // An item may begin with an empty line, but not with two.
    if (last?.opening.kind === 'item' && !last.isBegun) this.#closeContainers(this.#page.containers.length - 1)
    this.#page.noteBlank()
  }

  #heading(depth: number, text: string): void {
    const { title, heading: section, subheading, minorHeading } = this.#theme
    const paint = [title, section, subheading][depth - 1] ?? minorHeading
    const hashes = this.#theme.keepsMarks ? `${'#'.repeat(depth)} ` : ''
    const appearance = within(plain, paint)
    this.#page.beginBlock(true)
    this.#line([{ text: hashes, appearance }, ...this.#inline.runs(text, appearance)])
  }

  /** The heading stands there already, as a paragraph. */
  #underline(character: string): void {
    this.#closeBlock()
    this.#rule(character === '=' ? '═' : '─')
    this.#page.spaceAfter()
  }

  #rule(character: string): void {
    this.#page.line(this.#theme.rule(character.repeat(this.#page.columns())))
  }

  #beginFence(fence: Extract<Block, { kind: 'fence' }>): void {
    const code = new FencedCode(fence, this.#page, this.#theme)
    this.#verbatim = code
    const language = this.#theme.keepsMarks ? undefined : languageOf(fence.info)
    if (language === undefined) return
    this.loading = import('./highlight.ts')
      .then(({ loadHighlighter }) => loadHighlighter(language, this.#theme))
      .then((highlighter) => void (code.highlighter = highlighter))
      // Without colours it is still the code.
      .catch(() => undefined)
      .finally(() => void (this.loading = undefined))
  }

  /** A line of flowing text by itself. */
  #line(runs: readonly Run[]): void {
    const flow = new Flow(this.#page)
    flow.add(runs)
    flow.end()
  }

  #closeBlock(): void {
    this.#releaseRow()
    this.#paragraph?.close()
    this.#paragraph = undefined
    this.#verbatim?.close()
    this.#verbatim = undefined
    this.#table?.print(this.#page, this.#inline, this.#theme)
    this.#table = undefined
  }

  /** @param count How many stay open. */
  #closeContainers(count: number): void {
    const { containers } = this.#page
    if (containers.length > count && containers.at(-1)?.isBegun === false) {
      // An empty item is seen too.
      this.#page.beginBlock(false)
      this.#page.line('')
    }
    containers.length = count
  }
}
