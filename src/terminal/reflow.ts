/** Which terminals reflow (wrap again) their contents when their width changes, and how. */

import type { Io } from '../io/io.ts'

type Env = Io['env']

/** The program that is the terminal, whatever terminal it runs in. In both, the one that TERM tells. */
export function multiplexer({ TMUX, STY, TERM = '' }: Env): 'tmux' | 'screen' | undefined {
  if (TMUX !== undefined && (STY === undefined || TERM.startsWith('tmux'))) return 'tmux'
  return STY === undefined ? undefined : 'screen'
}

/** Whether lines that are now too wide are reflowed; xterm and the Linux console truncate them. */
export function reflows(env: Env): boolean {
  return multiplexer(env) !== undefined || (env.TERM !== 'linux' && env.XTERM_VERSION === undefined)
}

/** Whether the row with the cursor is reflowed too; not in xterm.js, the terminal of VS Code. */
export function reflowsCursorRow(env: Env): boolean {
  return multiplexer(env) !== undefined || (reflows(env) && env.TERM_PROGRAM !== 'vscode')
}
