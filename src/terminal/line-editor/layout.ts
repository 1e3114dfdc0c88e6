/** What stands on the terminal while a line is being written. */

import { harmless, harmlessName } from '../../io/harmless.ts'
import { cutTo, widthOf, wrapTo } from '../width.ts'
import { boundaryFrom, graphemes, lineEnd, lineStart } from './text-boundaries.ts'

export interface Row {
  /** Comes before the text and is written as it is: the prompt, with its colours. */
  readonly lead: string
  readonly text: string
}

export interface Frame {
  readonly rows: readonly Row[]
  /** Both count from 0. */
  readonly cursor: { readonly row: number; readonly column: number }
}

export interface View {
  /** One line; it may hold colours. */
  readonly prompt: string
  readonly text: string
  /** In UTF-16 units, between two graphemes. */
  readonly cursor: number
  /** Stand below the text. */
  readonly note: string | undefined
  readonly choices: readonly string[]
}

export interface Size {
  readonly columns: number
  readonly rows: number
}

type Paint = (text: string) => string

/** Longer texts are shown around the cursor only: the screen is for the conversation. */
const tallest = 14
/** Rows of choices below the text. */
const mostChoiceRows = 6
const mostNoteRows = 4

export function drawFrame(view: View, size: Size, dim: Paint): Frame {
  const { rows, cursor } = drawText(view, size, dim)
  const room = Math.max(0, size.rows - 1 - rows.length)
  return { rows: [...rows, ...drawBelow(view, size.columns, dim).slice(0, room)], cursor }
}

/**
 * What stays on the screen of a text that was sent, as lines that the terminal itself wraps: so they wrap anew when
 * its width changes, and are copied as they were written.
 */
export function drawSent(view: View, size: Size, dim: Paint): string {
  const { rows } = drawText({ ...view, text: view.text.trimEnd(), cursor: 0 }, size, dim, { isSent: true })
  const [first = { lead: '', text: '' }, ...others] = rows
  return others.reduce(
    (lines, { lead, text, isLineStart }) => `${lines}${isLineStart ? '\r\n' : ''}${lead}${text}`,
    first.lead + first.text,
  )
}

interface TextFrame {
  readonly rows: readonly (Row & { isLineStart: boolean })[]
  readonly cursor: Layout['cursor']
}

function drawText(view: View, size: Size, dim: Paint, { isSent = false } = {}): TextFrame {
  const { text, cursor } = view
  const columns = Math.max(1, size.columns)
  // Where the prompt would leave no room for the text, it goes without.
  const prompt = widthOf(view.prompt) * 2 <= columns ? view.prompt : ''
  const indent = widthOf(prompt)
  const most = Math.max(3, Math.min(tallest, size.rows - 2))
  const layout = layOut(text, cursor, most * columns, { columns, indent })
  const seen = visible(layout, text, most)
  const beginning = (start: number): string => (start === 0 ? prompt : ' '.repeat(indent))
  const lead = ({ start, isLineStart }: TextRow): string => (isLineStart ? beginning(start) : '')
  const rows = seen.rows.map((row) => ({ lead: lead(row), text: row.text, isLineStart: row.isLineStart }))
  const marker = (hidden: string, before: string): TextFrame['rows'] =>
    hidden === ''
      ? []
      : [{ lead: before + dim(cutTo(hiddenWords(hidden), columns - indent)), text: '', isLineStart: true }]
  const above = marker(text.slice(0, seen.start), prompt)
  const below = marker(text.slice(seen.end), ' '.repeat(indent))
  return {
    rows: isSent ? [...rows, ...below] : [...above, ...rows, ...below],
    cursor: { row: seen.cursorRow + above.length, column: layout.cursor.column },
  }
}

interface Visible {
  readonly rows: readonly TextRow[]
  readonly cursorRow: number
  /** What part of the text they show. */
  readonly start: number
  readonly end: number
}

/** All rows where there is room for them, or else those around the cursor, with room for two markers. */
function visible({ rows, cursor }: Layout, text: string, most: number): Visible {
  const isWhole = rows[0]?.start === 0 && rows.at(-1)?.end === text.length && rows.length <= most
  const height = isWhole ? most : Math.max(1, most - 2)
  const first = Math.max(0, Math.min(cursor.row - Math.floor(height / 2), rows.length - height))
  const shown = rows.slice(first, first + height)
  return {
    rows: shown,
    cursorRow: cursor.row - first,
    start: shown[0]?.start ?? 0,
    end: shown.at(-1)?.end ?? text.length,
  }
}

function hiddenWords(hidden: string): string {
  const lines = hidden.split('\n').length - 1
  if (lines === 0) return `… ${hidden.length} more characters`
  return lines === 1 ? '… 1 more line' : `… ${lines} more lines`
}

function drawBelow({ note, choices }: View, columns: number, dim: Paint): Row[] {
  const lines =
    note === undefined ? choiceLines(choices.map(harmlessName), columns) : noteLines(harmlessName(note), columns)
  return lines.map((line) => ({ lead: dim(line), text: '' }))
}

/** Several rows where one is too short: how a program failed stands at the end. */
function noteLines(note: string, columns: number): string[] {
  const lines = wrapTo(note, columns)
  const rest = lines.slice(mostNoteRows - 1).join(' ')
  return lines.length <= mostNoteRows ? lines : [...lines.slice(0, mostNoteRows - 1), cutTo(rest, columns)]
}

/** Columns of equal width, filled row by row. */
function choiceLines(choices: readonly string[], columns: number): string[] {
  const widest = Math.min(columns, Math.max(0, ...choices.map(widthOf)) + 2)
  const perRow = Math.max(1, Math.floor(columns / widest))
  const lines: string[] = []
  for (let at = 0; at < choices.length; at += perRow) {
    const cells = choices.slice(at, at + perRow).map((choice) => cutTo(choice, columns))
    lines.push(
      cells
        .map((cell) => cell + ' '.repeat(Math.max(0, widest - widthOf(cell))))
        .join('')
        .trimEnd(),
    )
  }
  if (lines.length <= mostChoiceRows) return lines
  const hidden = choices.length - (mostChoiceRows - 1) * perRow
  return [...lines.slice(0, mostChoiceRows - 1), cutTo(`… ${hidden} more`, columns)]
}

/** Lays a text out in rows, as a terminal would wrap it by itself. */

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
