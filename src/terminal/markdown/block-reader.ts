/**
 * Parses the block structure of Markdown line by line: CommonMark 0.31, chapters 4 and 5, and the tables of GFM 4.10. Used by
 * the terminal and `--extract`. Events are final, as needed for an answer that is shown while it arrives.
 *
 * Differences from CommonMark: containers nest at most 100 deep, a link reference definition has its title on the line of its
 * URL, a tag that starts an HTML block (kind 7) has no `<` or `>` in its attributes, and each line of a table starts with `|`.
 * Models often indent code in lists wrongly, and leave out the blank line after a tag. So in a list item, code continues to its
 * closing fence or to the next item, whatever its indent; and a fence ends HTML that a blank line would end.
 */

import {
  cellsOf,
  definitionOf,
  dropColumns,
  enterContainer,
  indentOf,
  isClosingFence,
  readLineStart,
  tableOf,
  type Block,
  type Container,
  type Fence,
  type HtmlEnd,
  type LineStart,
  type Rest,
  type TableHead,
} from './line-start.ts'
import { yieldIfDue } from '../../io/time/abort-signal.ts'

/** The numbers of items are those shown: repeated ones are counted up. */
export type BlockEvent =
  | { readonly kind: 'open'; readonly container: Container }
  /** The innermost container ends. */
  | { readonly kind: 'close' }
  /** A line of text is part of a paragraph; the first one starts it. An underline makes the last paragraph a heading. */
  | Exclude<Block, { readonly kind: 'row' }>
  /** A line between fences. */
  | { readonly kind: 'code'; readonly text: string }
  | ({ readonly kind: 'table' } & TableHead)
  | { readonly kind: 'row'; readonly cells: readonly string[] }
  /** The paragraph, code, HTML or table ends. */
  | { readonly kind: 'end'; readonly block: Leaf['kind']; readonly hasClosingFence?: boolean }

/** The block that the next line may continue. */
type Leaf =
  | { readonly kind: 'paragraph' }
  /** Counts as the start of a paragraph: a block that cannot interrupt a paragraph cannot follow a definition. */
  | { readonly kind: 'definition' }
  | { readonly kind: 'table' }
  | Fence
  /** `blanks`: blank lines, which are code only if code follows. */
  | { readonly kind: 'indented'; blanks: number }
  | ({ readonly kind: 'html' } & HtmlEnd)

export class BlockReader {
  #containers: { readonly container: Container; isEmpty: boolean }[] = []
  #leaf: Leaf | undefined
  /** The container that has just ended: an item after it belongs to its list. */
  #closed: Container | undefined
  /** A line that may be the header of a table, or the label of a definition; the next line decides. */
  #possibleStart: string | undefined
  #events: BlockEvent[] = []

  get isInTable(): boolean {
    return this.#leaf?.kind === 'table'
  }

  /** Whether the next line is shown as written, so that it may have any length. */
  get isVerbatim(): boolean {
    return this.#leaf?.kind === 'fence' || this.#leaf?.kind === 'html'
  }

