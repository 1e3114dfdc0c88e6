/** A real pseudo-terminal and its screen. */

import { spawn } from '@lydell/node-pty'
import xterm, { type IBuffer, type IBufferCell } from '@xterm/headless'
import { node, program } from './program.ts'

export interface Screen {
  /** The lines, without trailing whitespace and trailing blank lines. */
  lines(): string[]
  /** The first cell of a text. */
  cellOf(text: string): IBufferCell
  /** All cells, and the cursor. */
  cells(): IBuffer
  /** Resolves when the condition holds; rejects if the program ends first, or after 50 seconds. */
  until(condition: (lines: string[]) => boolean): Promise<void>
  /** Everything written to the terminal, including escape sequences. */
  written(): string
  type(keys: string): void
  /** Resizes the terminal. */
  resize(columns: number, rows: number): void
  /** Hangs up, as closing the window does. */
  close(): void
  kill(signal: NodeJS.Signals): void
  /** The exit status, once all output is on the screen. */
  readonly ended: Promise<number>
}

export interface ScreenOptions {
  columns?: number
  rows?: number
  /** Lines of scrollback. With fewer, each check of the screen is faster. */
  scrollback?: number
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
    // The last output is on the screen only when the terminal has processed it.
    child.onExit(({ exitCode, signal }) => terminal.write('', () => resolve(signal ? 128 + signal : exitCode)))
  })
  const lines = (): string[] => {
    const { active } = terminal.buffer
    const all = Array.from(
      { length: active.length },
      // Cells beyond a reduced width still exist, but are not visible.
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
        // Less than the timeout of a test, so that the error shows the screen.
        const deadline = setTimeout(() => fail('timed out'), 50_000)
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

/** The output without the escape sequences of an uncolored spinner, which may appear or not. */
export function withoutSpinner(written: string): string {
  return written.replaceAll(/\u001b\[(\?(25|2026)[hl]|[02]?K|1G|\d*A)/g, '')
}
