/** Asks the user questions at a terminal, on standard error. The only import site of @clack/prompts. */

import { constants } from 'node:os'
import { PassThrough, type Readable } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'
import { InterruptedError, UsageError } from '../../errors.ts'
import { atEnd } from '../at-end.ts'
import { nextTurn, onAbort } from '../time/abort.ts'
import { pause } from '../time/timer.ts'
import type { Io } from '../io.ts'
import { safe, type SafeText, sanitizeName } from '../text/safe-text.ts'
import { StandardInput } from './standard-input.ts'

export interface TextQuestion {
  readonly message: SafeText
  /** The answer filled in at first, which the user can edit. */
  readonly initial?: string | undefined
  /** Throws a UsageError for an invalid answer, which is then asked again. */
  readonly check: (answer: string) => unknown
}

/** Whether there is a terminal to ask on. */
export function canAsk(io: Io): boolean {
  return io.in.kind === 'terminal' && io.err.stream !== undefined
}

/**
 * Asks several questions without losing what is typed before each is shown: up to Enter it answers the next one. Nothing is
 * echoed meanwhile, since it may be a key.
 */
export async function withTypeAhead<Result>(io: Io, work: (io: Io) => Promise<Result>): Promise<Result> {
  const terminal = io.in.openTerminal()
  let early = ''
  let hasEnded = false
  let question: PassThrough | undefined
  const receive = (text: string): void => {
    // A line feed was typed before raw mode, when the terminal turned each Enter into one.
    const end = question ? text.search(/[\r\n]/) : -1
    const line = end === -1 ? text : `${text.slice(0, end)}\r`
    if (question) question.write(line)
    else early += line
    if (end !== -1) early += text.slice(end + 1)
  }
  const open = (): ReadStream => {
    const opened = (question = new PassThrough())
    // The question has its answer.
    opened.once('pause', () => (question = undefined))
    const text = early
    early = ''
    if (text !== '') receive(text)
    if (hasEnded) opened.end()
    return opened as unknown as ReadStream
  }
  const end = (): void => {
    hasEnded = true
    question?.end()
  }
  using _keys = readKeys(terminal, receive, end)
  return await work({ ...io, in: new StandardInput('terminal', open) })
}

/** Turns on raw mode and reads, until it is disposed of. */
function readKeys(terminal: ReadStream, receive: (text: string) => void, end: () => void): Disposable {
  terminal.setEncoding('utf8').on('data', receive).on('end', end).on('error', end)
  terminal.setRawMode(true)
  return atEnd(() => {
    terminal.off('data', receive).off('end', end).off('error', end).pause()
    terminal.setRawMode(false)
  })
}

/** @throws InterruptedError at Ctrl-C, Ctrl-D or Escape. */
export async function askText({ message, initial, check }: TextQuestion, io: Io): Promise<string> {
  const { text } = await import('@clack/prompts')
  const initialValue = initial === undefined ? {} : { initialValue: sanitizeName(initial) }
  return ask(io, (streams) => text({ ...streams, ...initialValue, message, validate: validator(check) }))
}

/** Shows a dot for each character of the answer. @throws as `askText`. */
export async function askPassword({ message, check }: TextQuestion, io: Io): Promise<string> {
  const { password } = await import('@clack/prompts')
  return ask(io, (streams) => password({ ...streams, message, validate: validator(check) }))
}

/** @returns whether the answer is `y`. @throws as `askKey`. */
export async function askConfirmation(question: SafeText, io: Io): Promise<boolean> {
  return (await askKey(safe`${question} [y]es, [n]o: `, 'yn', io)) === 'y'
}

/**
 * Asks for one key, without Enter. What was typed before the question appears is dropped.
 * @param keys Lower-case letters that can be answers.
 * @returns one of them, which is shown; `undefined` for any other key, and for a paste.
 * @throws InterruptedError at Ctrl-C, and if the terminal is gone; the reason of `io.signal`.
 */
