/** The only file that touches the process: its streams, signals and exit code. */

import { fstatSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { isatty, type WriteStream } from 'node:tty'
import { setFlagsFromString } from 'node:v8'
import { FailedError, InterruptedError, BrokenPipeError } from './errors.ts'
import type { Io, Sink } from './io/io.ts'
import { StandardInput, type InputKind } from './io/standard-input.ts'
import { run } from './cli/run.ts'

// On Node 20 V8 goes on optimising the HTTP parser's WebAssembly at exit, for about 75 ms; newer versions don't.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--liftoff-only')

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const stopping = new AbortController()
let restoring = ''

/** @param perform Resolves with the exit code. */
export async function main(perform: (argv: string[], io: Io) => Promise<number> = run): Promise<void> {
  for (const name of signals) process.on(name, stop)
  process.on('exit', restore)

  // Never process.exit here: it would cut piped output at 64 KiB. Node drains and leaves by itself.
  process.exitCode = await perform(process.argv.slice(2), processIo())

  // From here on a signal ends the process as it ends any other.
  for (const name of signals) process.off(name, stop)
}

function processIo(): Io {
  return {
    in: new StandardInput(inputKind(), () => process.stdin),
    out: sinkOf(process.stdout),
    err: forgiving(sinkOf(process.stderr)),
    env: process.env,
    platform: process.platform,
    signal: stopping.signal,
    now: Date.now,
    suspend,
    restoreAtExit: (sequence) => void (restoring = sequence),
  }
}

function stop(name: NodeJS.Signals): void {
  const number = constants.signals[name]
  // Asked a second time: whatever still holds the run up must not hold the user up.
  if (stopping.signal.aborted) process.exit(128 + number)
  stopping.abort(new InterruptedError(number))
}

/** Node itself ends the raw mode, also after a crash. */
function restore(): void {
  try {
    if (restoring !== '') writeSync(1, restoring)
  } catch {
    // The terminal is gone.
  }
}

function suspend(): Promise<void> {
  return new Promise((resolve) => {
    process.kill(0, 'SIGTSTP')
    // The run stands still before this line. Where nobody could let it go on, the system doesn't stop it at all.
    setImmediate(resolve)
  })
}

function inputKind(): InputKind {
  try {
    const stat = fstatSync(0)
    if (stat.isFIFO()) return 'pipe'
    if (stat.isFile()) return 'file'
    if (stat.isSocket()) return 'socket'
    return isatty(0) ? 'terminal' : 'none'
  } catch {
    return 'none'
  }
}

function sinkOf(stream: WriteStream): Sink {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' && stream === process.stdout) stopping.abort(new BrokenPipeError())
  })
  return {
    // Typed as true, but absent off a terminal.
    isTerminal: Boolean(stream.isTTY),
    stream: stream.isTTY ? stream : undefined,
    columns: () => stream.columns || 80,
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => {
          if (error) reject(writeFailure(error))
          else resolve()
        })
      }),
  }
}

/** Nobody listening to notices must not cost the answer. */
function forgiving(sink: Sink): Sink {
  return { ...sink, write: (text) => sink.write(text).catch(() => undefined) }
}

function writeFailure(error: NodeJS.ErrnoException): Error {
  if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') return new BrokenPipeError()
  return new FailedError(`can't write the output: ${error.message}`)
}
