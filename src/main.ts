/** The only file that touches the process: its streams, signals and exit code. */

import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { constants } from 'node:os'
import { isatty, ReadStream, type WriteStream } from 'node:tty'
import { BrokenPipeError, FailedError, InternalError, InterruptedError, reasonOf, SynError } from './errors.ts'
import { onAbort, yieldIfDue } from './io/time/abort-signal.ts'
import { ServiceClock } from './io/time/service-clock.ts'
import { InputBudget } from './io/process/input-budget.ts'
import { statsOf } from './io/files/stats.ts'
import { inOneFile, terminalSink, type Io, type Sink } from './io/io.ts'
import { noText } from './io/text/safe-text.ts'
import { pause, startTimer } from './io/time/time.ts'
import { StandardInput, type InputKind } from './io/process/standard-input.ts'
import { keepNonBlocking } from './io/process/nonblocking-terminal.ts'
import { run } from './cli/run.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const stopping = new AbortController()
/** Whether all output was handed over, and the exit status is known. */
let isDone = false
let restoring = noText
let firstHandler: Parameters<Io['onFirstSignal']>[0]
/** What the first signal's handler got. */
let ending: InterruptedError | undefined
/** The latest comes last. */
const uncaughtHandlers: ((error: unknown) => boolean)[] = []
/** How many other programs Ctrl-C is for at the moment. */
let othersOnTerminal = 0
/** The leaders of the process groups that do not outlive this process. */
const groups = new Set<number>()
/** Whether the terminal is gone: then each write to it fails, which is no further signal. */
let isHungUp = false
/** When the latest signal took effect, as `performance.now()`. */
let signaledAt = -Infinity

/**
 * In milliseconds: a signal that comes again so soon is the same one. Ctrl-C and timeout(1) signal the whole process group,
 * and parents such as npx pass on what they get.
 */
const repeatTime = 250

/** In milliseconds: how long a run that was stopped waits for a reader that stands still, such as a slow terminal. */
const drainTimeout = 250

/** In milliseconds: how long a run may take to end after an error that nothing caught, and that may be why it does not. */
const crashTimeout = 5000

/** @param perform Resolves with the exit status. */
export async function main(perform: (argv: string[], io: Io) => Promise<number> = run): Promise<void> {
  // Windows would look for programs in the working directory first, which may be somebody else's.
  if (process.platform === 'win32') process.env.NoDefaultCurrentDirectoryInExePath = '1'
  for (const name of signals) process.on(name, handleSignal)
  process.on('uncaughtException', handleUncaught)
  process.on('exit', restore)
  process.on('exit', killGroups)
  process.on('exit', reportIncomplete)
  process.on('exit', closeLostTerminals)
  process.on('exit', endAtOnce)
  // Beyond `ulimit -f` a write then fails with EFBIG. Without a listener of ours, signal-exit, which proper-lockfile loads,
  // lets the signal end the run without a word.
  process.on('SIGXFSZ', () => undefined)

  // Never process.exit here: it would truncate piped output at 64 KiB. Node exits once everything is written.
  process.exitCode = await perform(process.argv.slice(2), processIo()).catch((error: unknown) => {
    // Even errors cannot be reported.
    process.off('uncaughtException', handleUncaught)
    throw error
  })
  isDone = true

  const { signal } = stopping
  const reason = signal.aborted ? (signal.reason as SynError) : ending
  if (reason) await exitSoon(reason)
}

/** Ends a run that was stopped, even if its output cannot be written, or standard input is still open. */
async function exitSoon({ code }: SynError): Promise<never> {
  const drained = Promise.all([process.stdout, process.stderr].map((stream) => writeTo(stream, '')))
  const exitCode = await Promise.race([
    drained.then(() => process.exitCode).catch(() => process.exitCode),
    pause(drainTimeout).then(() => code),
  ])
  process.exit(exitCode)
}

/**
 * Node gives signals back their default effect while it takes itself down, for up to 20 ms in which one would end a run whose
 * output is whole, and make would delete that. At this event all is written.
 */
function endAtOnce(): void {
  if (isDone && !isHungUp) process.exit()
}

function processIo(): Io {
  const out = sinkOf(process.stdout)
  // A closed standard error must not end the run.
  const err = sinkOf(process.stderr, { ignoresErrors: true })
  const clocks = { now: Date.now, elapsed: () => performance.now() }
  return {
    in: new StandardInput(inputKind(), () => withoutLostModes(process.stdin, 0)),
    inputBudget: new InputBudget(),
    ...(areOneFile() ? inOneFile(out, err) : { out, err }),
    env: process.env,
    platform: process.platform,
    user: process.geteuid?.(),
    signal: stopping.signal,
    onFirstSignal: (handler) => void (firstHandler = handler),
    leaveInterrupts,
    onUncaught,
    ...clocks,
    serviceClock: new ServiceClock(clocks),
    terminalBeside,
    suspend,
    restoreAtExit: (sequence) => void (restoring = sequence),
    killAtExit,
  }
}

