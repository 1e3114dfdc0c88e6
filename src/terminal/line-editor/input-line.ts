/** The input line of the interactive chat. */

import type { Io } from '../../io/io.ts'
import type { Style } from '../style.ts'
import { PlainPainter } from './dumb-terminal-painter.ts'
import { replaceAll, startEditing } from './editing.ts'
import { editText } from './external-editor.ts'
import type { History } from './history.ts'
import { type Input, Terminal } from './keyboard.ts'
import { keymap } from './keymap.ts'
import type { View } from './layout.ts'
import { complete, type LineState, messageOf, press, startLine, viewOf, type Wish } from './line-state.ts'
import { Painter } from './painter.ts'
import type { Completer, Completion } from './tab-completion.ts'
import { Ahead } from './type-ahead.ts'

export interface InputLineOptions {
  /** Standard input and standard output must be terminals. */
  readonly io: Io
  /** For what stands beside the text. */
  readonly style: Pick<Style, 'dim'>
  readonly history: History
  readonly complete: Completer
  /** Told when Ctrl-C is pressed while nobody reads: an answer is to stop. */
  readonly onInterrupt: () => void
}

/**
 * Holds the terminal from `new` to `close()`. Between two reads what is typed is neither echoed nor lost: the reads that
 * follow take it as if it were typed then, each up to its Enter. After Ctrl-C it only stands in the line.
 *
 * ```ts
 * const line = new InputLine({ io, style, history, complete, onInterrupt: () => answering?.abort() })
 * try {
 *   for (;;) {
 *     const reply = await line.read({ prompt: '› ' })
 *     if (reply.kind === 'left') break
 *     await answer(reply.text) // writes to io.out, whole lines
 *   }
 * } finally {
 *   line.close()
 * }
 * ```
 */
export class InputLine {
  readonly #options: InputLineOptions
  readonly #painter: LinePainter
  readonly #terminal: Terminal
  readonly #ahead = new Ahead()
  #line: LineState
  #reading: Reading | undefined
  #isLent = false
  #isClosed = false

