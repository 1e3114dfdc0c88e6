/** The layout of the footer of the chat: what is under way, the status, queued messages, the line being edited, and a note or the list below it. */

import { type SafeText, sanitizeForTerminal, sanitizeName, noText, safe } from '../../io/text/safe-text.ts'
import type { OpenRow } from './open-row.ts'
import { layOutList, maximumListRows, type CandidateList } from './candidate-list.ts'
import { cutTo, widthOf } from '../width.ts'
import { wrapTo } from '../word-wrap.ts'
import { boundaryFrom, graphemes } from '../graphemes.ts'
import { lineEnd, lineStart } from './editing.ts'

export interface SentLine {
  /** One line; it may contain colors. */
  readonly prompt: SafeText
  readonly text: string
  /** The line above what was sent, with its end. */
  readonly above?: SafeText | undefined
}

/** The contents to lay out. */
export interface LineView extends SentLine {
  /** In UTF-16 units, between two graphemes. */
  readonly cursor: number
  /** Shown below the text instead of the list. */
  readonly note: string | undefined
  readonly list?: CandidateList | undefined
  /** Which text of the history it is; `undefined` while that is searched. */
  readonly index?: number | undefined
}

/** The terminal rows of a view. */
export interface Frame {
  readonly rows: readonly FrameRow[]
  /** Both count from 0. */
  readonly cursor: { readonly row: number; readonly column: number }
  readonly hasList?: boolean | undefined
}

export interface FrameRow {
  /** The prompt or the indent before the text, with its colors. */
  readonly lead: string
  readonly text: string
  /** The last row of the text above the footer, which is drawn with it. */
  readonly open?: OpenRow
}

export const blankRow: FrameRow = { lead: '', text: '' }

/** The frame before the first one: the cursor at the start of an empty line. */
export const emptyFrame: Frame = { rows: [blankRow], cursor: { row: 0, column: 0 } }

/** In columns. */
export function rowWidth({ lead, text, open }: FrameRow): number {
  return open?.width ?? widthOf(lead) + widthOf(text)
}

/** In rows, once the terminal has as many columns. The first one may be all of the line of which the terminal has wrapped the end. */
export function heightOf(rows: readonly FrameRow[], columns: number): number {
  return rows.reduce((sum, row) => sum + Math.max(1, Math.ceil(rowWidth(row) / columns)), 0)
}

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

type Dim = (text: string) => string

/** Only the part around the cursor is shown of longer texts, to leave the screen to the conversation. */
const maximumTextRows = 14
const leastTextRows = 3
const maximumNoteRows = 4
const maximumRows = { text: maximumTextRows, list: maximumListRows }

const leastTextColumns = 8

/** @param most How many rows the text and the list may have. */
export function layOutFrame(view: LineView, size: TerminalSize, dim: Dim, most = maximumRows): Frame {
  const { rows, cursor } = layOutView(view, size, dim, most.text)
  const { note, list } = view
  const rowsLeft = Math.max(0, size.rows - 1 - rows.length)
  const notes = note === undefined ? [] : noteLines(sanitizeName(note), size.columns).slice(0, rowsLeft)
  const listed = note === undefined ? layOutList(list, { ...size, rows: Math.min(most.list, rowsLeft) }, dim) : []
  const below = [...notes.map((text) => ({ lead: dim(text), text: '' })), ...listed]
  return { rows: [...rows, ...below], cursor, hasList: listed.length > 0 }
}

/**
 * The text that stays on the screen after it is sent. Its lines are left to the terminal to wrap, which can then reflow
 * them when its width changes, and copies them as they were written.
 */
export function layOutSent(
  { prompt, text }: SentLine,
  size: TerminalSize,
  { dim, bold }: { dim: Dim; bold: Dim },
): string {
  const { rows } = layOutView({ prompt, text: text.trimEnd(), cursor: 0 }, size, dim, maximumTextRows)
  return rows
    .map(({ lead, text, isLineStart }, index) => `${isLineStart && index > 0 ? '\n' : ''}${lead}${text && bold(text)}`)
    .join('')
}

/**
 * The prompt and the text: all rows if there are at most `maximum`, otherwise those around the cursor, with markers for the
 * others.
 */