export async function askKey(question: SafeText, keys: string, io: Io): Promise<string | undefined> {
  const input = io.in.openTerminal()
  const leaving = new AbortController()
  const signal = AbortSignal.any([io.signal, leaving.signal])
  let typed = ''
  let settle = (): void => undefined
  const receive = (text: string): void => {
    typed = text
    if (typed.includes('\u0003')) leaving.abort(new InterruptedError(constants.signals.SIGINT))
    settle()
  }
  const end = (): void => settle()
  using _keys = readKeys(input, receive, end)
  input.resume()
  // Who types ahead does not look.
  for (let wait = firstWait; wait > 0; wait = typed === '' ? 0 : quietTime) {
    typed = ''
    await pause(wait, { signal })
    // A timer may end before the terminal is read: after this, it has been.
    await nextTurn(signal)
  }
  await io.err.write(question)
  await new Promise<void>((resolve) => {
    settle = resolve
    onAbort(signal, resolve)
    // A key may come as soon as the question is seen, before the write has ended.
    if (typed !== '' || input.readableEnded || input.destroyed) resolve()
  })
  // No key, and no other reason to leave: the terminal is gone.
  if (typed === '') leaving.abort(new InterruptedError(constants.signals.SIGHUP))
  const key = keyIn(typed, keys)
  await io.err.write(safe`${sanitizeName(key ?? '')}\n`)
  signal.throwIfAborted()
  return key
}

/** In milliseconds: how long no key must come before one can answer, if some came before. */
export const quietTime = 500

/** In milliseconds: in which what was typed before the question arrives. */
const firstWait = 20

const words: Readonly<Record<string, string>> = { y: 'yes', n: 'no', a: 'always' }

/** The answer to a question for one key, which may be typed as a word, and with Enter; `undefined` for anything else. */
export function keyIn(text: string, keys: string): string | undefined {
  const typed = text.toLowerCase().trim()
  return [...keys].find((key) => typed === key || typed === words[key])
}

/** @param names What would be removed. @throws as `askKey`; UsageError without a terminal. */
export async function confirmRemoval(names: string, io: Io): Promise<boolean> {
  if (!canAsk(io)) throw new UsageError('cannot ask for confirmation without a terminal', { hint: 'use --yes' })
  return askConfirmation(safe`Remove ${sanitizeName(names)}?`, io)
}

interface QuestionStreams {
  input: Readable
  output: WriteStream
  signal: AbortSignal
}

async function ask(io: Io, show: (streams: QuestionStreams) => Promise<string | symbol>): Promise<string> {
  const output = io.err.stream
  if (!output) throw new Error('no terminal to ask on')
  const input = io.in.openTerminal()
  const leaving = new AbortController()
  let interrupting: number = constants.signals.SIGINT
  const leave = (): void => leaving.abort()
  const hangUp = (): void => {
    interrupting = constants.signals.SIGHUP
    leave()
  }
  // At Ctrl-D readline closes, and clack would wait forever.
  const onKey = (_text: string, key: { name?: string; ctrl?: boolean }): void => {
    if (key.ctrl && key.name === 'd') leave()
  }
  // Its terminal is gone, of which SIGHUP may tell later.
  input.on('keypress', onKey).once('end', hangUp)
  using _listener = onAbort(io.signal, leave)
  try {
    const answer = await show({ input, output: safeStream(output), signal: leaving.signal })
    io.signal.throwIfAborted()
    if (typeof answer === 'symbol') throw new InterruptedError(interrupting)
    return answer
  } finally {
    input.off('keypress', onKey).off('end', hangUp)
  }
}

/** The stream without C1 and bidirectional characters, which may be pasted: the library echoes them. */
function safeStream(stream: WriteStream): WriteStream {
  return Object.assign(Object.create(stream) as WriteStream, {
    write: (text: string) => stream.write(text.replace(/[\u0080-\u009f\u202a-\u202e\u2066-\u2069]/g, sanitizeName)),
  })
}

function validator(check: (answer: string) => unknown): (answer: string | undefined) => string | undefined {
  return (answer = '') => {
    try {
      check(answer)
      return undefined
    } catch (error) {
      if (error instanceof UsageError) return sanitizeName(error.message)
      throw error
    }
  }
}
