/** Keyboard input of a terminal in raw mode: named keys, typed text, and bracketed pastes. */

import { emitKeypressEvents, type Key } from 'node:readline'
import type { Readable } from 'node:stream'
import type { ReadStream } from 'node:tty'
import type { Io } from '../../io/io.ts'
import { noText, safe, type SafeText } from '../../io/safe-text.ts'

export type KeyboardInput =
  /** `left`, `ctrl-a`, `alt-backspace`, … */
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  /** A whole bracketed paste. */
  | { readonly kind: 'paste'; readonly text: string }

const bracketedPaste = { on: safe`\u001b[?2004h`, off: safe`\u001b[?2004l` }

interface KeyboardListeners {
  readonly onInput: (input: KeyboardInput) => void
  readonly onResize: () => void
  /** The terminal is gone. */
  readonly onEnd: () => void
}

/** Sets up the terminal for the line editor: raw mode, no echo, bracketed paste. */
export class Keyboard {
  readonly #io: Io
  readonly #listeners: KeyboardListeners
  readonly #stream: ReadStream
  readonly #pasteMode: typeof bracketedPaste
  #stopListening: (() => void) | undefined

  constructor(io: Io, listeners: KeyboardListeners) {
    this.#io = io
    this.#listeners = listeners
    this.#stream = io.in.openTerminal()
    this.#pasteMode = io.env.TERM === 'dumb' ? { on: noText, off: noText } : bracketedPaste
  }

  /** Turns on raw mode and starts reading; does nothing the second time. */
  acquire(): void {
    if (this.#stopListening) return
    const { onInput, onResize, onEnd } = this.#listeners
    this.#stream.setRawMode(true)
    this.#io.restoreAtExit(this.#pasteMode.off)
    this.#write(this.#pasteMode.on)
    let isEarly = true
    // Two, because the first may run before the terminal is read at all.
    setImmediate(() => setImmediate(() => (isEarly = false)))
    const stopKeys = listenToKeys(this.#stream, (input) => onInput(isEarly ? withEnter(input) : input))
    // A terminal that hangs up may also report a read error.
    this.#stream.on('end', onEnd).on('error', onEnd)
    this.#io.out.window?.on('resize', onResize)
    this.#stopListening = () => {
      this.#stream.off('end', onEnd).off('error', onEnd)
      this.#io.out.window?.off('resize', onResize)
      stopKeys()
    }
  }

  /** Restores the terminal; does nothing the second time. */
  release(): void {
    if (!this.#stopListening) return
    this.#stopListening()
    this.#stopListening = undefined
    this.#stream.setRawMode(false)
    this.#write(this.#pasteMode.off)
    this.#io.restoreAtExit(noText)
  }

  #write(sequence: SafeText): void {
    if (sequence !== '') void this.#io.out.write(sequence).catch(() => undefined)
  }
}

/** Input that arrives at once was typed before raw mode, when the terminal turned each Enter into a line feed. */
function withEnter(input: KeyboardInput): KeyboardInput {
  return input.kind === 'key' && input.name === 'ctrl-j' ? { kind: 'key', name: 'return' } : input
}

/**
 * Calls `receive` for all input.
 * @returns a function that stops this and pauses the stream.
 */
export function listenToKeys(stream: Readable, receive: (input: KeyboardInput) => void): () => void {
  let pasted: string[] | undefined
  const onKey = (text: string | undefined, key: Key): void => {
    if (key.name === 'paste-start') pasted ??= []
    else if (pasted === undefined) {
      const input = keyboardInput(text, key)
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

function keyboardInput(text: string | undefined, key: Key): KeyboardInput | undefined {
  const name = keyName(key)
  if (name !== undefined) return { kind: 'key', name }
  return text === undefined || key.meta ? undefined : { kind: 'text', text }
}

/** @returns `undefined` for a key that types text, and for one that Node does not know. */
function keyName({ name, sequence = '', ctrl = false, meta = false, shift = false }: Key): string | undefined {
  const special = nameOfSequence(sequence)
  if (special !== undefined) return special
  const isPrintable = !/^[\u0000-\u001f\u007f]/.test(sequence)
  if (name === undefined || name === 'undefined' || isPrintable) return undefined
  const modifiers = [ctrl && 'ctrl', meta && name !== 'escape' && 'alt', shift && name.length > 1 && 'shift']
  return [...modifiers.filter(Boolean), name].join('-')
}

/** Names for keys that Node names differently, or not at all. */
function nameOfSequence(sequence: string): string | undefined {
  if (sequence === '\n') return 'ctrl-j'
  // Shift+Enter on terminals that distinguish it from Enter (CSI u).
  if (sequence === '\u001b[13;2u') return 'shift-return'
  if (/^[\u001c-\u001f]$/.test(sequence)) return `ctrl-${String.fromCharCode(sequence.charCodeAt(0) + 0x40)}`
  return /^\u001b[!-/:-@\\-`{-~]$/.test(sequence) ? `alt-${sequence.slice(1)}` : undefined
}
