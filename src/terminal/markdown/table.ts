/** Lays out a table with borders. If it is too wide, the cells of each row are listed below each other. */

import { widthOf } from '../width.ts'
import type { Alignment } from './line-start.ts'
import { plain, wrapRuns, type Run } from './page.ts'
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

/** @returns lines that are not wider than `columns`. */
export function markdownTableLines(table: TableContent, columns: number, theme: Theme): string[] {
  const count = largestOf(
    table.rows.map((row) => row.length),
    table.header.length,
  )
  const all = [table.header, ...table.rows]
  const natural = Array.from({ length: count }, (_, column) =>
    largestOf(
      all.map((row) => widthOfCell(row[column])),
      1,
    ),
  )
  const widths = fitted(natural, columns - 3 * count - 1)
  return widths ? boxed(table, widths, theme) : stacked(table, columns, theme)
}

function widthOfCell(cell: Cell = []): number {
  return largestOf(wrapRuns(cell, unlimited).map(widthOf))
}

/** Narrows the widest columns first. @returns `undefined` if the columns do not fit. */
function fitted(natural: readonly number[], available: number): number[] | undefined {
  if (sum(natural) <= available) return [...natural]
  if (sum(natural.map((width) => Math.min(width, narrowest))) > available) return undefined
  let cap = narrowest
  while (sum(natural.map((width) => Math.min(width, cap + 1))) <= available) cap++
  let left = available - sum(natural.map((width) => Math.min(width, cap)))
  return natural.map((width) => (width > cap && left-- > 0 ? cap + 1 : Math.min(width, cap)))
}

function boxed({ header, rows, alignments }: TableContent, widths: readonly number[], theme: Theme): string[] {
  const edge = (left: string, cross: string, right: string): string =>
    theme.border(left + widths.map((width) => '─'.repeat(width + 2)).join(cross) + right)
  const bar = theme.border('│')
  const linesOf = (row: readonly Cell[]): string[] => {
    const cells = widths.map((width, column) => wrapRuns(row[column] ?? [], width))
    const height = largestOf(
      cells.map((lines) => lines.length),
      1,
    )
    return Array.from({ length: height }, (_, line) => {
      const parts = cells.map((lines, column) =>
        aligned(lines[line] ?? '', widths[column] ?? 0, alignments[column] ?? 'left'),
      )
      return `${bar} ${parts.join(` ${bar} `)} ${bar}`
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
function stacked({ header, rows }: TableContent, columns: number, theme: Theme): string[] {
  if (rows.length === 0) return header.flatMap((name) => wrapRuns(name, columns))
  const separator = theme.border('─'.repeat(columns))
  return rows.flatMap((row, index) => {
    const count = Math.max(row.length, header.length)
    const lines = Array.from({ length: count }, (_, column) => {
      const name = header[column]
      const before = name ? [...name, { text: ': ', appearance: plain }] : []
      return wrapRuns([...before, ...(row[column] ?? [])], columns)
    })
    return [...(index === 0 ? [] : [separator]), ...lines.flat()]
  })
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
