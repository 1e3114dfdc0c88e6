/** The input line of the interactive chat: reads messages from the terminal, with editing, history and completion. */

import { errorMessage } from '../../errors.ts'
import { onAbort } from '../../io/abort.ts'
import type { Io } from '../../io/io.ts'
import { type SafeText } from '../../io/safe-text.ts'
import type { Style } from '../style.ts'
import { replaceAll, startEditing } from './editing.ts'
import { editText } from './external-editor.ts'
import type { History } from './history.ts'
import { Keyboard, type KeyboardInput } from './keyboard.ts'
import { keymap } from './keymap.ts'
import type { LineView } from './layout.ts'
import {
  applyCompletion,
  applyInput,
  lineView,
  startLine,
  withoutTripleQuotes,
  type Effect,
  type LineState,
} from './line-state.ts'
import { choosePainter, type Painter } from './painter.ts'
import type { Completer, Completion } from './tab-completion.ts'
import { TypeAhead } from './type-ahead.ts'

export interface InputLineOptions {
  /** Standard input and standard output must be terminals. */
  readonly io: Io
  /** For notes and markers. */
  readonly style: Pick<Style, 'dim'>
  readonly history: History
  readonly complete: Completer
  /** Called for Ctrl-C while no line is being read, to stop an answer. */
  readonly onInterrupt: () => void
  /** Called with the text in the line after each key. */
  readonly onText?: (text: string) => void
}

export interface ReadOptions {
  /** One line, which may contain colors and should end with a space. */
  readonly prompt: SafeText
  /** The text in the line at the start. */
  readonly initial?: string | undefined
  /** After a failure: put what was typed since the last read into the line without sending it. */
  readonly holdsTypeAhead?: boolean
}

export type ReadResult =
  /** The message, one or more lines; it is already in the history. */
  | { readonly kind: 'text'; readonly text: string }
  /** The user exits (Ctrl-D, Ctrl-C twice), or the terminal is gone. */
  | { readonly kind: 'exit' }

interface PendingRead {
  readonly prompt: SafeText
  readonly resolve: (reply: ReadResult) => void
  readonly reject: (error: unknown) => void
}

/**
 * Controls the terminal from `new` to `close()`. What is typed between two reads is not echoed but queued: the next reads
 * handle it as if it were typed then, each up to its Enter. After Ctrl-C it is put into the line without being sent.
 *
 * ```ts
 * const line = new InputLine({ io, style, history, complete, onInterrupt: () => answering?.abort() })
 * try {
 *   for (;;) {
 *     const reply = await line.read({ prompt: safe`› ` })
 *     if (reply.kind === 'exit') break
 *     await answer(reply.text) // writes to io.out, whole lines
 *   }
 * } finally {
 *   line.close()
 * }
 * ```
 */
export class InputLine {
  readonly #options: InputLineOptions
  readonly #painter: Painter
  readonly #keyboard: Keyboard
  readonly #typeAhead = new TypeAhead()
  #line: LineState
  #pending: PendingRead | undefined
  #isReleased = false
  #isClosed = false
  #ignoreAbort = (): void => undefined

