/** Which terminals reflow (wrap again) their contents when their width changes. */

import type { Io } from '../io/io.ts'

/** Whether lines that are now too wide are reflowed; xterm, GNU screen and the Linux console truncate them. */
export function reflows({ TERM: term = '', XTERM_VERSION, STY }: Io['env']): boolean {
  return term !== 'linux' && XTERM_VERSION === undefined && STY === undefined
}

/** Whether the row with the cursor is reflowed too; not in xterm.js, the terminal of VS Code. */
export function reflowsCursorRow(env: Io['env']): boolean {
  return reflows(env) && env.TERM_PROGRAM !== 'vscode'
}
