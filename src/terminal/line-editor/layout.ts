/** Lays a text out in rows, as a terminal would wrap it by itself. */

import { harmless } from '../../io/harmless.ts'
import { widthOf } from '../width.ts'
import { boundaryFrom, graphemes } from './graphemes.ts'
import { lineEnd, lineStart } from './words.ts'

export interface TextRow {
  readonly text: string
  /** Where it begins and ends in the whole text; the line feed is not part of it. */
  readonly start: number
  readonly end: number
  /** Whether a line begins here, rather than going on from the row above. */
  readonly isLineStart: boolean
}

export interface Layout {
  readonly rows: readonly TextRow[]
  readonly cursor: { readonly row: number; readonly column: number }
}

interface Measures {
  /** Of the terminal. */
  readonly columns: number
  /** Columns before the text of each line. */
  readonly indent: number
}

/**
 * @param cells How many cells around the cursor are wanted. The rest of a long text is left out, so that a key in it
 *   takes no longer than in a short one.
 */
export function layOut(text: string, cursor: number, cells: number, measures: Measures): Layout {
  const from = cursor <= cells ? 0 : startNear(text, cursor - cells, cells)
  const to = Math.min(lineEnd(text, Math.min(text.length, cursor + cells)), boundaryFrom(text, cursor + 2 * cells))
  const rows: TextRow[] = []
  let place = { row: 0, column: 0 }
  for (let start = from; start <= to;) {
    const end = Math.min(lineEnd(text, start), to)
    const isLineStart = start === lineStart(text, start)
    const line = layOutLine(text.slice(start, end), cursor - start, measures, isLineStart)
    if (line.cursor) place = { row: rows.length + line.cursor.row, column: line.cursor.column }
    for (const row of line.rows) rows.push({ ...row, start: row.start + start, end: row.end + start })
    start = end + 1
  }
  return { rows, cursor: place }
}

/** The start of a line, or a place in a line of many rows that stays the same while the cursor moves about it. */
function startNear(text: string, at: number, cells: number): number {
  const start = lineStart(text, at)
  return at - start <= cells ? start : boundaryFrom(text, at - ((at - start) % cells))
}

interface Line {
  readonly rows: TextRow[]
  readonly cursor: Layout['cursor'] | undefined
}

function layOutLine(line: string, cursor: number, { columns, indent }: Measures, isLineStart: boolean): Line {
  const rows: TextRow[] = []
  let place: Layout['cursor'] | undefined
  let shown = ''
  let used = isLineStart ? indent : 0
  let start = 0
  let at = 0
  const endRow = (): void => {
    rows.push({ text: shown, start, end: at, isLineStart: isLineStart && rows.length === 0 })
    ;[shown, used, start] = ['', 0, at]
  }
  for (const grapheme of graphemes(line)) {
    const cell = shownAs(grapheme)
    const width = widthOf(cell)
    // An accent behind a blank that stands for a tab is no part of it, and has no width.
    const isCursorBehindRow = at === cursor && used >= columns
    if (used > 0 && (used + width > columns || isCursorBehindRow)) endRow()
    if (at === cursor) place = { row: rows.length, column: used }
    shown += cell
    used += width
    at += grapheme.length
  }
  // Behind a full row the cursor stands in the next one.
  if (at === cursor && used >= columns) endRow()
  if (at === cursor) place = { row: rows.length, column: used }
  endRow()
  return { rows, cursor: place }
}

/** Control characters as symbols; a tab as blanks, because nobody knows how wide a terminal makes it. */
function shownAs(grapheme: string): string {
  return grapheme === '\t' ? '    ' : harmless(grapheme)
}