  constructor(options: InputLineOptions) {
    const { io, style, history } = options
    this.#options = options
    this.#painter = choosePainter(io, style)
    this.#line = startLine(startEditing(), history.texts)
    this.#keyboard = new Keyboard(io, {
      onInput: (input) => this.#receive(input),
      onResize: () => this.#draw(),
      onEnd: () => this.close(),
    })
    if (io.signal.aborted) return
    this.#ignoreAbort = onAbort(io.signal, () => this.#abort())
    this.#keyboard.acquire()
  }

  /**
   * Reads one message. The cursor must be at the start of a line, where the prompt is drawn.
   * @throws the reason of `io.signal` if the run is aborted; the terminal is restored then.
   */
  read({ prompt, initial = '', holdsTypeAhead = false }: ReadOptions): Promise<ReadResult> {
    const { io, history } = this.#options
    return new Promise((resolve, reject) => {
      if (io.signal.aborted) return reject(io.signal.reason as Error)
      if (this.#isClosed) return resolve({ kind: 'exit' })
      if (holdsTypeAhead || initial !== '') this.#typeAhead.hold(history.texts)
      this.#line = this.#lineWith(this.#typeAhead.takeHeld(history.texts, initial === '') || initial)
      this.#pending = { prompt, resolve, reject }
      this.#draw()
      for (const input of this.#typeAhead.takeInputs()) this.#receive(input)
    })
  }

  /** Restores the terminal while another program uses it, and then draws the line again. */
  async #releaseTerminal<Result>(use: () => Promise<Result>): Promise<Result> {
    this.#isReleased = true
    this.#painter.finish()
    this.#keyboard.release()
    try {
      return await use()
    } finally {
      this.#isReleased = false
      if (!this.#isClosed) this.#keyboard.acquire()
      this.#draw()
    }
  }

  /**
   * Opens a text in `$VISUAL` or `$EDITOR`. The result can be the `initial` text of the next read.
   * @throws FailedError if the editor fails.
   */
  edit(text: string): Promise<string> {
    return this.#releaseTerminal(() => editText(text, this.#options.io))
  }

  /** Restores the terminal. A pending read, and any later one, resolves to `exit`. */
  close(): void {
    this.#closeTerminal()?.resolve({ kind: 'exit' })
  }

  #abort(): void {
    this.#painter.finish(this.#view())
    this.#closeTerminal()?.reject(this.#options.io.signal.reason)
  }

  #closeTerminal(): PendingRead | undefined {
    this.#isClosed = true
    this.#ignoreAbort()
    const pending = this.#endRead()
    this.#keyboard.release()
    return pending
  }

  #endRead(sent?: LineView): PendingRead | undefined {
    const pending = this.#pending
    this.#painter.finish(sent)
    this.#pending = undefined
    this.#line = startLine(startEditing('', this.#line.editor.killRing), [])
    return pending
  }

  #receive(input: KeyboardInput): void {
    if (this.#pending === undefined) return this.#receiveBetweenReads(input)
    const isSecondTab = this.#line.lastCommand === 'complete'
    const { texts } = this.#options.history
    const { line, effect } = applyInput(this.#line, input, texts)
    this.#line = line
    // The next held text is shown as soon as the line is empty, so that none is forgotten.
    const held = this.#typeAhead.takeHeld(texts, line.editor.text === '' && line.search === undefined)
    if (held !== '') this.#line = this.#lineWith(held)
    this.#options.onText?.(this.#line.editor.text)
    // Drawn once for all input that came together, so that a grapheme of several code points never appears in parts.
    if (effect === undefined || held !== '') queueMicrotask(() => this.#draw())
    else this.#perform(effect, isSecondTab)
  }

  #lineWith(text: string): LineState {
    return startLine(startEditing(text, this.#line.editor.killRing), this.#options.history.texts)
  }

  #receiveBetweenReads(input: KeyboardInput): void {
    const action = input.kind === 'key' ? keymap[input.name] : undefined
    if (action === 'suspend') setImmediate(() => this.#suspend())
    else if (action === 'interrupt') this.#interrupt()
    else this.#typeAhead.add(input)
  }

  #interrupt(): void {
    this.#typeAhead.hold(this.#options.history.texts)
    this.#options.onInterrupt()
  }

  #perform(effect: Effect, isSecondTab: boolean): void {
    switch (effect) {
      case 'send':
        return this.#send(this.#line.editor.text)
      case 'exit':
        return this.#endRead()?.resolve({ kind: 'exit' })
      // Later, because what was typed right after the key has already arrived and belongs into the line.
      case 'suspend':
        return void setImmediate(() => this.#suspend())
      case 'openEditor':
        return void setImmediate(() => this.#openEditor())
      case 'complete':
        return this.#complete(isSecondTab)
      case 'redraw':
        return this.#draw({ clearsScreen: true })
    }
  }

  #send(text: string): void {
    const sent = this.#view()
    this.#options.history.add(text)
    this.#endRead(sent)?.resolve({ kind: 'text', text: withoutTripleQuotes(text) })
  }

  #suspend(): void {
    const { io } = this.#options
    if (io.platform === 'win32') return
    void this.#releaseTerminal(async () => {
      await io.suspend()
      if (this.#pending) this.#painter.clearRow()
    })
  }

  #openEditor(): void {
    if (this.#pending === undefined) return
    const before = this.#line
    void this.edit(before.editor.text).then(
      (text) => this.#replaceLine(before, { ...before, editor: replaceAll(before.editor, text) }),
      (error: unknown) => this.#replaceLine(before, { ...before, note: errorMessage(error) }),
    )
  }

  /** A completion that is not a promise is applied at once, before what was typed right after the Tab. */
  #complete(isSecondTab: boolean): void {
    const before = this.#line
    const apply = (completion: Completion | undefined): void =>
      this.#replaceLine(before, completion ? applyCompletion(before, completion, isSecondTab) : before)
    const fail = (error: unknown): void => this.#replaceLine(before, { ...before, note: errorMessage(error) })
    try {
      const completion = this.#options.complete(before.editor.text, before.editor.cursor)
      if (completion instanceof Promise) void completion.then(apply, fail)
      else apply(completion)
    } catch (error) {
      fail(error)
    }
  }

  /** Does nothing if the line was changed meanwhile. */
  #replaceLine(before: LineState, line: LineState): void {
    if (this.#line === before) this.#line = line
    this.#draw()
  }

  #draw({ clearsScreen = false } = {}): void {
    const view = this.#view()
    if (view === undefined || this.#isReleased) return
    if (clearsScreen) this.#painter.clearScreenAndShow(view)
    else this.#painter.show(view)
  }

  #view(): LineView | undefined {
    return this.#pending && lineView(this.#line, this.#pending.prompt, this.#options.history.texts)
  }
}
