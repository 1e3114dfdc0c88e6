/** A real pseudo-terminal and its screen. */

import { closeSync, constants as fileConstants, fstatSync, openSync, readdirSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { ReadStream, WriteStream } from 'node:tty'
import * as pty from '@lydell/node-pty'
import type { Terminal } from '@xterm/headless'
import { run } from '../../src/cli/run.ts'
import { InterruptedError } from '../../src/errors.ts'
import { terminalSink, type Sink } from '../../src/io/io.ts'
import { StandardInput } from '../../src/io/process/standard-input.ts'
import { keepNonBlocking } from '../../src/io/process/nonblocking-terminal.ts'
import { searchOutput } from './canary.ts'
import { needsCommand } from './installed.ts'
import { newTerminal, pictureOf, type Picture, type Size } from './picture.ts'
import { node, program } from './program.ts'
import { testIo } from './run-syn.ts'

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

/** In columns: a message is one row, whatever the length of the path of the temporary folder in it. */
export const wide = 1000

/** Starts a command on a new terminal. */
export function onTerminal(
  command: string,
  argv: string[],
  env: Record<string, string>,
  options: ScreenOptions = {},
): Screen {
  needsCommand(command)
  const shown = new Shown([command, ...argv], options)
  const child = spawnOn(shown, command, argv, env, options)
  const ended = new Promise<number>((resolve) => {
    child.onExit(({ exitCode, signal }) => shown.end(() => resolve(signal ? 128 + signal : exitCode)))
  })
  return {
    ...shown.screen(ended),
    type: (keys) => child.write(keys),
    resize: (columns, rows) => {
      shown.terminal.resize(columns, rows)
      child.resize(columns, rows)
    },
    close: () => child.kill('SIGHUP'),
    hangUp: () => (child as unknown as { destroy(): void }).destroy(),
    kill: (signal) => child.kill(signal),
    ended,
  }
}

/** Keys as hands type them: in one read, what follows an Enter would be a paste without brackets, but for a key such as End. */
export function byHand(keys: string): string {
  return keys.replace(/(?<=\r)(?=[^\r])/g, '\u0005')
}

const defaultTerm = 'xterm-256color'

function spawnOn(
  shown: Shown,
  command: string,
  argv: string[],
  env: Record<string, string>,
  { term = defaultTerm, folder = process.cwd() }: ScreenOptions,
): pty.IPty {
  const { cols, rows } = shown.terminal
  const child = pty.spawn(command, argv, { cols, rows, name: term, cwd: folder, env })
  child.onData((text) => shown.write(text))
  return child
}

/**
 * Written after all else, and not shown: when a process has ended, node-pty reads for 200 ms more only, and what a busy machine
 * had no time for is lost.
 */
const endMark = '\u001b]end\u0007'

/** What a program has written to a terminal. */
class Shown {
  readonly terminal: Terminal
  readonly #words: string[]
  readonly #watchers = new Set<() => void>()
  readonly #picture: Picture
  #written = ''
  /** The end of it. */
  #tail = ''
  #setMarked = (): void => undefined
  /** Resolves when `endMark` has arrived. */
  readonly marked = new Promise<void>((resolve) => (this.#setMarked = resolve))

  /** @param words The command, for the report of a key in its output. */
  constructor(words: string[], size: Size) {
    this.terminal = newTerminal(size)
    this.#words = words
    this.#picture = pictureOf(this.terminal, () => this.#written)
  }

  write(text: string): void {
    this.#written += text
    // Searching all of it would copy it for each piece: 16 ms after 10 MB, and the program would wait for its reader.
    this.#tail = (this.#tail + text).slice(-text.length - endMark.length)
    if (this.#tail.includes(endMark)) {
      this.#tail = ''
      this.#written = this.#written.replace(endMark, '')
      this.#setMarked()
    }
    this.terminal.write(text, () => {
      for (const watch of this.#watchers) watch()
    })
  }

  /** @param done Called when the terminal has processed the last output. */
  end(done: () => void): void {
    this.terminal.write('', () => {
      searchOutput(this.#words.join(' '), this.#written, this.#picture.lines().join(''))
      done()
    })
  }

  screen(ended: Promise<number>): Picture & Pick<Screen, 'until'> {
    const { lines } = this.#picture
    const watched = { watchers: this.#watchers, lines, ended }
    return { ...this.#picture, until: (condition) => untilOn(watched, condition) }
  }
}

/** See `Screen.until`. @param watched Its watchers are called after each change. */
export function untilOn(
  { watchers, lines, ended }: { watchers: Set<() => void>; lines: () => string[]; ended: Promise<number> },
  condition: (lines: string[]) => boolean,
): Promise<void> {
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

export interface SynOptions extends ScreenOptions {
  /** Whether a test needs a process: for signals, which Ctrl-C sends unless the chat reads it, and for its end. */
  asProcess?: boolean
}

/**
 * The program on a terminal: in this process, because Node takes far longer to start than most tests take, unless a test
 * needs a process. On the other versions of Node that `npm run test:long` tries, it is always the built program.
 */
export function synOnTerminal(argv: string[], env: Record<string, string>, options: SynOptions = {}): Screen {
  return needsProcess(env, options)
    ? onTerminal(node, [program, ...argv], env, options)
    : inThisProcess(run, argv, env, options)
}

export function needsProcess(env: Record<string, string>, { asProcess = false }: SynOptions): boolean {
  const isOther = process.env.SYN_TEST_NODE !== undefined
  return asProcess || isOther || Object.entries(env).some(([name, value]) => isOfProcess(name, value))
}

/** Whether it is Node that reads a variable of the environment, or another program on the same terminal. */
function isOfProcess(name: string, value: string): boolean {
  return name === 'TZ' ? value !== 'UTC' : /^(NODE_.*|EDITOR|VISUAL)$/.test(name)
}

/** Only a process gets the signals of its terminal. @param perform As `main` of main.ts takes it. */
export function inThisProcess(
  perform: typeof run,
  argv: string[],
  env: Record<string, string>,
  options: ScreenOptions,
): Screen {
  const shown = new Shown(['syn', ...argv], options)
  const previous = process.cwd()
  if (options.folder !== undefined) process.chdir(options.folder)
  const { master, resize, streams } = openTerminal(shown)
  const stopping = new AbortController()
  let restoring = ''
  const io = testIo({
    in: new StandardInput('terminal', () => streams.in),
    out: sinkOf(streams.out),
    err: sinkOf(streams.err),
    env: { ...env, TERM: options.term ?? defaultTerm },
    now: Date.now,
    signal: stopping.signal,
    restoreAtExit: (sequence) => void (restoring = sequence),
  })
  const refuseSignal = (): never => {
    throw new Error('only a process gets signals: set asProcess')
  }
  const performed = async (): Promise<number> => {
    try {
      return await perform(argv, io)
    } finally {
      // A Ctrl-C that was typed last may arrive only now: out of raw mode, the terminal drops what it has not shown yet.
      streams.in.setRawMode(true)
      streams.out.end(restoring + endMark)
      await shown.marked
      for (const stream of Object.values(streams)) stream.destroy()
      master.destroy()
      process.chdir(previous)
      await new Promise<void>((resolve) => shown.end(resolve))
    }
  }
  const ended = performed()
  return {
    ...shown.screen(ended),
    type: (keys) => master.write(keys),
    resize: (columns, rows) => {
      shown.terminal.resize(columns, rows)
      resize(columns, rows)
      for (const stream of [streams.out, streams.err]) refreshSize(stream)
    },
    close: () => stopping.abort(new InterruptedError(constants.signals.SIGHUP)),
    hangUp: refuseSignal,
    kill: refuseSignal,
    ended,
  }
}

/** Missing in the types of node-pty. Its `kill` and `destroy` must not be called: without a process, they signal all. */
interface WithoutProcess {
  readonly _master: WriteStream
  readonly _slave: ReadStream & { readonly _handle: { readonly fd: number } }
  readonly ptsName: string
  resize(columns: number, rows: number): void
}

/**
 * Opens a terminal without a process, and its streams as a process has them. To start one, if only to hold the terminal, takes
 * longer than most tests.
 */
function openTerminal(shown: Shown) {
  const { open } = pty as unknown as { open(size: { cols: number; rows: number }): WithoutProcess }
  const opened = open({ cols: shown.terminal.cols, rows: shown.terminal.rows })
  const { _master: master, _slave: slave, ptsName } = opened
  master.on('data', (text: string) => shown.write(text))
  // The end of the terminal is an error of its reader.
  master.on('error', () => undefined)
  const { rdev } = statSync(ptsName)
  const descriptors = readdirSync('/proc/self/fd').map(Number)
  const left = descriptors.filter((one) => one !== slave._handle.fd && rdevOf(one) === rdev)
  const file = openSync(ptsName, fileConstants.O_RDWR | fileConstants.O_NOCTTY)
  const streams = { in: new ReadStream(file), out: new WriteStream(file), err: new WriteStream(file) }
  // Node has opened the terminal again for each, also for that of node-pty, which would take what is typed.
  for (const one of [file, ...left]) closeSync(one)
  slave.destroy()
  return { master, streams, resize: opened.resize.bind(opened) }
}

/** @returns `undefined` for the descriptor with which the others were listed. */
function rdevOf(descriptor: number): number | undefined {
  try {
    return fstatSync(descriptor).rdev
  } catch {
    return undefined
  }
}

/** The sink that main.ts makes for a terminal. */
function sinkOf(stream: WriteStream): Sink {
  // A terminal whose reader is this process must not make it wait.
  keepNonBlocking(stream)
  const write = (text: string): Promise<void> =>
    new Promise((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())))
  const window = Object.assign(stream, { refresh: () => refreshSize(stream) })
  return terminalSink(write, { window, stream, columns: () => stream.columns })
}

/** Node does so at SIGWINCH. */
function refreshSize(stream: WriteStream): void {
  if (!stream.destroyed) (stream as unknown as { _refreshSize(): void })._refreshSize()
}
