import type { Io } from '../../io/io.ts'
import { wrapsAnew, wrapsCursorRow } from '../reflow.ts'
import { widthOf } from '../width.ts'
import type { Frame } from './frame.ts'

/**
 * How many rows of the terminal lie above the cursor's after a change of width: most terminals wrap anew what was
 * wider than they are now.
 */
export function rowsAbove({ rows, cursor }: Frame, columns: number, env: Io['env']): number {
  if (!wrapsAnew(env)) return cursor.row
  const widths = rows.map(({ lead, text }) => widthOf(lead) + widthOf(text))
  const heights = widths.slice(0, cursor.row).map((width) => Math.max(1, Math.ceil(width / columns)))
  // At the end of a full row the cursor stands behind it, and not at the start of the next one.
  const isAtEnd = cursor.column > 0 && cursor.column >= (widths[cursor.row] ?? 0)
  const within = wrapsCursorRow(env) ? Math.floor((cursor.column - (isAtEnd ? 1 : 0)) / columns) : 0
  return heights.reduce((sum, height) => sum + height, within)
}
