/** What comes from a keyboard: keys by name, text, and pastes as one. */

import { emitKeypressEvents, type Key } from 'node:readline'
import type { Readable } from 'node:stream'
import type { ReadStream } from 'node:tty'
import type { Io } from '../../io/io.ts'

export type Input =
  /** As in `left`, `ctrl-a`, `alt-backspace`. */
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  /** The whole of a bracketed paste. */
  | { readonly kind: 'paste'; readonly text: string }

/**
 * Tells what is typed until it is stopped.
 * @returns how to stop; the stream then rests.
 */
export function listenToKeys(stream: Readable, receive: (input: Input) => void): () => void {
  let pasted: string[] | undefined
  const onKey = (text: string | undefined, key: Key): void => {
    if (key.name === 'paste-start') pasted ??= []
    else if (pasted === undefined) {
      const input = inputOf(text, key)
      if (input) receive(input)
    } else if (key.name === 'paste-end') {
      const whole = pasted.join('')
      pasted = undefined
      receive({ kind: 'paste', text: whole })
    } else pasted.push(key.sequence ?? '')
  }
  emitKeypressEvents(stream)
  stream.on('keypress', onKey)
  stream.resume()
  return () => {
    stream.off('keypress', onKey)
    stream.pause()
  }
}

function inputOf(text: string | undefined, key: Key): Input | undefined {
  const name = keyName(key)
  if (name !== undefined) return { kind: 'key', name }
  return text === undefined || key.meta ? undefined : { kind: 'text', text }
}

/** Nothing for a key that stands for its text, and for one that Node doesn't know. */
function keyName({ name, sequence = '', ctrl = false, meta = false, shift = false }: Key): string | undefined {
  const odd = oddName(sequence)
  if (odd !== undefined) return odd
  const isPrintable = !/^[\u0000-\u001f\u007f]/.test(sequence)
  if (name === undefined || name === 'undefined' || isPrintable) return undefined
  const modifiers = [ctrl && 'ctrl', meta && name !== 'escape' && 'alt', shift && name.length > 1 && 'shift']
  return [...modifiers.filter(Boolean), name].join('-')
}

/** Keys to which Node gives another name, or none. */
function oddName(sequence: string): string | undefined {
  if (sequence === '\n') return 'ctrl-j'
  // How a terminal that tells Shift+Enter from Enter writes it.
  if (sequence === '\u001b[13;2u') return 'shift-return'
  if (/^[\u001c-\u001f]$/.test(sequence)) return `ctrl-${String.fromCharCode(sequence.charCodeAt(0) + 0x40)}`
  return /^\u001b[!-/:-@\\-`{-~]$/.test(sequence) ? `alt-${sequence.slice(1)}` : undefined
}

const pasteMarks = { on: '\u001b[?2004h', off: '\u001b[?2004l' }

interface Listeners {
  readonly onInput: (input: Input) => void
  readonly onResize: () => void
  /** Nobody is at the terminal any more. */
  readonly onEnd: () => void
}

/** The terminal in the state that the line needs it in: each key at once, pastes marked, nothing echoed. */
export class Terminal {
  readonly #io: Io
  readonly #listeners: Listeners
  readonly #stream: ReadStream
  /** What marks pastes, where the terminal can. */
  readonly #bracketedPaste: typeof pasteMarks
  #stop: (() => void) | undefined

  constructor(io: Io, listeners: Listeners) {
    this.#io = io
    this.#listeners = listeners
    this.#stream = io.in.openTerminal()
    this.#bracketedPaste = io.env.TERM === 'dumb' ? { on: '', off: '' } : pasteMarks
  }

  take(): void {
    if (this.#stop) return
    const { onInput, onResize, onEnd } = this.#listeners
    this.#stream.setRawMode(true)
    this.#io.restoreAtExit(this.#bracketedPaste.off)
    this.#write(this.#bracketedPaste.on)
    let isEarly = true
    // The first of the two may come before the terminal is read at all.
    setImmediate(() => setImmediate(() => (isEarly = false)))
    const stopListening = listenToKeys(this.#stream, (input) => onInput(isEarly ? typedEarly(input) : input))
    // A terminal that hangs up may also fail to be read.
    this.#stream.on('end', onEnd).on('error', onEnd)
    this.#io.out.stream?.on('resize', onResize)
    this.#stop = () => {
      this.#stream.off('end', onEnd).off('error', onEnd)
      this.#io.out.stream?.off('resize', onResize)
      stopListening()
    }
  }

  /** Leaves the terminal as it was found. */
  release(): void {
    if (!this.#stop) return
    this.#stop()
    this.#stop = undefined
    this.#stream.setRawMode(false)
    this.#write(this.#bracketedPaste.off)
    this.#io.restoreAtExit('')
  }

  #write(sequence: string): void {
    if (sequence !== '') void this.#io.out.write(sequence).catch(() => undefined)
  }
}

/** What was typed before the terminal was taken has already come: there the terminal made line feeds of all Enters. */
function typedEarly(input: Input): Input {
  return input.kind === 'key' && input.name === 'ctrl-j' ? { kind: 'key', name: 'return' } : input
}
