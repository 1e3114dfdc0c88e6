/** Runs the program in this process, with streams and an environment of its own. */

import { randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { ServiceClock } from '../../src/io/time/service-clock.ts'
import { InputBudget } from '../../src/io/process/input-budget.ts'
import { terminalSink, type Io, type Sink } from '../../src/io/io.ts'
import { StandardInput, type InputKind } from '../../src/io/process/standard-input.ts'
import { run } from '../../src/cli/run.ts'
import { searchOutput } from './canary.ts'
import { passTime, testNow } from './clock.ts'

export interface RunOptions {
  /** The content of standard input, its chunks, or the stream itself (default: closed). */
  stdin?: string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array> | Readable
  stdinKind?: InputKind
  env?: Record<string, string>
  /** Whether standard output and standard error are terminals. */
  isTerminal?: boolean
  columns?: number
  /** Called for each write to standard output; the write completes when it resolves. */
  onWrite?: (text: string) => Promise<void> | void
  /** The same for standard error. */
  onNotice?: (text: string) => Promise<void> | void
  signal?: AbortSignal
  onFirstSignal?: Io['onFirstSignal']
  /** Default: a clock of the tests. */
  now?: Io['now']
  /** The user ID that it runs with (default: that of this process). */
  user?: number
  /** In bytes: counts as input that was read before, so that a test of the limit needs no input of that size. */
  inputBefore?: number
}

export interface Outcome {
  code: number
  out: string
  err: string
}

/** A new folder, for example for HOME. */
export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'syn-test-'))
}

/** For HOME, where most runs write nothing: a folder that does not exist. To make one takes as long as to parse a command line. */
export function absentFolder(): string {
  return join(tmpdir(), `syn-test-${randomUUID()}`)
}

/** A file where a folder is wanted: nothing can be made or read below it. */
export function emptyFile(): string {
  const path = join(emptyFolder(), 'file')
  writeFileSync(path, '')
  return path
}

/** @param parts Their `env` gets a HOME, unless it has one. */
export function testIo(parts: Pick<Io, 'in' | 'out' | 'err' | 'env'> & Partial<Io>): Io {
  const clocks = { now: parts.now ?? testNow, elapsed: parts.elapsed ?? parts.now ?? testNow }
  return {
    platform: 'linux',
    user: process.geteuid?.(),
    inputBudget: new InputBudget(),
    signal: new AbortController().signal,
    onFirstSignal: () => undefined,
    leaveInterrupts: () => () => undefined,
    onUncaught: () => () => undefined,
    ...clocks,
    serviceClock: new ServiceClock(clocks),
    suspend: () => Promise.resolve(),
    restoreAtExit: () => undefined,
    killAtExit: (start) => {
      const child = start()
      return [child, () => killGroup(child.pid ?? NaN)]
    },
    ...parts,
    env: { HOME: absentFolder(), ...parts.env },
  }
}

/** Kills a program that a run in this process started, with all that the program started. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // All of its processes have exited.
  }
}

/** Standard input that fails the test when it is read. */
export function unreadInput(kind: InputKind = 'none'): StandardInput {
  return new StandardInput(kind, () => {
    throw new Error('standard input must not be read')
  })
}

export async function runSyn(argv: string[], options: RunOptions = {}): Promise<Outcome> {
  passTime()
  const out = new Recorder(options, options.onWrite)
  const err = new Recorder(options, options.onNotice)
  const kind = options.stdinKind ?? (options.stdin === undefined ? 'none' : 'pipe')
  const io = testIo({
    in: new StandardInput(kind, () =>
      // Questions for one key set raw mode, which only a terminal's stream has.
      Object.assign(streamOf(options.stdin ?? ''), { setRawMode: () => undefined }),
    ),
    out: out.sink,
    err: err.sink,
    env: options.env ?? {},
    inputBudget: new InputBudget(options.inputBefore),
    ...(options.signal && { signal: options.signal }),
    ...(options.onFirstSignal && { onFirstSignal: options.onFirstSignal }),
    ...(options.now && { now: options.now }),
    ...(options.user !== undefined && { user: options.user }),
  })
  const code = await run(argv, io)
  const texts = { out: out.text(), err: err.text() }
  searchOutput(argv.join(' '), texts.out, texts.err)
  return { code, ...texts }
}

function streamOf(stdin: NonNullable<RunOptions['stdin']>): Readable {
  if (stdin instanceof Readable) return stdin
  return Readable.from(typeof stdin === 'string' || stdin instanceof Uint8Array ? [Buffer.from(stdin)] : stdin)
}

class Recorder {
  readonly sink: Sink
  readonly #chunks: Buffer[] = []

  constructor({ isTerminal = false, columns = 80, stdinKind }: RunOptions, onWrite?: RunOptions['onWrite']) {
    const write = async (text: string | Uint8Array): Promise<void> => {
      this.#chunks.push(Buffer.from(text))
      await onWrite?.(Buffer.from(text).toString())
    }
    // Only on an interactive terminal: for the questions that a library draws.
    const isWatched = isTerminal && stdinKind === 'terminal'
    const stream = isWatched ? (this.#writable(columns) as WriteStream) : undefined
    this.sink = isTerminal
      ? terminalSink(write, { window: stream, stream, columns: () => columns })
      : { isTerminal, columns: () => columns, write }
  }

  #writable(columns: number): Writable {
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#chunks.push(chunk)
        done()
      },
    })
    return Object.assign(stream, { columns })
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }
}
