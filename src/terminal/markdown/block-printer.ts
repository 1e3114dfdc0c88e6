/** Prints the blocks of a Markdown text as they arrive. */

import { widthOf } from '../width.ts'
import type { BlockEvent } from './block-reader.ts'
import type { Container, Definition, Fence, TableHead } from './line-start.ts'
import type { Inline } from './inline.ts'
import type { Highlighter } from './highlight.ts'
import { languageOf } from './languages.ts'
import { plain, printWrapped, withPaint, type LinePrinter, type ShownContainer } from './line-printer.ts'
import { Paragraph } from './paragraph.ts'
import { printTable } from './table-printer.ts'
import type { Theme } from './theme.ts'

/** In characters: to lay out such a table takes up to 200 ms, while no signal is handled. */
const longestTable = 32_000

/** A table, or the part of a long one that is not printed yet. */
interface BufferedTable extends TableHead {
  readonly rows: (readonly string[])[]
  /** How many characters the rows have. */
  characters: number
  /** How many cells the longest row has. */
  columns: number
  /** Whether a part was printed. */
  readonly isContinued: boolean
}

export class BlockPrinter {
  readonly #lines: LinePrinter
  readonly #inline: Inline
  readonly #theme: Theme
  readonly #containers: ShownContainer[] = []
  paragraph: Paragraph | undefined
  #fence: Fence | undefined
  /** Colors the code once its language is loaded. */
  #highlighter: Highlighter | undefined
  /** Held back until its last row, because any row may widen the columns. A long one is printed in parts. */
  #table: BufferedTable | undefined
  /** Whether lines of indented code or HTML were printed and more may follow. */
  #isInLines = false
  /** Whether a line of text is open, and more of it may follow. */
  isInText = false
  /** Resolves when the language of the code is loaded, which the next line waits for. */
  loading: Promise<void> | undefined

  constructor(lines: LinePrinter, inline: Inline, theme: Theme) {
    this.#lines = lines
    this.#inline = inline
    this.#theme = theme
    lines.containers = this.#containers
  }

  print(events: readonly BlockEvent[]): void {
    for (const event of events) {
      this.endLine()
      this.#print(event)
    }
  }

  endLine(): void {
    if (this.isInText) this.paragraph?.endLine()
    this.isInText = false
  }