  /**
   * @param line A line, or the beginning of one (`isWhole` false).
   * @param isLate Whether a beginning has waited for long.
   * @returns `undefined` if the rest of the line is needed to decide. Otherwise the last event of a beginning is a text, and
   *   the rest of the line belongs to it.
   */
  take(line: string, isWhole = true, isLate = false): readonly BlockEvent[] | undefined {
    const [matched, rest] = this.#enterContainers(line)
    const first = this.#possibleStart
    const isOpen = first === undefined ? this.#leaf && this.#textLeaf === 'other' : !isLate
    if (!isWhole && isOpen) return undefined
    const isInAll = matched === this.#containers.length
    // Fast path for code: nothing else of the line matters.
    if (isInAll && this.#leaf?.kind === 'fence') {
      this.#continueLeaf(rest, undefined)
      return this.#takeEvents()
    }
    const start = readLineStart(rest, isWhole, { depth: matched, isInAll, leaf: this.#textLeaf, isLate })
    if ((isInAll || this.#isUnderindentedCode(matched, start)) && this.#continueLeaf(rest, start))
      return this.#takeEvents()
    if (!start) return undefined
    if (!isInAll || isLate || !this.#continueTable(start)) this.#apply(start, matched)
    return this.#takeEvents()
  }

  /** Reads a line as text of the open paragraph, whatever it looks like. @returns `undefined` for a blank line. */
  takeText(line: string): readonly BlockEvent[] | undefined {
    const [, rest] = this.#enterContainers(line)
    if (rest.text.trim() === '') return undefined
    this.#releaseStart()
    this.#events.push({ kind: 'text', text: rest.text })
    return this.#takeEvents()
  }

  /** The end of the text: ends all blocks. */
  close(): readonly BlockEvent[] {
    this.#closeLeaf()
    this.#closeContainers(0)
    return this.#takeEvents()
  }

  get #textLeaf(): 'paragraph' | 'definition' | 'other' {
    if (this.#possibleStart !== undefined || this.#leaf?.kind === 'paragraph') return 'paragraph'
    return this.#leaf?.kind === 'definition' ? 'definition' : 'other'
  }

  #takeEvents(): readonly BlockEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  /** How many of the open containers a line is in, and the rest of the line. */
  #enterContainers(line: string): [matched: number, rest: Rest] {
    let rest: Rest = { text: line, column: 0 }
    for (const [index, { container }] of this.#containers.entries()) {
      const inner = enterContainer(container, rest)
      if (!inner) return [index, rest]
      rest = inner
    }
    return [this.#containers.length, rest]
  }

  /** Whether a line that is indented less than its list items is still code of the open fence in them. */
  #isUnderindentedCode(matched: number, start: LineStart | undefined): boolean {
    if (this.#leaf?.kind !== 'fence') return false
    const isNextItem = start?.opened.some(({ kind }) => kind === 'item')
    return !isNextItem && this.#containers.slice(matched).every(({ container }) => container.kind === 'item')
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
    const isFence = start?.opened.length === 0 && start.block.kind === 'fence'
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

  /** Reads a row of the open table, or the line that makes the line before it a header, or the label of a definition. */
  #continueTable({ opened, block }: LineStart): boolean {
    if (opened.length > 0 || (block.kind !== 'text' && block.kind !== 'row')) return false
    const first = this.#possibleStart
    if (first !== undefined) {
      const table = first.startsWith('|') && tableOf(first, block.text)
      const found = table ? { kind: 'table' as const, ...table } : definitionOf(`${first}\n${block.text.trimStart()}`)
      if (!found) return false
      this.#possibleStart = undefined
      this.#closeLeaf()
      this.#leaf = found
      this.#events.push(found)
      return true
    }
    if (this.#leaf?.kind === 'table') this.#events.push({ kind: 'row', cells: cellsOf(block.text) })
    return this.#leaf?.kind === 'table'
  }

  /** @param matched How many containers stay open. */
  #apply({ opened, block }: LineStart, matched: number): void {
    this.#releaseStart()
    const isContinued = this.#textLeaf !== 'other' && opened.length === 0
    if (isContinued && /^(text|row|definition)$/.test(block.kind)) return this.#begin(block)
    this.#closeLeaf()
    this.#closeContainers(matched)
    for (const typed of opened) {
      const container = counted(typed, this.#closed)
      this.#markFilled()
      this.#containers.push({ container, isEmpty: true })
      this.#events.push({ kind: 'open', container })
    }
    if (block.kind === 'blank' && opened.length === 0) this.#takeBlank()
    else this.#begin(block)
  }

  #begin(block: Block): void {
    if (block.kind === 'blank') return
    this.#markFilled()
    if (block.kind === 'text' || block.kind === 'row') return this.#takeText(block)
    if (block.kind === 'indented') this.#leaf = { kind: 'indented', blanks: 0 }
    else if (block.kind !== 'heading' && block.kind !== 'rule' && block.kind !== 'underline') this.#leaf = block
    if (block.kind === 'html') this.#html(block.text, block.end)
    else this.#events.push(block)
  }

  #takeText({ kind, text }: { readonly kind: 'text' | 'row'; readonly text: string }): void {
    if (kind === 'row') {
      this.#possibleStart = text
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

  /** Marks the innermost container as not empty. */
  #markFilled(): void {
    this.#closed = undefined
    const last = this.#containers.at(-1)
    if (last) last.isEmpty = false
  }

  /** Reads the possible start of a table or a definition as text. */
  #releaseStart(): void {
    const text = this.#possibleStart
    this.#possibleStart = undefined
    if (text !== undefined) this.#takeText({ kind: 'text', text })
  }

  #closeLeaf(hasClosingFence = false): void {
    this.#releaseStart()
    const leaf = this.#leaf
    this.#leaf = undefined
    if (!leaf || leaf.kind === 'definition') return
    this.#events.push({ kind: 'end', block: leaf.kind, hasClosingFence })
    if (leaf.kind === 'indented' && leaf.blanks > 0) this.#events.push({ kind: 'blank' })
  }

  /** @param count How many containers stay open. */
  #closeContainers(count: number): void {
    while (this.#containers.length > count) {
      this.#closed = this.#containers.pop()?.container
      this.#events.push({ kind: 'close' })
    }
  }
}

/**
 * The container with the number that is shown. Unlike CommonMark (5.3), numbers may be skipped, because they mean something.
 * @param previous The item before it, if there is one.
 */
function counted(container: Container, previous: Container | undefined): Container {
  if (container.kind !== 'item' || previous?.kind !== 'item' || container.delimiter !== previous.delimiter)
    return container
  if (container.number === undefined || previous.number === undefined) return container
  return { ...container, number: Math.max(container.number, previous.number + 1) }
}

/**
 * The contents of the blocks that are not blank, each line with its line feed. A block without a closing fence extends to the end.
 * @throws the signal's reason if it aborts meanwhile.
 */
export async function fencedBlocks(markdown: string, signal?: AbortSignal): Promise<string[]> {
  const reader = new BlockReader()
  const blocks: string[] = []
  let open: string[] | undefined
  const collect = (events: readonly BlockEvent[] = []): void => {
    for (const event of events) {
      if (event.kind === 'fence') open = []
      else if (event.kind === 'code') open?.push(`${event.text}\n`)
      else if (event.kind === 'end' && event.block === 'fence') blocks.push((open ?? []).join(''))
    }
  }
  const lines = markdown.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  for (const line of lines) {
    collect(reader.take(line))
    await yieldIfDue(signal)
  }
  collect(reader.close())
  return blocks.filter((block) => block.trim() !== '')
}
