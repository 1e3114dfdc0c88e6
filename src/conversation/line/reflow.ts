import type { Io } from '../../io/io.ts'
import { widthOf } from '../../render/width.ts'
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
  const within = leavesCursorRow(env) ? 0 : Math.floor((cursor.column - (isAtEnd ? 1 : 0)) / columns)
  return heights.reduce((sum, height) => sum + height, within)
}

/** xterm, GNU screen and the Linux console cut rows off instead. */
function wrapsAnew({ TERM: term = '', XTERM_VERSION, STY }: Io['env']): boolean {
  return term !== 'linux' && XTERM_VERSION === undefined && STY === undefined
}

/** xterm.js, which is the terminal in VS Code, leaves the row with the cursor to whoever writes there. */
function leavesCursorRow({ TERM_PROGRAM: program }: Io['env']): boolean {
  return program === 'vscode'
}
