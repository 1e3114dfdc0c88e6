/**
 * A window of tmux, which wraps, scrolls and reflows in another way than xterm.js. The server is the test's own: it is
 * controlled by its client (control mode in tmux(1)), and ends with it, however the tests end.
 */

import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { searchOutput } from './canary.ts'
import { needsCommand } from './installed.ts'
import { newTerminal, pictureOf, type Picture, type Size } from './picture.ts'
import { emptyFolder } from './run-syn.ts'
import { untilOn, type Screen, type ScreenOptions } from './terminal.ts'

/** In milliseconds, between two looks at the window: while the program writes, and while it does not. */
const [pollTime, idleTime] = [25, 150]

/** Starts a command in a new window. */
export function inTmux(
  command: string,
  argv: string[],
  env: Record<string, string>,
  { columns = 80, rows = 24, scrollback = 1000, term, folder = process.cwd() }: ScreenOptions = {},
): Screen {
  needsCommand('tmux')
  needsCommand(command)
  const setUp = [
    ['start-server'],
    // The program has all rows, which are kept when it has ended.
    ['set', '-g', 'status', 'off'],
    ['set', '-g', 'remain-on-exit', 'on'],
    ['set', '-gq', 'remain-on-exit-format', ''],
    ['set', '-g', 'destroy-unattached', 'on'],
    ['set', '-g', 'history-limit', String(scrollback)],
    ...(term === undefined ? [] : [['set', '-g', 'default-terminal', term]]),
    ['new-session', '-x', String(columns), '-y', String(rows), '-c', folder, command, ...argv],
  ].flatMap((words, index) => (index === 0 ? words : [';', ...words]))
  // The path of a socket may have 107 bytes, so it is relative to a folder whose own path may be longer.
  const client = spawn('tmux', ['-u', '-S', 'socket', '-f', '/dev/null', '-C', ...setUp], {
    cwd: emptyFolder(),
    // tmux runs nothing for a user whose shell is none.
    env: { ...env, SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const control = new Control(client.stdin, client.stdout)
  const closed = new Promise<void>((resolve) => client.on('close', () => resolve()))
  const size = { columns, rows, scrollback }
  const resize = (columns: number, rows: number): void => {
    Object.assign(size, { columns, rows })
    void control.run(`refresh-client -C ${columns}x${rows}`)
  }
  resize(columns, rows)
  const watchers = new Set<() => void>()
  const picture = pictureOf(newTerminal(size), () => control.written)
  let window: Window = { key: '', picture, pid: 0, status: undefined }
  const follow = async (): Promise<number> => {
    for (;;) {
      const changed = control.nextChange()
      window = await look(control, size, window)
      for (const watch of watchers) watch()
      if (window.status !== undefined) break
      await Promise.race([changed, sleep(idleTime)])
      // Pieces that follow each other are drawn together.
      await sleep(pollTime)
    }
    void control.run('kill-server')
    await closed
    searchOutput([command, ...argv].join(' '), control.written, window.picture.lines().join(''))
    return window.status
  }
  const ended = Promise.race([follow(), closed.then(() => window.status ?? NaN)])
  const lines = (): string[] => window.picture.lines()
  const kill = (signal: NodeJS.Signals): void => {
    try {
      process.kill(window.pid, signal)
    } catch {
      // It has ended.
    }
  }
  return {
    lines,
    cellOf: (text) => window.picture.cellOf(text),
    cells: () => window.picture.cells(),
    written: () => control.written,
    until: (condition) => untilOn({ watchers, lines, ended }, condition),
    type: (keys) => {
      const bytes = [...Buffer.from(keys)].map((byte) => byte.toString(16))
      for (let at = 0; at < bytes.length; at += 500) {
        void control.run(`send-keys -H ${bytes.slice(at, at + 500).join(' ')}`)
      }
    },
    resize,
    close: () => kill('SIGHUP'),
    hangUp: () => void control.run('kill-server'),
    kill,
    ended,
  }
}

interface Window {
  /** Its size, and what draws it. */
  readonly key: string
  /** A copy in xterm.js. */
  readonly picture: Picture
  readonly pid: number
  /** Once the program has ended. */
  readonly status: number | undefined
}

const facts = ['cursor_x', 'cursor_y', 'pane_pid', 'pane_dead', 'pane_dead_status', 'pane_dead_signal']

/** @param before The same window, which mostly has not changed. */
async function look(control: Control, size: Required<Size>, before: Window): Promise<Window> {
  const [rows, [found = '']] = await Promise.all([
    control.run('capture-pane -e -p -S -'),
    control.run(`display-message -p '${facts.map((name) => `#{${name}}`).join(',')}'`),
  ])
  const [x = 0, y = 0, pid = 0, isDead, status = 0, signal = 0] = found.split(',').map(Number)
  const ended = { pid, status: isDead === 1 ? (signal > 0 ? 128 + signal : status) : undefined }
  // No row is wrapped again.
  const drawn = `\u001b[?7l${rows.join('\r\n')}\u001b[${y + 1};${x + 1}H`
  const key = `${size.columns}x${size.rows} ${drawn}`
  if (key === before.key) return { ...before, ...ended }
  const terminal = newTerminal(size)
  await new Promise<void>((resolve) => terminal.write(drawn, resolve))
  return { ...ended, key, picture: pictureOf(terminal, () => control.written) }
}

/** Runs commands in control mode, and collects what the program writes. */
class Control {
  readonly #input: Writable
  readonly #decoder = new TextDecoder()
  #replies: ((lines: string[]) => void)[] = []
  #written = ''
  #waiting: (() => void)[] = []

  constructor(input: Writable, output: Readable) {
    this.#input = input
    // The server has gone.
    input.on('error', () => undefined)
    let rest = ''
    let block: { end: string; lines: string[] } | undefined
    // Bytes as characters: those of one character may come in two lines.
    output.setEncoding('latin1').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (block === undefined) block = this.#receive(line)
        else if (line.replace('%error', '%end') !== block.end) block.lines.push(Buffer.from(line, 'latin1').toString())
        else {
          // Flag 0: of the commands that started the client.
          if (line.endsWith(' 1')) this.#replies.shift()?.(block.lines)
          block = undefined
        }
      }
    })
  }

  get written(): string {
    return this.#written
  }

  /** Resolves when the program writes, or the size changes. */
  nextChange(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #changed(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** @returns the lines that the command prints. */
  run(command: string): Promise<string[]> {
    this.#input.write(`${command}\n`)
    return new Promise((resolve) => this.#replies.push(resolve))
  }

  #receive(line: string): { end: string; lines: string[] } | undefined {
    const [, output] = /^%output %\d+ ([^]*)$/.exec(line) ?? []
    if (output !== undefined) {
      const bytes = output.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)))
      this.#written += this.#decoder.decode(Buffer.from(bytes, 'latin1'), { stream: true })
      this.#changed()
    }
    if (line.startsWith('%layout-change ')) this.#changed()
    return line.startsWith('%begin ') ? { end: line.replace('%begin', '%end'), lines: [] } : undefined
  }
}