  constructor(options: InputLineOptions) {
    const { io, style, history } = options
    this.#options = options
    this.#painter = choosePainter(io, style)
    this.#line = startLine(startEditing(), history.texts)
    this.#terminal = new Terminal(io, {
      onInput: (input) => this.#receive(input),
      onResize: () => this.#draw(),
      onEnd: () => this.close(),
    })
    io.signal.addEventListener('abort', this.#onAbort)
    if (!io.signal.aborted) this.#terminal.take()
  }

  /**
   * Reads one message. The cursor must stand at the start of a line, where the prompt is then drawn.
   * @throws the reason of `io.signal` when the run is to end; the terminal is then restored.
   */
  read({ prompt, initial = '', holdsAhead = false }: Question): Promise<Reply> {
    const { io, history } = this.#options
    return new Promise((resolve, reject) => {
      if (io.signal.aborted) return reject(io.signal.reason as Error)
      if (this.#isClosed) return resolve({ kind: 'left' })
      if (holdsAhead || initial !== '') this.#ahead.hold(history.texts)
      this.#line = this.#fresh(this.#ahead.takeHeld(history.texts, initial === '') || initial)
      this.#reading = { prompt, resolve, reject }
      this.#draw()
      for (const input of this.#ahead.takeInputs()) this.#receive(input)
    })
  }

  /**
   * Gives the terminal, as it was found, to something else that reads or draws on it: a program, a question.
   * What was being written is back when that is done.
   */
  async lend<T>(use: () => Promise<T>): Promise<T> {
    this.#isLent = true
    this.#painter.leave()
    this.#terminal.release()
    try {
      return await use()
    } finally {
      this.#isLent = false
      if (!this.#isClosed) this.#terminal.take()
      this.#draw()
    }
  }

  /**
   * Lets the person write in `$VISUAL` or `$EDITOR`; what comes back fits `initial` of the next read.
   * @throws FailedError when the editor fails.
   */
  edit(text: string): Promise<string> {
    return this.lend(() => editText(text, this.#options.io))
  }

  /** Restores the terminal. Nothing can be read afterwards. */
  close(): void {
    this.#shut()?.resolve({ kind: 'left' })
  }

  readonly #onAbort = (): void => {
    this.#painter.leave(this.#view())
    this.#shut()?.reject(this.#options.io.signal.reason)
  }

  /** @returns who is still reading. */
  #shut(): Reading | undefined {
    this.#isClosed = true
    this.#options.io.signal.removeEventListener('abort', this.#onAbort)
    const reading = this.#endReading()
    this.#terminal.release()
    return reading
  }

  #endReading(view?: View): Reading | undefined {
    const reading = this.#reading
    this.#painter.leave(view)
    this.#reading = undefined
    this.#line = startLine(startEditing('', this.#line.editor.kills), [])
    return reading
  }

  #receive(input: Input): void {
    if (this.#reading === undefined) return this.#keep(input)
    const isSecondTab = this.#line.before === 'complete'
    const { texts } = this.#options.history
    const { line, wish } = press(this.#line, input, texts)
    this.#line = line
    // A line that is emptied makes room for what is held, so that nothing waits unseen.
    const held = this.#ahead.takeHeld(texts, line.editor.text === '' && line.search === undefined)
    if (held !== '') this.#line = this.#fresh(held)
    // Once for all that came at one time: a character of several parts is never seen in pieces.
    if (wish === undefined || held !== '') queueMicrotask(() => this.#draw())
    else this.#grant(wish, isSecondTab)
  }

  #fresh(text: string): LineState {
    return startLine(startEditing(text, this.#line.editor.kills), this.#options.history.texts)
  }

  #keep(input: Input): void {
    const wish = input.kind === 'key' ? keymap[input.name] : undefined
    if (wish === 'suspend') setImmediate(() => this.#suspend())
    else if (wish === 'interrupt') this.#interrupt()
    else this.#ahead.add(input)
  }

  #interrupt(): void {
    this.#ahead.hold(this.#options.history.texts)
    this.#options.onInterrupt()
  }

  #grant(wish: Wish, isSecondTab: boolean): void {
    switch (wish) {
      case 'send':
        return this.#send(this.#line.editor.text)
      case 'leave':
        return this.#endReading()?.resolve({ kind: 'left' })
      // What was typed right behind the key is here already, and is to be in the line before the terminal is given away.
      case 'suspend':
        return void setImmediate(() => this.#suspend())
      case 'edit':
        return void setImmediate(() => this.#editHere())
      case 'complete':
        return this.#complete(isSecondTab)
      case 'redraw':
        return this.#draw({ isAlone: true })
    }
  }

  #send(text: string): void {
    const view = this.#view()
    this.#options.history.add(text)
    this.#endReading(view)?.resolve({ kind: 'text', text: messageOf(text) })
  }

  #suspend(): void {
    const { io } = this.#options
    if (io.platform === 'win32') return
    void this.lend(async () => {
      await io.suspend()
      if (this.#reading) this.#painter.clearRow()
    })
  }

  #editHere(): void {
    if (this.#reading === undefined) return
    const before = this.#line
    void this.edit(before.editor.text).then(
      (text) => this.#put(before, { ...before, editor: replaceAll(before.editor, text) }),
      (error: unknown) => this.#put(before, { ...before, note: messageFrom(error) }),
    )
  }

  /** A plain completion counts at once, so that what is typed right behind the Tab finds it done. */
  #complete(isSecondTab: boolean): void {
    const before = this.#line
    const use = (completion: Completion | undefined): void =>
      this.#put(before, completion ? complete(before, completion, isSecondTab) : before)
    const fail = (error: unknown): void => this.#put(before, { ...before, note: messageFrom(error) })
    try {
      const completion = this.#options.complete(before.editor.text, before.editor.cursor)
      if (completion instanceof Promise) void completion.then(use, fail)
      else use(completion)
    } catch (error) {
      fail(error)
    }
  }

  /** What comes late must not undo what was typed meanwhile. */
  #put(before: LineState, line: LineState): void {
    if (this.#line === before) this.#line = line
    this.#draw()
  }

  #draw({ isAlone = false } = {}): void {
    const view = this.#view()
    if (view === undefined || this.#isLent) return
    if (isAlone) this.#painter.showAlone(view)
    else this.#painter.show(view)
  }

  #view(): View | undefined {
    return this.#reading && viewOf(this.#line, this.#reading.prompt, this.#options.history.texts)
  }
}

function messageFrom(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What the line is asked for, and what comes back. */

export interface Question {
  /** One line, which may hold colours; it needs a blank at its end. */
  readonly prompt: string
  /** Stands in the line already, to be changed or sent. */
  readonly initial?: string | undefined
  /** Whether what was typed meanwhile goes into the line unsent, because something failed that it was to follow. */
  readonly holdsAhead?: boolean
}

export type Reply =
  /** What was sent, of one line or many, as it was written; it stands in the history by now. */
  | { readonly kind: 'text'; readonly text: string }
  /** The person wants to leave (Ctrl-D, or Ctrl-C twice, or the terminal is gone). */
  | { readonly kind: 'left' }

/** A question that was not answered yet. */
export interface Reading {
  readonly prompt: string
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: unknown) => void
}

export type LinePainter = Painter | PlainPainter

/** The painter for what the terminal knows. */
export function choosePainter(io: Io, style: Pick<Style, 'dim'>): LinePainter {
  return io.env.TERM === 'dumb' ? new PlainPainter(io) : new Painter(io, style)
}
