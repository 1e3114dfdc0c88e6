/** A window of tmux, which wraps, scrolls and reflows in another way than xterm.js. */

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { emptyFolder } from './run-syn.ts'
import { onTerminal, untilOn, type Screen, type ScreenOptions } from './terminal.ts'

/** In milliseconds, between two looks at the window. */
const pollTime = 25

/** Starts a command in a new window, whose rows are those of tmux, with its history. */
export function inTmux(
  command: string,
  argv: string[],
  env: Record<string, string>,
  { columns = 80, rows = 24 }: ScreenOptions = {},
): Screen {
  // The path of a socket may have 107 bytes, so it is relative to a folder whose own path may be longer.
  const folder = emptyFolder()
  const tmux = ['-u', '-S', 'socket', '-f', '/dev/null']
  const setUp = [
    ['start-server'],
    // The program has all rows.
    ['set', '-g', 'status', 'off'],
    // The server ends with the tests.
    ['set', '-g', 'destroy-unattached', 'on'],
    ['new-session', '-c', process.cwd(), command, ...argv],
    ['pipe-pane', 'cat > written'],
  ].flatMap((words, index) => (index === 0 ? words : [';', ...words]))
  // tmux runs nothing for a user whose shell is none.
  const outer = onTerminal('tmux', [...tmux, ...setUp], { ...env, SHELL: '/bin/sh' }, { columns, rows, folder })
  const watchers = new Set<() => void>()
  let shown: string[] = []
  const ending = new AbortController()
  void outer.ended.then(() => ending.abort())
  const follow = async (): Promise<void> => {
    for (; !ending.signal.aborted; await sleep(pollTime)) {
      const capture = ['capture-pane', '-p', '-S', '-']
      // Without the window, the program has not started or has ended.
      const { stdout } = await promisify(execFile)('tmux', [...tmux, ...capture], { cwd: folder }).catch(() => ({
        stdout: '',
      }))
      shown = stdout.trimEnd().split('\n')
      for (const watch of watchers) watch()
    }
  }
  void follow()
  const written = join(folder, 'written')
  return {
    ...outer,
    lines: () => shown,
    written: () => (existsSync(written) ? readFileSync(written, 'utf8') : ''),
    until: (condition) => untilOn({ watchers, lines: () => shown, ended: outer.ended }, condition),
  }
}