/** A terminal that has hung up has no modes: to leave raw mode would fail, which readline throws. */
function withoutLostModes<Stream extends ReadStream>(terminal: Stream, descriptor: number): Stream {
  const { setRawMode } = ReadStream.prototype
  return Object.assign(terminal, {
    setRawMode: (mode: boolean) => (isatty(descriptor) ? setRawMode.call(terminal, mode) : terminal),
  })
}

function terminalBeside(): StandardInput | undefined {
  if (!isatty(2) || !isInForeground()) return undefined
  return new StandardInput('terminal', () => {
    const descriptor = openSync('/dev/tty', 'r')
    const terminal = withoutLostModes(new ReadStream(descriptor), descriptor)
    // Only a pause of stdin itself ends reading: what is typed after the question is the shell's.
    return terminal.on('pause', () => setImmediate(() => terminal.destroy()))
  })
}

/** Whether the process group of this process is the one that the terminal on standard error reads for. */
function isInForeground(): boolean {
  try {
    // Behind the program's name in parentheses: state, parent, group, session, terminal, and the group in its foreground (proc(5)).
    const [, , group, , terminal, foreground] =
      readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return group === foreground && Number(terminal) === fstatSync(2).rdev
  } catch {
    const { spawnSync } = process.getBuiltinModule('node:child_process')
    const shown = spawnSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], { encoding: 'utf8' })
    return /^\s*(\d+)\s+\1\s*$/.test(shown.stdout)
  }
}

function handleSignal(name: NodeJS.Signals): void {
  if ((name === 'SIGHUP' && isHangUpIgnored()) || (name === 'SIGINT' && othersOnTerminal > 0)) return
  isHungUp ||= name === 'SIGHUP'
  const reason = new InterruptedError(constants.signals[name])
  // Only a reader that is slow can still lack some of the output.
  if (isDone) return void exitSoon(reason)
  const isRepeated = performance.now() - signaledAt <= repeatTime
  const handler = firstHandler
  if (stopping.signal.aborted) {
    // Exit even if cleaning up hangs.
    if (!isRepeated) process.exit(reason.code)
  } else if (!handler && !isRepeated) {
    signaledAt = performance.now()
    stopping.abort(reason)
  } else if (handler) {
    signaledAt = performance.now()
    firstHandler = undefined
    ending = reason
    handler(reason)
  }
}

/**
 * Whether the run was started to go on without its terminal, as by nohup. Node takes back that SIGHUP is ignored, so only traces
 * of it are left: nohup redirects stdout and stderr, makes stdin unreadable, and bash names it in `_`; and a shell that
 * ignores the signal itself is still there.
 */
function isHangUpIgnored(): boolean {
  if (isatty(1) || isatty(2)) return false
  const isNamed = /(^|\/)nohup$/.test(process.env._ ?? '')
  return isNamed || isNullForWriting(0) || isIgnoredByParent(constants.signals.SIGHUP)
}

function isNullForWriting(descriptor: number): boolean {
  try {
    if (fstatSync(descriptor).rdev !== statSync('/dev/null').rdev) return false
    readSync(descriptor, Buffer.alloc(1))
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EBADF'
  }
}

/** On Linux. */
function isIgnoredByParent(signal: number): boolean {
  try {
    const [, mask = '0'] = /^SigIgn:\s*([\da-f]+)$/m.exec(readFileSync(`/proc/${process.ppid}/status`, 'utf8')) ?? []
    return ((BigInt(`0x${mask}`) >> BigInt(signal - 1)) & 1n) === 1n
  } catch {
    return false
  }
}

function leaveInterrupts(): () => void {
  const ignore = (): void => undefined
  othersOnTerminal++
  process.on('SIGQUIT', ignore)
  return () => {
    othersOnTerminal--
    process.off('SIGQUIT', ignore)
  }
}

function onUncaught(handler: (error: unknown) => boolean): () => void {
  uncaughtHandlers.push(handler)
  return () => void uncaughtHandlers.splice(uncaughtHandlers.indexOf(handler), 1)
}

/**
 * Node itself would print a stack trace and end at once, without what had arrived of an answer. Rejections that nothing
 * handles come here, too.
 */
function handleUncaught(error: unknown): void {
  if (isDone || stopping.signal.aborted) return
  let failure = error
  try {
    if (uncaughtHandlers.toReversed().some((handle) => handle(error))) return
  } catch (other) {
    failure = other
  }
  const reason = failure instanceof SynError ? failure : new InternalError(failure)
  startTimer(crashTimeout, () => process.exit(reason.code)).unref()
  stopping.abort(reason)
}

/** When nothing is left that could settle what the run waits for, Node would end without a word, with status 0 or 13. */
function reportIncomplete(code: number): void {
  if (isDone || code !== 0) return
  process.exitCode = 1
  writeSync(2, 'syn: internal error: the run ended before it was complete\n')
}

/** Node itself leaves raw mode, also after a crash. */
function restore(): void {
  try {
    if (restoring !== '') writeSync(1, restoring)
  } catch {
    // The terminal is gone.
  }
}

