/** Questions that one key answers, at a terminal and in the line of the chat, and which keys count as an answer. */

import { constants } from 'node:os'
import type { ReadStream } from 'node:tty'
import { InterruptedError, UsageError } from '../../errors.ts'
import { defer } from '../defer.ts'
import { yieldToEventLoop, onAbort } from '../time/abort-signal.ts'
import { pause, startTimer } from '../time/time.ts'
import type { Io } from '../io.ts'
import { safe, type SafeText, sanitizeName } from '../text/safe-text.ts'

/** Whether there is a terminal to ask on. */
export function canAsk(io: Io): boolean {
  return io.in.kind === 'terminal' && io.err.stream !== undefined
}

/**
 * The run with the terminal to ask on about a call, if there is one: where a pipe or file is read, that of standard error, as git and
 * ssh ask. Only one of the programs in a pipe asks then: the next one reads to the end before its first call.
 */
export function withTerminal(io: Io, readsText: boolean): Io | undefined {
  const { kind, reader } = io.in
  if (kind === 'terminal') return canAsk(io) && reader === undefined ? io : undefined
  const beside = readsText && kind !== 'none' ? io.terminalBeside?.() : undefined
  return beside && { ...io, in: beside }
}

/** Turns on raw mode and reads, until it is disposed of. */
export function readKeys(terminal: ReadStream, receive: (text: string) => void, end: () => void): Disposable {
  terminal.setEncoding('utf8').on('data', receive).on('end', end).on('error', end)
  terminal.setRawMode(true)
  return defer(() => {
    terminal.off('data', receive).off('end', end).off('error', end).pause()
    terminal.setRawMode(false)
  })
}

/** @returns whether the answer is `y`. @throws as `askKey`; UsageError without a terminal. */
export async function askConfirmation(question: SafeText, io: Io): Promise<boolean> {
  if (!canAsk(io)) throw new UsageError('cannot ask for confirmation without a terminal', { hint: 'use --yes' })
  return (await askKey(safe`${question} [y]es, [n]o`, 'yn', io)) === 'y'
}

/** @param names What would be removed. @throws as `askKey`; UsageError without a terminal. */
export async function confirmRemoval(names: string, io: Io): Promise<boolean> {
  return askConfirmation(safe`Remove ${sanitizeName(names)}?`, io)
}

/**
 * Asks for one key, for a screen reader for a word and Enter. What was typed before the question can have been read is dropped.
 * @param question May have several lines. Without the colon, which follows when a key can answer it.
 * @param keys Lower-case letters that can be answers.
 * @returns one of them, which is shown; `undefined` for anything else. After a key that means nothing, it asks again.
 * @throws InterruptedError at Ctrl-C, and if the terminal is gone; the reason of `io.signal`.
 */
export async function askKey(question: SafeText, keys: string, io: Io): Promise<string | undefined> {
  const input = io.in.openTerminal()
  const leaving = new AbortController()
  const signal = AbortSignal.any([io.signal, leaving.signal])
  let answers: AnswerKeys<string> | undefined
  let end = (): void => undefined
  const receive = (text: string): void => {
    io.in.keyAt = io.elapsed()
    if (text.includes('\u0003')) leaving.abort(new InterruptedError(constants.signals.SIGINT))
    answers?.push(text)
  }
  using _keys = readKeys(input, receive, () => end())
  input.resume()
  // What was typed before arrives.
  await pause(firstWait, { signal })
  for (;;) {
    await untilQuiet(() => Promise.resolve(io.in.keyAt), io, signal)
    // The terminal shows a word, and sends it at Enter.
    if (io.isAccessible?.()) input.setRawMode(false)
    await io.err.write(question)
    const typed = await new Promise<readonly string[]>((resolve) => {
      onAbort(signal, () => resolve([]))
      end = () => leaving.abort(new InterruptedError(constants.signals.SIGHUP))
      if (input.readableEnded || input.destroyed) end()
      const onReady = (ignored: readonly string[]): void => {
        void io.err.write(ignored.length === 0 ? safe`: ` : safe` (${tooSoon}): `).catch(end)
      }
      answers = new AnswerKeys({ textOf: (keys) => keys.join(''), onReady, onAnswer: resolve })
    })
    answers?.close()
    io.in.keyAt = io.elapsed()
    const key = signal.aborted ? undefined : keyIn(typed.join(''), keys)
    if (!io.isAccessible?.() || signal.aborted) await io.err.write(safe`${sanitizeName(key ?? '')}\n`)
    signal.throwIfAborted()
    if (key !== '') return key
  }
}