function layOutView(
  { prompt: wanted, text, cursor }: SentLine & { cursor: number },
  size: TerminalSize,
  dim: Dim,
  most: number,
): { rows: (FrameRow & { isLineStart: boolean })[]; cursor: Frame['cursor'] } {
  const columns = Math.max(1, size.columns)
  const isFitting = columns - widthOf(wanted) >= Math.min(leastTextColumns, columns / 2)
  const prompt = isFitting ? wanted : ''
  const width = widthOf(prompt)
  const indent = ' '.repeat(width)
  const maximum = Math.max(leastTextRows, Math.min(most, size.rows - 2))
  const layout = layOutText(text, cursor, maximum * columns, { columns, indent: width })
  const { row, column } = layout.cursor
  const isWhole =
    layout.rows[0]?.start === 0 && layout.rows.at(-1)?.end === text.length && layout.rows.length <= maximum
  const height = isWhole ? maximum : Math.max(1, maximum - 2)
  const first = Math.max(0, Math.min(row - Math.floor(height / 2), layout.rows.length - height))
  const visible = layout.rows.slice(first, first + height)
  const rows = visible.map(({ text, start, isLineStart }) => ({
    lead: isLineStart ? (start === 0 ? prompt : indent) : '',
    text,
    isLineStart,
  }))
  const marker = (hidden: string, lead: string): typeof rows =>
    hidden === ''
      ? []
      : [{ lead: lead + dim(cutTo(hiddenMarker(hidden), columns - width)), text: '', isLineStart: true }]
  const above = marker(text.slice(0, visible[0]?.start ?? 0), prompt)
  const below = marker(text.slice(visible.at(-1)?.end ?? text.length), indent)
  return { rows: [...above, ...rows, ...below], cursor: { row: row - first + above.length, column } }
}

function hiddenMarker(hidden: string): string {
  const lines = hidden.split('\n').length - 1
  if (lines === 0) return `… ${hidden.length} more characters`
  return lines === 1 ? '… 1 more line' : `… ${lines} more lines`
}

/** Wrapped rather than truncated, because an error message ends with the reason. A long address in it is truncated. */
function noteLines(note: SafeText, columns: number): string[] {
  const lines = wrapTo(note, columns).map((line) => cutTo(line, columns))
  const rest = lines.slice(maximumNoteRows - 1).join(' ')
  return lines.length <= maximumNoteRows ? lines : [...lines.slice(0, maximumNoteRows - 1), cutTo(rest, columns)]
}

interface TextRow {
  readonly text: string
  /** The part of the whole text that the row shows, without the line feed. */
  readonly start: number
  readonly end: number
  /** Whether a line starts here, rather than continuing from the row above. */
  readonly isLineStart: boolean
}

/**
 * Wraps a text as a terminal does.
 * @param cells How many cells around the cursor are needed. The rest of a long text is left out, so that a key press takes
 *   no longer than in a short one.
 */
export function layOutText(
  text: string,
  cursor: number,
  cells: number,
  { columns, indent }: { columns: number; indent: number },
): { rows: readonly TextRow[]; cursor: Frame['cursor'] } {
  const from = cursor <= cells ? 0 : startNear(text, cursor - cells, cells)
  const to = Math.min(lineEnd(text, Math.min(text.length, cursor + cells)), boundaryFrom(text, cursor + 2 * cells))
  const rows: TextRow[] = []
  let cell = { row: 0, column: 0 }
  let [at, start, shown, used, isLineStart] = [from, from, '', 0, true]
  const endRow = (): void => {
    rows.push({ text: shown, start, end: at, isLineStart })
    ;[start, shown, used, isLineStart] = [at, '', 0, false]
  }
  while (at <= to) {
    isLineStart = at === lineStart(text, at)
    ;[start, used] = [at, isLineStart ? indent : 0]
    for (const grapheme of graphemes(text.slice(at, Math.min(lineEnd(text, at), to)))) {
      // Control characters become symbols; a tab becomes four spaces, because its width on the terminal is unknown.
      const symbol = grapheme === '\t' ? '    ' : sanitizeForTerminal(grapheme)
      const width = widthOf(symbol)
      // A combining accent after a tab is a separate grapheme of width 0, which would fit into a full row.
      const isCursorAfterRow = at === cursor && used >= columns
      if (used > 0 && (used + width > columns || isCursorAfterRow)) endRow()
      if (at === cursor) cell = { row: rows.length, column: used }
      shown += symbol
      used += width
      at += grapheme.length
    }
    // After a full row, the cursor is in the next one.
    if (at === cursor && used >= columns) endRow()
    if (at === cursor) cell = { row: rows.length, column: used }
    endRow()
    at++
  }
  return { rows, cursor: cell }
}

/** The start of a line; in a line of many rows, a position that does not change with every cursor move. */
function startNear(text: string, at: number, cells: number): number {
  const start = lineStart(text, at)
  return at - start <= cells ? start : boundaryFrom(text, at - ((at - start) % cells))
}

