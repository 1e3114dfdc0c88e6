/** A real pseudo-terminal and its screen. */

import { spawn } from '@lydell/node-pty'
import { searchOutput } from './canary.ts'
import { newTerminal, pictureOf, type Picture, type Size } from './picture.ts'
import { node, program } from './program.ts'

export interface Screen extends Picture {
  /** Resolves when the condition holds; rejects if the program ends first, or after 50 seconds. */
  until(condition: (lines: string[]) => boolean): Promise<void>
  type(keys: string): void
  /** Resizes the terminal. */
  resize(columns: number, rows: number): void
  /** Sends SIGHUP. */
  close(): void
  /** Takes the terminal away, as closing its window does. */
  hangUp(): void
  kill(signal: NodeJS.Signals): void
  /** The exit status, once all output is on the screen. */
  readonly ended: Promise<number>
}

export interface ScreenOptions extends Size {
  term?: string
  /** The working directory (default: that of the tests). */
  folder?: string
}

/** Starts a command on a new terminal. */
export function onTerminal(
  command: string,
  argv: string[],
  env: Record<string, string>,
  options: ScreenOptions = {},
): Screen {
  const terminal = newTerminal(options)
  const child = spawn(command, argv, {
    cols: terminal.cols,
    rows: terminal.rows,
    name: options.term ?? 'xterm-256color',
    cwd: options.folder ?? process.cwd(),
    env,
  })
  const watchers = new Set<() => void>()
  let written = ''
  child.onData((text) => {
    written += text
    terminal.write(text, () => {
      for (const watch of watchers) watch()
    })
  })
  const picture = pictureOf(terminal, () => written)
  const { lines } = picture
  const ended = new Promise<number>((resolve) => {
    // The last output is on the screen only when the terminal has processed it.
    child.onExit(({ exitCode, signal }) =>
      terminal.write('', () => {
        searchOutput([command, ...argv].join(' '), written, lines().join(''))
        resolve(signal ? 128 + signal : exitCode)
      }),
    )
  })
  return {
    ...picture,
    until: (condition) => untilOn({ watchers, lines, ended }, condition),
    type: (keys) => child.write(keys),
    resize: (columns, rows) => {
      terminal.resize(columns, rows)
      child.resize(columns, rows)
    },
    close: () => child.kill('SIGHUP'),
    hangUp: () => (child as unknown as { destroy(): void }).destroy(),
    kill: (signal) => child.kill(signal),
    ended,
  }
}

interface Watched {
  /** Called after each change. */
  readonly watchers: Set<() => void>
  readonly lines: () => string[]
  readonly ended: Promise<number>
}

/** See `Screen.until`. */
export function untilOn({ watchers, lines, ended }: Watched, condition: (lines: string[]) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      watchers.delete(watch)
      clearTimeout(deadline)
    }
    const fail = (why: string): void => {
      settle()
      reject(new Error(`${why}:\n${lines().join('\n')}`))
    }
    const watch = (): void => {
      if (!condition(lines())) return
      settle()
      resolve()
    }
    // Less than the timeout of a test, so that the error shows the screen.
    const deadline = setTimeout(() => fail('timed out'), 50_000)
    watchers.add(watch)
    watch()
    void ended.then((code) => fail(`ended with ${code}`))
  })
}

/** The built program on a terminal. */
export function synOnTerminal(argv: string[], env: Record<string, string>, options?: ScreenOptions): Screen {
  return onTerminal(node, [program, ...argv], env, options)
}
