/** Which terminals reflow their contents when their width changes. */

import type { Io } from '../io/io.ts'

/** Whether lines that are now too wide are wrapped again; xterm, GNU screen and the Linux console cut them off. */
export function wrapsAnew({ TERM: term = '', XTERM_VERSION, STY }: Io['env']): boolean {
  return term !== 'linux' && XTERM_VERSION === undefined && STY === undefined
}

/** Whether this includes the row with the cursor; not in xterm.js, the terminal of VS Code. */
export function wrapsCursorRow(env: Io['env']): boolean {
  return wrapsAnew(env) && env.TERM_PROGRAM !== 'vscode'
}
