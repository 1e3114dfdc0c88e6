/** Tables and labeled values for a terminal. All text must be free of styles. */

import { largestOf } from '../io/arrays.ts'
import { joinSafe, noText, safe, type SafeText, sanitizeName } from '../io/text/safe-text.ts'
import { unstyled, type Paint } from './style.ts'
import { cutTo, padTo, widthOf } from './width.ts'
import { wrapTo } from './word-wrap.ts'

export interface Column {
  readonly title: string
  readonly align?: 'right'
  /** In a table that is too wide, the column with the highest number is truncated or dropped first; without one, never. */
  readonly shrinkOrder?: number
  /** The column is truncated to at least this width before it is dropped; without it, it is not truncated. */
  readonly minimum?: number
}

export interface TableLook {
  /** The columns of the terminal. */
  readonly width: number
  /** Styles a title, or a label. */
  readonly heading: Paint
}

type TableRow = readonly SafeText[]

/** In columns: a longer cell is cut, and is still wider than any terminal. */
const widestCell = 1000

/** A column with its cells and its width. */
interface FilledColumn extends Column {
  readonly cells: readonly SafeText[]
  readonly width: number
}

const gap = safe`  `

/**
 * The lines of a table, titles first. A column that is empty in all rows is left out. If the columns do not fit side by
 * side even when shrunk, the cells of each row are listed below each other, without titles.
 */
export function tableLines(
  columns: readonly Column[],
  rows: readonly TableRow[],
  { width, heading }: TableLook,
): SafeText[] {
  const filled = columns.map((column, index) => fill(column, index, rows)).filter(({ cells }) => cells.some(Boolean))
  const fitting = fit(filled, width)
  if (totalWidth(fitting) > width && fitting.length > 1) return rows.flatMap((_row, index) => stacked(fitting, index))
  const titles = fitting.map((column) => padded(column, sanitizeName(column.title), heading))
  const body = rows.map((_row, index) => fitting.map((column) => padded(column, column.cells[index] ?? noText)))
  return [titles, ...body].map((cells) => joinSafe(cells, gap).trimEnd())
}

function fill(column: Column, index: number, rows: readonly TableRow[]): FilledColumn {
  const cells = rows.map((row) => cutTo(row[index] ?? noText, widestCell))
  const width = largestOf(cells.map(widthOf), widthOf(column.title))
  return { ...column, cells, width }
}

function totalWidth(columns: readonly FilledColumn[]): number {
  return columns.reduce((sum, column) => sum + column.width + gap.length, -gap.length)
}

/** Truncates and drops columns, one after the other, until the table fits or no column can shrink. */
function fit(columns: readonly FilledColumn[], width: number): readonly FilledColumn[] {
  const excess = totalWidth(columns) - width
  const [first] = columns
    .filter(({ shrinkOrder }) => shrinkOrder !== undefined)
    .toSorted((a, b) => (b.shrinkOrder ?? 0) - (a.shrinkOrder ?? 0))
  if (excess <= 0 || first === undefined) return columns
  const left = first.width - excess
  if (first.minimum !== undefined && left >= first.minimum) {
    return columns.map((column) => (column === first ? { ...column, width: left } : column))
  }
  const others = columns.filter((column) => column !== first)
  return fit(others, width)
}

function padded(column: FilledColumn, text: SafeText, style = unstyled): SafeText {
  const shown = cutTo(text, column.width)
  if (column.align === 'right') return safe`${safe` `.repeat(column.width - widthOf(shown))}${style(shown)}`
  return padTo(style(shown), column.width)
}

function stacked(columns: readonly FilledColumn[], index: number): SafeText[] {
  const cells = columns.map(({ cells }) => cells[index] ?? noText).filter(Boolean)
  return cells.map((cell, index) => (index === 0 ? cell : safe`${gap}${cell}`))
}

type Label = readonly [label: SafeText, linesFor: (columns: number) => readonly SafeText[]]

/** Labels with their lines next to them; below them if fewer than `minimum` columns would be left there. */
export function labeledLines(entries: readonly Label[], { width, heading }: TableLook, minimum: number): SafeText[] {
  const column = largestOf(entries.map(([label]) => widthOf(label))) + gap.length
  const isSideBySide = width - column >= minimum
  const indent = isSideBySide ? safe` `.repeat(column) : gap
  return entries.flatMap(([label, linesFor]) => {
    const lines = linesFor(width - indent.length)
    if (!isSideBySide) return [...wrapTo(label, width).map(heading), ...lines.map((line) => safe`${indent}${line}`)]
    return lines.map((line, index) => safe`${index === 0 ? padTo(heading(label), column) : indent}${line}`)
  })
}
