/** Keyboard input of a terminal in raw mode: named keys, typed text, and bracketed pastes. */

import type { Readable } from 'node:stream'
import type { ReadStream } from 'node:tty'
import type { Io } from '../../io/io.ts'
import { joinSafe, noText, safe, type SafeText } from '../../io/text/safe-text.ts'
import { startTimer } from '../../io/time/time.ts'
import { KeyParser } from './key-parser.ts'
import type { KeyboardInput } from './key-sequences.ts'

interface Mode {
  readonly on: SafeText
  readonly off: SafeText
}

const bracketedPaste: Mode = { on: safe`\u001b[?2004h`, off: safe`\u001b[?2004l` }
const focusReports: Mode = { on: safe`\u001b[?1004h`, off: safe`\u001b[?1004l` }

/**
 * Reports keys such as Shift+Enter. Level 1 leaves Ctrl+C and others that have a control character as they are. Terminals
 * that take it for a style, such as those of libtsm, would underline everything, so the style is reset.
 */
const modifyOtherKeys: Mode = { on: safe`\u001b[>4;1m\u001b[m`, off: safe`\u001b[>4m\u001b[m` }

/**
 * The same, and also tells Esc from the start of a sequence (1), and the key's letter on a Latin keyboard (4): Ctrl+C is
 * Ctrl+С on a Cyrillic one. Only for terminals that answer: others may take the end for the letter u, or for a cursor move.
 * The answer to the second question says that it is on.
 */
const askForKittyProtocol: Mode = { on: safe`\u001b[?u`, off: noText }
/** The second question, with its answer after the first: not every terminal answers DA2. */
const askForAttributes: Mode = { on: safe`\u001b[>c${askForKittyProtocol.on}`, off: noText }
const kittyProtocol: Mode = { on: safe`\u001b[>5u${askForKittyProtocol.on}`, off: safe`\u001b[<u` }
const askForBackground: Mode = { on: safe`\u001b]11;?\u001b\\`, off: noText }

/** DA2 of Windows Terminal (its #6850), whose AltGr+2 the kitty protocol would make Alt+2 (its #19977, fish-shell #12579). */
const attributesWithoutAltGr = '0;10;1'

/**
 * In milliseconds. A terminal sends a sequence in one piece, but over a slow connection the pieces come apart: an ESC alone is
 * the key only after this time, and never for a terminal with the kitty protocol.
 */
const sequenceTime = 200

interface KeyboardListeners {
  readonly onInput: (input: KeyboardInput) => void
  readonly onResize: () => void
  /** The terminal is gone. */
  readonly onEnd: () => void
}

/** Sets up the terminal for the line editor: raw mode, no echo, bracketed paste, keys with modifiers. */
export class Keyboard {
  readonly #io: Io
  readonly #listeners: KeyboardListeners
  readonly #stream: ReadStream
  #modes: readonly Mode[]
  #stopListening: (() => void) | undefined
  #parser: KeyParser | undefined

  constructor(io: Io, listeners: KeyboardListeners, { asksBackground = false, reportsFocus = false } = {}) {
    this.#io = io
    this.#listeners = listeners
    this.#stream = io.in.openTerminal()
    // A terminal that has hung up also fails when raw mode is left.
    this.#stream.on('error', () => undefined)
    const modes = firstModes(io.env)
    // GNU screen does not answer.
    const { TERM = '', STY } = io.env
    const isAnswered = modes.length > 1 && STY === undefined && !TERM.startsWith('dumb-')
    this.#modes = asksBackground && isAnswered ? [...modes, askForBackground] : modes
    if (reportsFocus && modes.length > 0) this.#modes = [...this.#modes, focusReports]
  }

