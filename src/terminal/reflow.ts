/** What becomes of what stands on a terminal when its width changes. */

import type { Io } from '../io/io.ts'

/** Whether what is wider now than the terminal is wrapped anew; xterm, GNU screen and the Linux console cut it off. */
export function wrapsAnew({ TERM: term = '', XTERM_VERSION, STY }: Io['env']): boolean {
  return term !== 'linux' && XTERM_VERSION === undefined && STY === undefined
}

/** The same for the row with the cursor: xterm.js, the terminal in VS Code, leaves it to whoever writes there. */
export function wrapsCursorRow(env: Io['env']): boolean {
  return wrapsAnew(env) && env.TERM_PROGRAM !== 'vscode'
}
