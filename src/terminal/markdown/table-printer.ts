/** Lays out a table with borders. If it is too wide, the cells of each row are listed below each other. */

import { graphemes } from '../graphemes.ts'
import { hasCertainWidth, widthOf } from '../width.ts'
import type { Alignment } from './line-start.ts'
import { splitRun, plain, printWrapped, wrapRuns, type LinePrinter, type Run } from './line-printer.ts'
import type { Theme } from './theme.ts'
import { largestOf } from '../../io/arrays.ts'

type Cell = readonly Run[]

interface TableContent {
  readonly header: readonly Cell[]
  /** A row may have fewer cells than the header, or more. */
  readonly rows: readonly (readonly Cell[])[]
  readonly alignments: readonly Alignment[]
}

/** Columns are not narrowed below this width, in columns of the terminal. */
const narrowest = 8

/** Wider than any line. */
const unlimited = 1_000_000

export function printTable(table: TableContent, lines: LinePrinter, theme: Theme): void {
  const all = [table.header, ...table.rows]
  const count = largestOf(all.map((row) => row.length))
  const columns = Array.from({ length: count }, (_, column) => all.map((row) => row[column] ?? []))
  const natural = columns.map((cells) =>
    largestOf(
      cells.flatMap((cell) => wrapRuns(cell, unlimited).map(widthOf)),
      1,
    ),
  )
  const least = columns.map((cells, column) =>
    largestOf(cells.map(widthOfAddresses), Math.min(natural[column] ?? 0, narrowest)),
  )
  const widths = fitted(natural, least, lines.columns() - 3 * count - 1)
  if (!widths || theme.isSpoken) return printStacked(table, lines, theme)
  for (const line of boxed(table, widths, theme, lines.startColumn())) lines.line(line)
}

/** The width of the longest address, which is never broken. */
function widthOfAddresses(cell: Cell): number {
  const addresses = cell.flatMap(splitRun).filter(({ isWhole }) => isWhole)
  return largestOf(addresses.map(({ text }) => widthOf(text)))
}

/**
 * Narrows the widest columns first.
 * @param least The width below which a column is not narrowed.
 * @returns `undefined` if the columns do not fit.
 */
function fitted(natural: readonly number[], least: readonly number[], available: number): number[] | undefined {
  const narrowed = (cap: number): number[] =>
    natural.map((width, column) => Math.max(least[column] ?? 0, Math.min(width, cap)))
  if (sum(natural) <= available) return [...natural]
  if (sum(least) > available) return undefined
  let cap = narrowest
  while (sum(narrowed(cap + 1)) <= available) cap++
  const [widths, wider] = [narrowed(cap), narrowed(cap + 1)]
  let left = available - sum(widths)
  return widths.map((width, column) => (width < (wider[column] ?? 0) && left-- > 0 ? width + 1 : width))
}

/** Moves the cursor to a column, counted from 0. */
function goTo(column: number): string {
  return `\u001b[${column + 1}G`
}

const eraseToLineEnd = '\u001b[K'

/** Styles and links. */
const sequences = /(\u001b\[[\d;]*m|\u001b\]8;[^\u001b]*\u001b\\)/

/** What follows a character of uncertain width stands at its column, over what a terminal drew wider. */
function placed(text: string, start: number): string {
  let column = start
  let isCertain = true
  const place = (grapheme: string): string => {
    const move = isCertain ? '' : goTo(column)
    isCertain = hasCertainWidth(grapheme)
    column += widthOf(grapheme)
    return move + grapheme
  }
  return text
    .split(sequences)
    .map((part, index) => (index % 2 === 1 ? part : Array.from(graphemes(part), place).join('')))
    .join('')
}

/** Turns off auto-wrap for a row of uncertain width: a terminal that draws its characters wider must not wrap it. */
function unwrapped(row: string): string {
  return hasCertainWidth(row) ? row : `\u001b[?7l${row}\u001b[?7h`
}

/** @param start The column of the left border on the terminal. */
function boxed(
  { header, rows, alignments }: TableContent,
  widths: readonly number[],
  theme: Theme,
  start: number,
): string[] {
  const edge = (left: string, cross: string, right: string): string =>
    theme.border(left + widths.map((width) => '─'.repeat(width + 2)).join(cross) + right)
  const bar = theme.border('│')
  const linesOf = (row: readonly Cell[]): string[] => {
    const cells = widths.map((width, column) => wrapRuns(row[column] ?? [], width))
    const heights = cells.map((lines) => lines.length)
    return Array.from({ length: largestOf(heights, 1) }, (_, line) => {
      let border = start
      const parts = cells.map((lines, column) => {
        const text = lines[line] ?? ''
        const width = widths[column] ?? 0
        const shown = ` ${aligned(text, width, alignments[column] ?? 'left')} `
        border += width + 3
        if (hasCertainWidth(text)) return shown + bar
        return `${placed(shown, border - width - 2)}${goTo(border)}${eraseToLineEnd}${bar}`
      })
      return unwrapped(bar + parts.join(''))
    })
  }
  const body = rows.map(linesOf)
  // Rows of several lines need separators.
  const between = body.some((lines) => lines.length > 1) ? [edge('├', '┼', '┤')] : []
  return [
    edge('┌', '┬', '┐'),
    ...linesOf(header),
    ...(body.length > 0 ? [edge('├', '┼', '┤')] : []),
    ...body.flatMap((lines, row) => (row === 0 ? lines : [...between, ...lines])),
    edge('└', '┴', '┘'),
  ]
}

function aligned(text: string, width: number, alignment: Alignment): string {
  const padding = Math.max(0, width - widthOf(text))
  const left = alignment === 'left' ? 0 : alignment === 'right' ? padding : Math.floor(padding / 2)
  return ' '.repeat(left) + text + ' '.repeat(padding - left)
}

/** Each cell on its own line, after the name of its column. */
function printStacked({ header, rows }: TableContent, lines: LinePrinter, theme: Theme): void {
  const print = (runs: readonly Run[]): void => printWrapped(runs, lines)
  if (rows.length === 0) return header.forEach(print)
  for (const [index, row] of rows.entries()) {
    if (index > 0) lines.line(theme.border('─'.repeat(theme.isSpoken ? 0 : lines.columns())))
    for (let column = 0; column < Math.max(row.length, header.length); column++) {
      const name = header[column]
      print([...(name ? [...name, { text: ': ', appearance: plain }] : []), ...(row[column] ?? [])])
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