  #print(event: BlockEvent): void {
    const [lines, theme] = [this.#lines, this.#theme]
    switch (event.kind) {
      case 'open':
        return void this.#containers.push(this.#printed(event.container))
      case 'close':
        return this.#close()
      case 'blank':
        return lines.noteBlank()
      case 'text':
        this.paragraph ??= new Paragraph(lines, this.#inline)
        this.isInText = true
        return this.paragraph.beginLine(event.text)
      case 'heading':
        return this.#heading(event.depth, event.text)
      case 'underline':
        // The heading was already printed as a paragraph.
        this.#rule(event.depth === 1 ? '═' : '─')
        return lines.spaceAfter()
      case 'rule':
        lines.beginBlock(true)
        return this.#rule('─')
      case 'fence':
        return this.#beginFence(event)
      case 'code':
        return lines.line(this.#highlighted(event.text))
      case 'indented':
        this.#beginLines(true)
        if (event.text === '') return lines.line('')
        return lines.line(theme.keepsMarks ? `    ${event.text}` : theme.codeBlock(event.text))
      case 'html':
        this.#beginLines(false)
        return lines.line(event.text)
      case 'definition':
        this.#inline.define(event)
        lines.beginBlock(false)
        return this.#definition(event)
      case 'table':
        this.#beginTable(event, false)
        return undefined
      case 'row':
        return this.#table && this.#addRow(this.#table, event.cells)
      case 'end':
        return this.#end(event.hasClosingFence === true)
    }
  }

  #end(hasClosingFence: boolean): void {
    if (this.#fence && hasClosingFence && this.#theme.keepsMarks) this.#lines.line(this.#fence.marker)
    if (this.#table && (this.#table.rows.length > 0 || !this.#table.isContinued)) this.#printTable(this.#table)
    this.paragraph?.end()
    this.paragraph = undefined
    this.#fence = undefined
    this.#highlighter = undefined
    this.#table = undefined
    this.#isInLines = false
  }

  #close(): void {
    if (this.#containers.at(-1)?.isBegun === false) {
      // An empty item is shown, too.
      this.#lines.beginBlock(false)
      this.#lines.line('')
    }
    this.#containers.pop()
  }

  #heading(depth: number, text: string): void {
    const { title, heading: section, subheading, minorHeading } = this.#theme
    const paint = [title, section, subheading][depth - 1] ?? minorHeading
    const hashes = this.#theme.keepsMarks ? `${'#'.repeat(depth)} ` : ''
    const appearance = withPaint(plain, paint)
    this.#lines.beginBlock(true)
    printWrapped([{ text: hashes, appearance }, ...this.#inline.runs(text, appearance)], this.#lines)
  }

  #definition({ text, label, href }: Definition): void {
    const appearance = withPaint(plain, this.#theme.target)
    const start = text.indexOf(href, `[${label}]:`.length)
    const end = start + href.length
    const runs = [
      { text: text.slice(0, start), appearance },
      { text: href, appearance, isWhole: true },
      { text: text.slice(end), appearance },
    ]
    printWrapped(runs, this.#lines)
  }

  #rule(character: string): void {
    if (!this.#theme.isSpoken) this.#lines.line(this.#theme.rule(character.repeat(this.#lines.columns())))
  }

  #beginLines(isSpaced: boolean): void {
    if (!this.#isInLines) this.#lines.beginBlock(isSpaced)
    this.#isInLines = true
  }

  /** Code has no frame, so that it can be copied from the screen; the terminal wraps its long lines. */
  #beginFence(fence: Fence): void {
    this.#fence = fence
    this.#lines.beginBlock(true)
    if (this.#theme.keepsMarks) return this.#lines.line(fence.marker + fence.info)
    if (fence.info !== '') this.#lines.line(this.#theme.label(fence.info))
    const language = languageOf(fence.info)
    if (language === undefined) return undefined
    this.loading = import('./highlight.ts')
      .then(({ loadHighlighter }) => loadHighlighter(language, this.#theme))
      .then((highlighter) => {
        if (this.#fence === fence) this.#highlighter = highlighter
      })
      // Code is readable without colors.
      .catch(() => undefined)
      .finally(() => void (this.loading = undefined))
    return undefined
  }

  #highlighted(line: string): string {
    if (this.#highlighter) return this.#highlighter(line)
    return line.trim() === '' ? line : this.#theme.codeBlock(line)
  }

  #beginTable(head: TableHead, isContinued: boolean): BufferedTable {
    const { header, alignments } = head
    this.#table = { header, alignments, rows: [], characters: 0, columns: header.length, isContinued }
    return this.#table
  }

  #addRow(buffered: BufferedTable, cells: readonly string[]): void {
    const characters = cells.reduce((sum, cell) => sum + cell.length, 0)
    const columns = Math.max(buffered.columns, cells.length)
    const size = buffered.characters + characters + columns * (buffered.rows.length + 1)
    const isFull = buffered.rows.length > 0 && size > longestTable
    if (isFull) this.#printTable(buffered)
    const table = isFull ? this.#beginTable(buffered, true) : buffered
    table.rows.push(cells)
    table.characters += characters
    table.columns = Math.max(table.columns, cells.length)
  }

  #printTable({ header, alignments, rows }: BufferedTable): void {
    this.#lines.beginBlock(true)
    const head = withPaint(plain, this.#theme.tableHead)
    const table = {
      header: header.map((cell) => this.#inline.runs(cell, head)),
      rows: rows.map((row) => row.map((cell) => this.#inline.runs(cell))),
      alignments,
    }
    printTable(table, this.#lines, this.#theme)
  }

  #printed(container: Container): ShownContainer {
    const { kind } = container
    const bar = `${this.#theme.bar('│')} `
    if (kind === 'quote') return { kind, first: bar, rest: bar, isBegun: false }
    const { number, delimiter, isDone } = container
    // Aligns the numbers of lists up to 99.
    const marker = number === undefined ? [] : [`${number}${delimiter}`.padStart(3)]
    const box = isDone === undefined ? [] : [isDone ? '☑' : '☐']
    const depth = this.#containers.filter((outer) => outer.kind === 'item').length
    const shown = [...marker, ...box].join(' ') || bullets[depth % bullets.length]
    const first = `${this.#theme.bullet(`${shown}`)} `
    return { kind, first, rest: ' '.repeat(widthOf(first)), isBegun: false }
  }
}

const bullets = ['•', '◦', '▪'] as const
