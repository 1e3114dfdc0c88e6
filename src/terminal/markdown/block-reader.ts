/**
 * The block structure of Markdown, line by line: CommonMark 0.31, chapters 4 and 5, and the tables of GFM 4.10. The terminal,
 * `--extract` and exported conversations all read blocks here. It never goes back: an event is final, which an answer that is
 * shown while it arrives needs.
 *
 * Known differences from CommonMark: containers nest at most 100 deep, a link reference definition is one line, a tag that
 * begins an HTML block of its own has no `<` or `>` in its attributes, and each line of a table begins with `|`. Models
 * indent code in lists carelessly, and leave out the blank line after a tag: in a list item code goes on to its closing
 * fence, or to the next item, however its lines are indented, and a fence ends HTML that a blank line would end.
 */

import {
  cellsOf,
  dropColumns,
  enter,
  indentOf,
  isClosingFence,
  readLineStart,
  tableOf,
  type Block,
  type Container,
  type Definition,
  type Fence,
  type HtmlEnd,
  type LineStart,
  type Rest,
  type TableHead,
} from './line-start.ts'

export type BlockEvent =
  | { readonly kind: 'open'; readonly container: Container }
  /** The innermost container ends. */
  | { readonly kind: 'close' }
  | { readonly kind: 'blank' }
  /** A line of a paragraph without its indent; the first one begins the paragraph. */
  | { readonly kind: 'text'; readonly text: string }
  /** The paragraph that has just ended is a heading (setext). */
  | { readonly kind: 'underline'; readonly depth: 1 | 2 }
  | { readonly kind: 'heading'; readonly depth: number; readonly text: string }
  | { readonly kind: 'rule' }
  | Fence
  /** A line between fences. */
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'indented'; readonly text: string }
  | { readonly kind: 'html'; readonly text: string }
  | Definition
  | ({ readonly kind: 'table' } & TableHead)
  | { readonly kind: 'row'; readonly cells: readonly string[] }
  /** The paragraph, code, HTML or table ends. */
  | { readonly kind: 'end'; readonly block: Leaf['kind']; readonly hasClosingFence?: boolean }

/** The block that the next line may continue. */
type Leaf =
  | { readonly kind: 'paragraph' }
  /** Definitions are the beginning of a paragraph: what can't interrupt one can't follow them. */
  | { readonly kind: 'definition' }
  | { readonly kind: 'table' }
  | Fence
  /** Blank lines are code only if code follows. */
  | { readonly kind: 'indented'; blanks: number }
  | ({ readonly kind: 'html' } & HtmlEnd)

export class BlockReader {
  readonly #isStrict: boolean
  #containers: { readonly container: Container; isEmpty: boolean }[] = []
  #leaf: Leaf | undefined
  /** A line that may be the header of a table: the next line decides. */
  #row: string | undefined
  #events: BlockEvent[] = []

  /** @param options With `isStrict`, careless code is read as other programs read it: for text that is meant for them. */
  constructor({ isStrict = false } = {}) {
    this.#isStrict = isStrict
  }

  /** How many containers are open. */
  get depth(): number {
    return this.#containers.length
  }

  get isInTable(): boolean {
    return this.#leaf?.kind === 'table'
  }

