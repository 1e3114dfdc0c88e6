/** Rows laid out in columns of a terminal. What is given must be plain and harmless. */

import { cutTo, widthOf, wrapTo } from './width.ts'

export interface Column {
  readonly title: string
  readonly align?: 'right'
  /** Where the terminal is too narrow the highest of these gives way first; a column without one never does. */
  readonly yields?: number
  /** The column is cut to this width before it is left out. */
  readonly minimum?: number
}

export interface TableLook {
  /** Of the terminal, in columns. */
  readonly width: number
  /** Styles a title. */
  heading(title: string): string
}

type Row = readonly string[]

/** A column with its cells, and the width it is given. */
interface Placed extends Column {
  readonly cells: readonly string[]
  readonly width: number
}

const gap = '  '

/**
 * The lines of a table under its titles. A column that is empty in all rows is left out. Where even the columns that
 * never give way don't fit side by side, the cells of a row stand below each other, without titles.
 */
export function tableLines(columns: readonly Column[], rows: readonly Row[], { width, heading }: TableLook): string[] {
  const filled = columns.map((column, index) => place(column, index, rows)).filter(({ cells }) => cells.some(Boolean))
  const fitting = fit(filled, width)
  if (totalWidth(fitting) > width && fitting.length > 1) return rows.flatMap((_row, index) => stacked(fitting, index))
  const titles = fitting.map((column) => padded(column, column.title, heading))
  const body = rows.map((_row, index) => fitting.map((column) => padded(column, column.cells[index] ?? '')))
  return [titles, ...body].map((cells) => cells.join(gap).trimEnd())
}

function place(column: Column, index: number, rows: readonly Row[]): Placed {
  const cells = rows.map((row) => row[index] ?? '')
  const width = cells.reduce((widest, cell) => Math.max(widest, widthOf(cell)), widthOf(column.title))
  return { ...column, cells, width }
}

function totalWidth(columns: readonly Placed[]): number {
  return columns.reduce((sum, column) => sum + column.width + gap.length, -gap.length)
}

/** Cuts and leaves out columns, one after the other, until the others fit or none gives way. */
function fit(columns: readonly Placed[], width: number): readonly Placed[] {
  const excess = totalWidth(columns) - width
  const [first] = columns.filter(({ yields }) => yields !== undefined).toSorted((a, b) => rank(b) - rank(a))
  if (excess <= 0 || first === undefined) return columns
  const left = first.width - excess
  if (first.minimum !== undefined && left >= first.minimum) {
    return columns.map((column) => (column === first ? { ...column, width: left } : column))
  }
  return fit(
    columns.filter((column) => column !== first),
    width,
  )
}

function rank({ yields = 0 }: Placed): number {
  return yields
}

function padded(column: Placed, text: string, style = (shown: string): string => shown): string {
  const shown = cutTo(text, column.width)
  const space = ' '.repeat(column.width - widthOf(shown))
  return column.align === 'right' ? space + style(shown) : style(shown) + space
}

function stacked(columns: readonly Placed[], index: number): string[] {
  const cells = columns.map(({ cells }) => cells[index] ?? '').filter(Boolean)
  return cells.map((cell, place) => (place === 0 ? cell : gap + cell))
}

/** The least that is left for values beside their labels, in columns. */
const narrowest = 24

/**
 * Labels with their values beside them, wrapped; below them where the terminal is too narrow for both. What is given
 * must be plain and harmless.
 * @param width Of the terminal, in columns.
 * @param styleLabel Styles a label.
 */
export function labeledLines(
  entries: readonly (readonly [label: string, value: string])[],
  width: number,
  styleLabel: (label: string) => string,
): string[] {
  const column = entries.reduce((widest, [label]) => Math.max(widest, widthOf(label)), 0) + 2
  const isRoomy = width - column >= narrowest
  const indent = ' '.repeat(isRoomy ? column : 2)
  return entries.flatMap(([label, value]) => {
    const lines = wrapTo(value, width - indent.length)
    if (!isRoomy) return [styleLabel(label), ...lines.map((line) => indent + line)]
    const space = ' '.repeat(column - widthOf(label))
    return lines.map((line, index) => (index === 0 ? styleLabel(label) + space : indent) + line)
  })
}
