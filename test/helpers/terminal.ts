/** A real pseudo-terminal, and what a person sees on it. */

import { spawn } from '@lydell/node-pty'
import xterm, { type IBuffer, type IBufferCell } from '@xterm/headless'
import { node, program } from './program.ts'

export interface Screen {
  /** Lines as they stand there, without white space at their ends and blank lines at the end. */
  lines(): string[]
  /** The cell where this text begins. */
  cellOf(text: string): IBufferCell
  /** All cells, and where the cursor is. */
  cells(): IBuffer
  /** Resolves when the screen is so; fails when the program ends before it is, or after 50 seconds. */
  until(condition: (lines: string[]) => boolean): Promise<void>
  /** All that was written to the terminal, escape sequences included. */
  written(): string
  type(keys: string): void
  /** Makes the terminal another size, as dragging its corner does. */
  resize(columns: number, rows: number): void
  /** Ends the program as a window that is closed does. */
  close(): void
  kill(signal: NodeJS.Signals): void
  /** The exit status, when all that was written is on the screen. */
  readonly ended: Promise<number>
}

export interface ScreenOptions {
  columns?: number
  rows?: number
  /** How many lines are kept of what has left the screen: of few of them each look costs little. */
  scrollback?: number
  term?: string
  /** Where the program starts; here when absent. */
  folder?: string
}

/** Starts a command on a terminal of its own. */
export function onTerminal(
  command: string,
  argv: string[],
  env: Record<string, string>,
  options: ScreenOptions = {},
): Screen {
  const size = { cols: options.columns ?? 80, rows: options.rows ?? 24 }
  const terminal = new xterm.Terminal({ ...size, scrollback: options.scrollback ?? 1000, allowProposedApi: true })
  const child = spawn(command, argv, {
    ...size,
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
  const ended = new Promise<number>((resolve) => {
    // What came last is on the screen only when the terminal has taken it.
    child.onExit(({ exitCode, signal }) => terminal.write('', () => resolve(signal ? 128 + signal : exitCode)))
  })
  const lines = (): string[] => {
    const { active } = terminal.buffer
    const all = Array.from(
      { length: active.length },
      // What lies beyond a width that has shrunk is kept, but not seen.
      (_, row) => active.getLine(row)?.translateToString(false, 0, terminal.cols).trimEnd() ?? '',
    )
    while (all.at(-1) === '') all.pop()
    return all
  }
  return {
    lines,
    cellOf: (text) => {
      const row = lines().findIndex((line) => line.includes(text))
      const column = lines()[row]?.indexOf(text) ?? -1
      const cell = terminal.buffer.active.getLine(row)?.getCell(column)
      if (!cell) throw new Error(`${text} is not on the screen: ${lines().join('\n')}`)
      return cell
    },
    cells: () => terminal.buffer.active,
    until: (condition) =>
      new Promise((resolve, reject) => {
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
        // Below the time that a test has, so that the screen is told.
        const deadline = setTimeout(() => fail('it never came to be'), 50_000)
        watchers.add(watch)
        watch()
        void ended.then((code) => fail(`ended with ${code}`))
      }),
    written: () => written,
    type: (keys) => child.write(keys),
    resize: (columns, rows) => {
      terminal.resize(columns, rows)
      child.resize(columns, rows)
    },
    close: () => child.kill('SIGHUP'),
    kill: (signal) => child.kill(signal),
    ended,
  }
}

/** The built program on a terminal. */
export function synOnTerminal(argv: string[], env: Record<string, string>, options?: ScreenOptions): Screen {
  return onTerminal(node, [program, ...argv], env, options)
}

/** What was written but for the ways in which an uncoloured spinner draws and erases itself: it may come or not. */
export function withoutSpinner(written: string): string {
  return written.replaceAll(/\u001b\[(\?(25|2026)[hl]|[02]?K|1G|\d*A)/g, '')
}