  /** What would end the open block, where the end of its container does not: a fence, or the end of an HTML element. */
  get missingEnd(): string | undefined {
    if (this.#leaf?.kind === 'fence') return this.#leaf.marker
    return this.#leaf?.kind === 'html' ? this.#leaf.closer : undefined
  }

  /**
   * @param line A line, or with `isWhole` false the beginning of one.
   * @returns undefined when the rest of the line decides. Otherwise the last event of a beginning is a text, and the rest of
   * the line belongs to it.
   */
  take(line: string, isWhole = true): readonly BlockEvent[] | undefined {
    if (!isWhole && (this.#row !== undefined || (this.#leaf && this.#textLeaf === 'other'))) return undefined
    const [matched, rest] = this.#enter(line)
    const isInAll = matched === this.#containers.length
    // Most lines of code: nothing else need be read of them.
    if (isInAll && this.#leaf?.kind === 'fence') {
      this.#continueLeaf(rest, undefined)
      return this.#takeEvents()
    }
    const start = readLineStart(rest, isWhole, { depth: matched, isInAll, leaf: this.#textLeaf })
    if ((isInAll || this.#isCodeOfItem(matched, start)) && this.#continueLeaf(rest, start)) return this.#takeEvents()
    if (!start) return undefined
    if (!isInAll || !this.#continueTable(start)) this.#apply(start, matched)
    return this.#takeEvents()
  }

  /** Takes a line as text of the open paragraph, whatever it looks like. @returns undefined for a blank line. */
  takeText(line: string): readonly BlockEvent[] | undefined {
    const [, rest] = this.#enter(line)
    return rest.text.trim() === '' ? undefined : [{ kind: 'text', text: rest.text }]
  }

  /** The text is over: ends all blocks. */
  close(): readonly BlockEvent[] {
    this.#closeLeaf()
    this.#closeContainers(0)
    return this.#takeEvents()
  }

  get #textLeaf(): 'paragraph' | 'definition' | 'other' {
    if (this.#row !== undefined || this.#leaf?.kind === 'paragraph') return 'paragraph'
    return this.#leaf?.kind === 'definition' ? 'definition' : 'other'
  }

  #takeEvents(): readonly BlockEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  /** How many of the open containers a line is in, and what is left of it. */
  #enter(line: string): [matched: number, rest: Rest] {
    let rest: Rest = { text: line, column: 0 }
    for (const [index, { container }] of this.#containers.entries()) {
      const inner = enter(container, rest)
      if (!inner) return [index, rest]
      rest = inner
    }
    return [this.#containers.length, rest]
  }

  /** Whether a line that is indented less than the list items it may be in is code of the fence in them. */
  #isCodeOfItem(matched: number, start: LineStart | undefined): boolean {
    const left = this.#containers.slice(matched)
    const isNextItem = start?.opened.some(({ kind }) => kind === 'item') ?? false
    return (
      !this.#isStrict &&
      this.#leaf?.kind === 'fence' &&
      left.every(({ container }) => container.kind === 'item') &&
      !isNextItem
    )
  }

  /** @returns whether the line is part of the open code or HTML block. */
  #continueLeaf(rest: Rest, start: LineStart | undefined): boolean {
    const leaf = this.#leaf
    if (leaf?.kind === 'fence') {
      if (isClosingFence(rest, leaf)) this.#closeLeaf(true)
      else this.#events.push({ kind: 'code', text: dropColumns(rest, Math.min(leaf.indent, indentOf(rest))).text })
      return true
    }
    if (leaf?.kind === 'indented') return this.#continueIndented(leaf, rest)
    if (leaf?.kind !== 'html') return false
    const isFence = !this.#isStrict && start?.opened.length === 0 && start.block.kind === 'fence'
    const isOver = rest.text.trim() === '' || isFence
    if (!leaf.end && isOver) return false
    this.#html(rest.text, leaf.end)
    return true
  }

  #continueIndented(code: { blanks: number }, rest: Rest): boolean {
    if (rest.text.trim() === '') {
      code.blanks++
      return true
    }
    if (indentOf(rest) < 4) return false
    for (; code.blanks > 0; code.blanks--) this.#events.push({ kind: 'indented', text: '' })
    this.#events.push({ kind: 'indented', text: dropColumns(rest, 4).text })
    return true
  }

  #html(text: string, end: RegExp | undefined): void {
    this.#events.push({ kind: 'html', text })
    if (end?.test(text)) this.#closeLeaf()
  }

  /** Takes a row of the open table, or the line that makes a table of the row before it. */
  #continueTable({ opened, block }: LineStart): boolean {
    if (opened.length > 0 || (block.kind !== 'text' && block.kind !== 'row')) return false
    if (this.#row !== undefined) {
      const table = tableOf(this.#row, block.text)
      if (!table) return false
      this.#row = undefined
      this.#closeLeaf()
      this.#leaf = { kind: 'table' }
      this.#events.push({ kind: 'table', ...table })
      return true
    }
    if (this.#leaf?.kind === 'table') this.#events.push({ kind: 'row', cells: cellsOf(block.text) })
    return this.#leaf?.kind === 'table'
  }

  /** @param matched How many containers stay open. */
  #apply({ opened, block }: LineStart, matched: number): void {
    this.#releaseRow()
    if (this.#textLeaf !== 'other' && opened.length === 0) {
      if (block.kind === 'text' || block.kind === 'row') return this.#takeText(block)
      if (block.kind === 'definition') return this.#begin(block)
    }
    this.#closeLeaf()
    this.#closeContainers(matched)
    for (const container of opened) {
      this.#fill()
      this.#containers.push({ container, isEmpty: true })
      this.#events.push({ kind: 'open', container })
    }
    if (block.kind === 'blank' && opened.length === 0) this.#takeBlank()
    else this.#begin(block)
  }

  #begin(block: Block): void {
    if (block.kind !== 'blank') this.#fill()
    switch (block.kind) {
      case 'text':
      case 'row':
        return this.#takeText(block)
      case 'html':
        this.#leaf = { kind: 'html', end: block.end, closer: block.closer }
        return this.#html(block.text, block.end)
      case 'blank':
        return undefined
      case 'indented':
        this.#leaf = { kind: 'indented', blanks: 0 }
        break
      case 'definition':
        this.#leaf = { kind: 'definition' }
        break
      case 'fence':
        this.#leaf = block
        break
      case 'heading':
      case 'rule':
      case 'underline':
        break
    }
    this.#events.push(block)
  }

  #takeText({ kind, text }: { readonly kind: 'text' | 'row'; readonly text: string }): void {
    if (kind === 'row') {
      this.#row = text
      return
    }
    this.#leaf = { kind: 'paragraph' }
    this.#events.push({ kind, text })
  }

  #takeBlank(): void {
    const last = this.#containers.at(-1)
    // An item may begin with an empty line, but not with two.
    if (last?.container.kind === 'item' && last.isEmpty) this.#closeContainers(this.#containers.length - 1)
    this.#events.push({ kind: 'blank' })
  }

  /** The innermost container has content. */
  #fill(): void {
    const last = this.#containers.at(-1)
    if (last) last.isEmpty = false
  }

  /** What looked like the header of a table is text. */
  #releaseRow(): void {
    const text = this.#row
    this.#row = undefined
    if (text !== undefined) this.#takeText({ kind: 'text', text })
  }

  #closeLeaf(hasClosingFence = false): void {
    this.#releaseRow()
    const leaf = this.#leaf
    this.#leaf = undefined
    if (!leaf || leaf.kind === 'definition') return
    this.#events.push({ kind: 'end', block: leaf.kind, hasClosingFence })
    if (leaf.kind === 'indented' && leaf.blanks > 0) this.#events.push({ kind: 'blank' })
  }

  /** @param count How many stay open. */
  #closeContainers(count: number): void {
    while (this.#containers.length > count) {
      this.#containers.pop()
      this.#events.push({ kind: 'close' })
    }
  }
}