/** In milliseconds: until keys typed before a question have arrived. */
const firstWait = 20

/** In milliseconds: how long before a question no key must have come, nor an answer to another one have been taken. */
const quietTime = 500

/**
 * In milliseconds: how long a question must be in sight before a key can answer it, and how long no other key must follow: else
 * it is the start of a word, or held down.
 */
const readingTime = 300

/** Beside a question, after keys that did not count. Short: it stands before the prompt of the chat. */
export const tooSoon = safe`press again`

/**
 * Waits until nobody types: a key then was meant for what is in sight.
 * @param keyAt When the last key came, by `elapsed`.
 * @throws the signal's reason
 */
export async function untilQuiet(
  keyAt: () => Promise<number>,
  { elapsed }: Pick<Io, 'elapsed'>,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    // A timer may end before the terminal is read: this reads it first.
    await yieldToEventLoop(signal)
    const left = (await keyAt()) + quietTime - elapsed()
    if (left <= 0) return
    await pause(left, { signal })
  }
}

interface AnswerKeysOptions<Key> {
  /** What keys have typed. */
  readonly textOf: (keys: readonly Key[]) => string
  /** Whether a key, a paste or a word has arrived in part. */
  readonly isReceiving?: (typed: string) => boolean
  /**
   * Called when a key can answer the question, with the keys ignored so far: they came before it could be read,
   * or one was held down.
   */
  readonly onReady: (ignored: readonly Key[]) => void
  /** Called with the answering keys. */
  readonly onAnswer: (keys: readonly Key[]) => void
}

/** What is typed at a question, up to a pause. */
export class AnswerKeys<Key> {
  readonly #options: AnswerKeysOptions<Key>
  readonly keys: Key[] = []
  #isReady = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: AnswerKeysOptions<Key>) {
    this.#options = options
    this.restart()
  }

  /** The question has come in sight. */
  restart(): void {
    if (this.keys.length > 0) return
    this.#isReady = false
    this.#wait(readingTime)
  }

  /** @param isLast Whether the key answers it at once, and at any time. */
  push(key: Key, isLast = false): void {
    this.keys.push(key)
    this.#isReady ||= isLast
    this.#wait(isLast ? 0 : readingTime)
  }

  /** @returns keys not yet taken. */
  close(): Key[] {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return this.keys.splice(0)
  }

  #wait(time: number): void {
    clearTimeout(this.#timer)
    // What arrived while the process was busy is read first.
    const timer = startTimer(time, () => setImmediate(() => timer === this.#timer && this.#settle()))
    this.#timer = timer
  }

  #settle(): void {
    const { textOf, isReceiving, onReady, onAnswer } = this.#options
    if (isReceiving?.(textOf(this.keys))) return this.#wait(readingTime)
    const keys = this.keys.splice(0)
    if (this.#isReady && !repeatedLetter.test(textOf(keys))) return onAnswer(keys)
    this.#isReady = true
    onReady(keys)
  }
}

/** A letter that was held down, or pressed again before it was taken. */
const repeatedLetter = /^(\p{L})\1+$/u

const words: Readonly<Record<string, string>> = { y: 'yes', n: 'no', a: 'always', v: 'view' }

/** Keys that nobody refuses with: arrows and others that move, Ctrl-L, digits and signs; no Esc, and no Ctrl-C in a sequence. */
const slip = /^(?:[^\p{L}\p{M}\p{C}]|\f|\u001b\[(?!27;)[\d;:]*[A-Za-d~^@]|\u001bO[A-Za-d])+$/u

/** The answer to a question for one key, which may be typed as a word, and with Enter; '' for a slip; `undefined` for anything else. */
export function keyIn(text: string, keys: string): string | undefined {
  const typed = text.toLowerCase().replace(/\f|[\r\n]$/g, '')
  return [...keys].find((key) => typed === key || typed === words[key]) ?? (slip.test(text) ? '' : undefined)
}

/** Whether a text is a letter that questions ask for, or no letter, pressed once or several times: it is no message. */
export function isAnswerKey(text: string): boolean {
  return /^([ynav]|[^\p{L}\0])\1*[\r\n]?$/iu.test(text)
}