  /** Turns on raw mode and starts reading; does nothing the second time. */
  acquire(): void {
    if (this.#stopListening) return
    const { onInput, onResize, onEnd } = this.#listeners
    this.#stream.setRawMode(true)
    if (this.#io.out.isTerminal) this.#io.out.hasFocus = true
    this.#io.restoreAtExit(this.#off())
    this.#write(joinSafe(this.#modes.map(({ on }) => on)))
    // The question is asked once.
    this.#modes = this.#modes.filter((mode) => mode !== askForBackground)
    let isEarly = true
    // Two, because the first may run before the terminal is read at all.
    setImmediate(() => setImmediate(() => (isEarly = false)))
    const stopKeys = listenToKeys(
      this.#stream,
      (input) => onInput(isEarly ? withEnter(input) : input),
      (parser) => this.#takeReplies(parser),
    )
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
    this.#write(this.#off())
    this.#io.restoreAtExit(noText)
  }

  /** Whether a key or a paste has arrived in part. */
  get isReceiving(): boolean {
    return this.#parser?.isReceiving ?? false
  }

  #takeReplies(parser: KeyParser): void {
    this.#parser = parser
    const { kittyFlags, attributes, background, hasFocus } = parser
    if (kittyFlags !== undefined && this.#modes.includes(askForKittyProtocol)) {
      parser.kittyFlags = undefined
      this.#modes = this.#modes.map((mode) => (mode === askForKittyProtocol ? askForAttributes : mode))
      this.#write(askForAttributes.on)
    } else if (kittyFlags !== undefined && this.#modes.includes(askForAttributes)) {
      if (attributes !== attributesWithoutAltGr) this.#useKittyProtocol()
    }
    const { out } = this.#io
    if (background !== undefined && out.isTerminal) out.background = background
    if (out.isTerminal) out.hasFocus = hasFocus
  }

  /** In place of modifyOtherKeys, also when the terminal is acquired again. */
  #useKittyProtocol(): void {
    const kept = this.#modes.filter((mode) => mode === bracketedPaste || mode === focusReports)
    const replaced = this.#modes.filter((mode) => !kept.includes(mode))
    this.#modes = [...kept, kittyProtocol]
    this.#io.restoreAtExit(this.#off())
    this.#write(joinSafe([...replaced.map(({ off }) => off), kittyProtocol.on]))
  }

  #off(): SafeText {
    return joinSafe(this.#modes.map(({ off }) => off))
  }

  #write(sequence: SafeText): void {
    const { out } = this.#io
    if (sequence !== '' && out.isTerminal) void out.writeDirectly(sequence).catch(() => undefined)
  }
}

/** Until the terminal has answered. Some terminals would print a sequence, or do something else. */
function firstModes({ TERM = '', TERM_PROGRAM, WT_SESSION }: Io['env']): readonly Mode[] {
  if (TERM === 'dumb') return []
  // The Linux console and Emacs know neither; st takes the question for "move the cursor back".
  if (/^(?:linux|eterm|st)(?:-|$)/.test(TERM)) return [bracketedPaste]
  // Windows Terminal. Over SSH, its attributes tell.
  if (WT_SESSION) return [bracketedPaste, modifyOtherKeys]
  // WezTerm reports the wrong keys on some keyboards.
  if (TERM_PROGRAM === 'WezTerm') return [bracketedPaste, askForKittyProtocol]
  return [bracketedPaste, modifyOtherKeys, askForKittyProtocol]
}

/** Input that arrives at once was typed before raw mode, when the terminal turned each Enter into a line feed. */
function withEnter(input: KeyboardInput): KeyboardInput {
  return input.kind === 'key' && input.name === 'ctrl-j' ? { kind: 'key', name: 'return' } : input
}

/**
 * Calls `receive` for all input.
 * @param onRead Called after each read, with what the terminal has answered.
 * @returns a function that stops this and pauses the stream. What was waited for counts as if the time was up.
 */
export function listenToKeys(
  stream: Readable,
  receive: (input: KeyboardInput) => void,
  onRead: (parser: KeyParser) => void = () => undefined,
): () => void {
  const parser = new KeyParser()
  let timer: NodeJS.Timeout | undefined
  let afterRead: NodeJS.Immediate | undefined
  const stopWaiting = (): void => {
    clearTimeout(timer)
    clearImmediate(afterRead)
  }
  const startWaiting = (): void => {
    stopWaiting()
    if (!parser.isWaiting) return
    // The rest may have arrived while the program was busy: after a timer, Node reads first.
    const wait = (): void => void (afterRead = setImmediate(endWaiting))
    timer = startTimer(sequenceTime, wait).unref()
  }
  const endWaiting = (): void => {
    for (const input of parser.timeUp()) receive(input)
  }
  const read = (bytes: Uint8Array | string): void => {
    const inputs = parser.feed(bytes)
    startWaiting()
    onRead(parser)
    for (const input of inputs) receive(input)
  }
  stream.on('data', read).resume()
  return () => {
    stream.off('data', read).pause()
    stopWaiting()
    for (const input of parser.timeUp()) receive(input)
  }
}
