import type { ReadStream } from 'node:tty'
import type { Io } from '../../io/io.ts'
import { listenToKeys, type Input } from './keys.ts'

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
