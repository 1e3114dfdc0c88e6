/** The footer of the chat: what is under way, the status, queued messages, and the line being edited. */

import { noText, safe, type SafeText, sanitizeName } from '../../io/text/safe-text.ts'
import type { OpenRow } from './open-row.ts'
import { cutTo, widthOf } from '../width.ts'
import { maximumListRows } from './candidate-list.ts'
import { emptyFrame, heightOf } from './frame-update.ts'
import {
  layOutFrame,
  leastTextRows,
  maximumTextRows,
  type Dim,
  type Frame,
  type LineView,
  type FrameRow,
  type TerminalSize,
} from './layout.ts'

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

/** As many parts as fit; the first one is cut rather than left out. */
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
