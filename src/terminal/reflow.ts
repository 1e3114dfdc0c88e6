/** Which terminals reflow (wrap again) their contents when their width changes, and how. */

import type { Io } from '../io/io.ts'

type Env = Io['env']

/** Whether tmux or GNU screen is the terminal, whatever terminal it runs in. */
function isMultiplexed({ TMUX, STY }: Env): boolean {
  return TMUX !== undefined || STY !== undefined
}

/** Whether lines that are now too wide are reflowed; xterm and the Linux console truncate them. */
export function reflows(env: Env): boolean {
  return isMultiplexed(env) || (env.TERM !== 'linux' && env.XTERM_VERSION === undefined)
}

/** Whether the row with the cursor is reflowed too; not in xterm.js, the terminal of VS Code. */
export function reflowsCursorRow(env: Env): boolean {
  return isMultiplexed(env) || (reflows(env) && env.TERM_PROGRAM !== 'vscode')
}
