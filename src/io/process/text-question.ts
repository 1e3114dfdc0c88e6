/** Questions that a line of text answers, at a terminal, on standard error. The only import site of @clack/prompts. */

import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import { PassThrough, type Readable } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'
import { stripVTControlCharacters } from 'node:util'
import { InterruptedError, UsageError } from '../../errors.ts'
import { onAbort } from '../time/abort-signal.ts'
import type { Io } from '../io.ts'
import { type SafeText, sanitizeName } from '../text/safe-text.ts'
import { readKeys } from './question.ts'
import { StandardInput } from './standard-input.ts'

interface TextQuestion {
  readonly message: SafeText
  /** The answer filled in at first, which the user can edit. */
  readonly initial?: string | undefined
  /** Throws a UsageError for an invalid answer, which is then asked again. */
  readonly check: (answer: string) => unknown
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
  // After a Ctrl-Z, readline would read no more, and the terminal would show the key.
  using _keys = readKeys(terminal, (text) => receive(text.replaceAll('\u001a', '')), end)
  return await work({ ...io, in: new StandardInput('terminal', open) })
}

/** @throws InterruptedError at Ctrl-C, Ctrl-D or Escape. */
export async function askText({ message, initial, check }: TextQuestion, io: Io): Promise<string> {
  if (io.isAccessible?.()) return ask(io, (streams) => askLine({ message, initial, check }, streams))
  const { text } = await import('@clack/prompts')
  const initialValue = initial === undefined ? {} : { initialValue: sanitizeName(initial) }
  return ask(io, (streams) => text({ ...streams, ...initialValue, message, validate: validator(check) }))
}

/** Shows a dot for each character of the answer. @throws as `askText`. */
export async function askPassword({ message, check }: TextQuestion, io: Io): Promise<string> {
  if (io.isAccessible?.()) return ask(io, (streams) => askLine({ message, check }, streams, true))
  const { password } = await import('@clack/prompts')
  return ask(io, (streams) => password({ ...streams, message, validate: validator(check) }))
}

type Streams = Readonly<{ input: Readable; output: WriteStream; signal: AbortSignal }>

/** For a screen reader, to which clack would write the question again at each key. */
async function askLine({ message, initial = '', check }: TextQuestion, { output, ...rest }: Streams, isHidden = false) {
  // Readline draws a changed line again from the first column on: here, below.
  const write = (text: string): boolean =>
    isHidden || text === '\r\n' || output.write(stripVTControlCharacters(text.replace('\u001b[1G', '\r\n')))
  const echo = Object.assign(Object.create(output) as WriteStream, { write, columns: Infinity })
  const prompt = `${message}: `
  const lines = createInterface({ ...rest, output: echo, terminal: true, prompt })
  output.write(prompt)
  lines.write(sanitizeName(initial))
  for await (const answer of lines) {
    const problem = validator(check)(answer)
    output.write(problem === undefined ? '\r\n' : `\r\n${problem}\r\n${prompt}`)
    if (problem === undefined) return answer
  }
  output.write('\r\n')
  return Symbol('closed')
}

async function ask(io: Io, show: (streams: Streams) => Promise<string | symbol>): Promise<string> {
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
  // At Ctrl-D readline closes, and clack would wait forever; Esc means nothing to readline.
  const onKey = (_text: string, key: { name?: string; ctrl?: boolean }): void => {
    if ((key.ctrl && key.name === 'd') || key.name === 'escape') leave()
  }
  // The terminal is gone; SIGHUP may come later.
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
