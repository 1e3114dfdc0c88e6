/** A window of GNU screen, which wraps its rows anew at a resize in a way of its own. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyFolder } from './run-syn.ts'
import { onTerminal, type Screen, type ScreenOptions } from './terminal.ts'

export interface GnuScreen extends Screen {
  /** All rows that the command has left, once it has ended. */
  rows(): Promise<string[]>
}

/** In rows: higher than all that tests write. */
const height = 300

const isOver = 'the command has ended'

/** Starts a command in a new window. */
export function inGnuScreen(
  command: string,
  argv: string[],
  env: Record<string, string>,
  options: ScreenOptions = {},
): GnuScreen {
  const folder = emptyFolder()
  // It ends with its terminal, however the tests end.
  writeFileSync(join(folder, 'screenrc'), 'startup_message off\ndefscrollback 1000\nautodetach off\n')
  const { folder: own = process.cwd() } = options
  const kept = ['sh', '-c', `cd "$0" && "$@"; echo ${isOver}; exec cat`, own, command, ...argv]
  // The path of its socket may have 107 bytes, so it is relative.
  const all = { LANG: 'C.UTF-8', ...env, SCREENDIR: '.' }
  const screen = onTerminal('screen', ['-U', '-c', 'screenrc', ...kept], all, { ...options, folder })
  const rows = async (): Promise<string[]> => {
    await screen.until((lines) => lines.includes(isOver))
    // So high that all rows are on the screen again: its own copy of those above leaves some out after a resize.
    screen.resize(options.columns ?? 80, height)
    // The rows above those of the screen are put there, blank ones too.
    await screen.until((lines) => lines.lastIndexOf(isOver) > height / 2)
    const lines = screen.lines()
    screen.type('\u0004')
    await screen.ended
    return lines.slice(lines.findIndex(Boolean), lines.lastIndexOf(isOver))
  }
  return { ...screen, rows }
}