export interface FooterView {
  readonly line: LineView
  /** Whether an answer or a command runs. */
  readonly isBusy: boolean
  /** What is waited for, such as `waiting for the answer`. */
  readonly activity: SafeText | undefined
  /** The most important first: those that do not fit are left out. */
  readonly status: readonly SafeText[]
  /** Messages that are sent next, the first one first. There may be hundreds: what is shown of them is made plain. */
  readonly queued: readonly string[]
}

/** While an answer runs, a smaller terminal belongs to the answer alone. */
const smallest = { columns: 20, rows: 8 }

/** In rows: of a terminal with a list, and of the list that a long text leaves room for. */
const smallestList = { terminal: 10, rows: 4 }

const maximumQueuedRows = 4

/** In rows: the smallest part of a long text that is shown, between two markers, and one to spare. */
const smallestLine = 4

export interface FooterLook {
  readonly size: TerminalSize
  /** Whether the text does not end with a blank row. */
  readonly needsSpace: boolean
  readonly dim: Dim
}

/** @param open The open row of the text, which is the first row of the frame unless it is empty. */
export function layOutFooter(view: FooterView | undefined, open: OpenRow, look: FooterLook): Frame {
  const { size, dim } = look
  const before: FrameRow[] = open.text === '' ? [] : [{ lead: '', text: open.text, open }]
  // In the last column, terminals differ in where the cursor is.
  const columns = Math.max(1, size.columns - 1)
  const isSmall = size.columns < smallest.columns || size.rows < smallest.rows
  if (view === undefined || (view.isBusy && isSmall)) {
    const activity = view?.activity === undefined ? [] : [dimRow(cutTo(view.activity, columns), dim)]
    const rows = [...before, ...activity]
    return { rows: rows.length > 0 ? rows : emptyFrame.rows, cursor: { row: 0, column: open.width } }
  }
  const most = size.rows - smallestLine - before.length
  const texts = isSmall ? [] : rowsAboveLine(view, columns, most, look.needsSpace)
  const above = [...before, ...texts.map((text) => dimRow(text, dim))]
  const room = { columns, rows: size.rows - above.length }
  let textRows = Math.min(view.isBusy ? Math.floor(size.rows / 3) : maximumTextRows, room.rows - 2)
  let listRows = view.line.list === undefined || size.rows < smallestList.terminal ? 0 : maximumListRows
  for (;;) {
    const { rows, cursor, hasList } = layOutFrame(view.line, room, dim, { text: textRows, list: listRows })
    const frame = { rows: [...above, ...rows], cursor: { ...cursor, row: cursor.row + above.length }, hasList }
    // What a terminal scrolls out of the screen when it wraps the rows anew cannot be erased.
    const excess = heightOf(frame.rows, Math.max(1, Math.floor(size.columns / 2))) - size.rows
    if (excess <= 0 || (textRows <= leastTextRows && listRows === 0)) return frame
    if (listRows > (textRows <= leastTextRows ? 0 : smallestList.rows)) listRows -= 1
    else textRows -= Math.ceil(excess / 2)
  }
}

/** At most as many rows as the screen has room for: messages come before the status. */
function rowsAboveLine(view: FooterView, columns: number, most: number, needsSpace: boolean): SafeText[] {
  const { activity, status, queued, isBusy } = view
  const statusRow = fitting(status, columns)
  const longest = Math.min(maximumQueuedRows, Math.floor(most / 2))
  const rows = [
    ...(isBusy && needsSpace ? [noText] : []),
    ...(activity === undefined ? [] : [cutTo(activity, columns)]),
    ...(statusRow === undefined ? [] : [statusRow]),
    ...listed(queued, columns, longest),
  ]
  return rows.slice(-most)
}

/** Joins as many parts as fit; the first one is cut rather than left out. */
function fitting(parts: readonly SafeText[], columns: number): SafeText | undefined {
  const [first, ...others] = parts
  if (first === undefined) return undefined
  let row = cutTo(first, columns)
  for (const part of others) {
    const longer = safe`${row} · ${part}`
    if (widthOf(longer) > columns) break
    row = longer
  }
  return row
}

function listed(texts: readonly string[], columns: number, longest: number): SafeText[] {
  const shown = texts.length > longest ? texts.slice(0, longest - 1) : texts
  const rows = shown.map((text) => cutTo(safe`» ${sanitizeName(text.replace(/\s+/g, ' '))}`, columns))
  const hidden = texts.length - shown.length
  return hidden === 0 ? rows : [...rows, cutTo(safe`» … ${hidden} more`, columns)]
}

function dimRow(text: SafeText, dim: Dim): FrameRow {
  return { lead: dim(text), text: '' }
}