/** Node 20 aborts at its end if a terminal is gone whose descriptor is still open. */
function closeLostTerminals(): void {
  for (const descriptor of [0, 1, 2])
    if (statsOf(descriptor)?.isCharacterDevice() && !isatty(descriptor)) closeSync(descriptor)
}

const killAtExit: Io['killAtExit'] = (start) => {
  // Before it is started: by itself, the signal would leave the group.
  process.off('SIGQUIT', quit).on('SIGQUIT', quit)
  const child = start()
  const { pid } = child
  if (pid === undefined) return [child, () => undefined]
  groups.add(pid)
  return [child, () => void (groups.delete(pid) && killGroup(pid))]
}

/** Ctrl-\\ ends a run at once, without the event for its exit. */
function quit(): void {
  if (othersOnTerminal > 0) return
  killGroups()
  process.off('SIGQUIT', quit)
  process.kill(process.pid, 'SIGQUIT')
}

function killGroups(): void {
  groups.forEach(killGroup)
}

function killGroup(leader: number): void {
  const isWindows = process.platform === 'win32'
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  try {
    // Only while it runs: its number may be another's afterwards.
    if (isWindows && process.kill(leader, 0))
      spawnSync('taskkill', ['/pid', `${leader}`, '/t', '/f'], { windowsHide: true })
    process.kill(isWindows ? leader : -leader, 'SIGKILL')
  } catch {
    // All of its processes have exited.
  }
}

function suspend(): Promise<void> {
  return new Promise((resolve) => {
    process.kill(0, 'SIGTSTP')
    // The process is stopped before this line runs. An orphaned process group is not stopped at all.
    setImmediate(resolve)
  })
}

function inputKind(): InputKind {
  const stats = statsOf(0)
  if (stats?.isFIFO()) return 'pipe'
  if (stats?.isFile()) return 'file'
  if (stats?.isSocket()) return 'socket'
  return isatty(0) ? 'terminal' : 'none'
}

/** Whether standard output and standard error are open on the same file or pipe. */
function areOneFile(): boolean {
  const [out, err] = [statsOf(1), statsOf(2)]
  // Windows has no number for a pipe.
  return out !== undefined && out.dev === err?.dev && out.ino === err.ino && out.ino !== 0
}

function sinkOf(stream: WriteStream & { fd: number }, { ignoresErrors = false } = {}): Sink {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' && stream === process.stdout) stopping.abort(new BrokenPipeError())
    // The terminal is gone. SIGHUP may come later, or not at all.
    if (error.code === 'EIO' && stream.isTTY && !isHungUp) handleSignal('SIGHUP')
  })
  const columns = (): number => stream.columns || 80
  const write = async (text: string | Uint8Array): Promise<void> => {
    try {
      await unlessStopped(writeTo(stream, text))
    } catch (error) {
      if (!ignoresErrors) throw error
    }
  }
  // Node asks for the size at SIGWINCH only, which comes after the terminal has wrapped its rows anew. Takes 1 µs.
  const refresh = (): void => {
    if (!stream.destroyed) process.emit('SIGWINCH', 'SIGWINCH')
  }
  // Typed as `true`, but `undefined` when this is not a terminal.
  const isTerminal = Boolean(stream.isTTY)
  return isTerminal
    ? terminalSink(write, { window: Object.assign(stream, { refresh }), stream, columns })
    : { isTerminal, columns, write }
}

/** Most writes are done at once: now and then, it resolves in a later turn of the event loop, which handles signals. */
async function writeTo(stream: WriteStream & { fd: number }, text: string | Uint8Array): Promise<void> {
  if (stream.isTTY && process.platform !== 'win32') keepNonBlocking(stream)
  // Typed as a socket always. Node's stream of a file ignores how much the disk had room for: the rest would be lost.
  const isFile: boolean = !(stream instanceof Socket)
  try {
    if (isFile) writeFileSync(stream.fd, Buffer.from(text))
    else {
      await new Promise<void>((resolve, reject) => {
        stream.write(text, (error) => (error ? reject(error) : resolve()))
      })
    }
  } catch (error) {
    throw writeFailure(error as Error)
  }
  await yieldIfDue()
}

/**
 * A write that waits for its reader when the run is stopped fails with the signal's reason. Later ones, such as the
 * sequence that restores the terminal, are not waited for: `exitSoon` does that.
 */
function unlessStopped(writing: Promise<void>): Promise<void> {
  const { signal } = stopping
  if (signal.aborted) {
    writing.catch(() => undefined)
    return Promise.resolve()
  }
  return new Promise((resolve, reject) => {
    const ignoreAbort = onAbort(signal, () => reject(signal.reason as Error))
    writing.then(resolve, reject).finally(ignoreAbort)
  })
}

function writeFailure(error: NodeJS.ErrnoException): Error {
  if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') return new BrokenPipeError()
  return new FailedError(`cannot write to standard output: ${reasonOf(error)}`)
}
