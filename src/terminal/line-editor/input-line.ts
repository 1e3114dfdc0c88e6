/** The input line of the interactive chat: reads messages from the terminal, with editing, history and completion. */

import { errorMessage } from '../../errors.ts'
import { AnswerKeys, isAnswerKey, keyIn, tooSoon, untilQuiet } from '../../io/process/question.ts'
import { onAbort } from '../../io/time/abort-signal.ts'
import type { Io, TerminalFooter } from '../../io/io.ts'
import { noText, safe, type SafeText } from '../../io/text/safe-text.ts'
import type { Style } from '../style.ts'
import { replaceAll, startEditing, type EditorState, wordStart } from './editing.ts'
import { editText } from '../../io/process/editor.ts'
import type { FooterView } from './layout.ts'
import { FooterTexts } from './footer-texts.ts'
import type { History } from './history.ts'
import { Keyboard } from './keyboard.ts'
import type { KeyboardInput } from './key-sequences.ts'
import { keymap } from './keymap.ts'
import { applyInput, lineView, startLine, take, type Effect, type LineState } from './line-state.ts'
import { choosePainter, type Painter } from './ansi-painter.ts'
import { listCandidates, type Completer, type TabCompletion } from './candidate-list.ts'

interface InputLineOptions {
  /** Standard input and standard output must be terminals. */
  readonly io: Io
  readonly style: Pick<Style, 'bold' | 'dim'>
  readonly history: History
  readonly complete: Completer
  /** Whether to ask the terminal for its background, which `io.out` has once it has answered. */
  readonly asksBackground?: boolean
  /** Whether to have the terminal report its focus, for `io.out`. */
  readonly reportsFocus?: boolean
  /** Called for Ctrl-C and Esc while no line is being read, to stop an answer. */
  readonly stopAnswer: () => void
  /** Called with what is entered while no line is being read, to run it at once. Otherwise it is queued. */
  readonly runAtOnce?: (text: string) => boolean
  /** The line above a text that is sent, with its end; may be empty. */
  readonly above?: (text: string) => SafeText
  /** Called after each change of the text or the cursor. */
  readonly onChange?: (editor: EditorState) => void
  /** The line that Esc twice sends if the line is empty. */
  readonly recalled?: () => string | undefined
}

interface ReadOptions {
  /** One line, which may contain colors and should end with a space. */
  readonly prompt: SafeText
  /** The text in the line at the start. */
  readonly initial?: string | undefined
  /**
   * The command that began to edit what was sent before. It is not sent if something is being typed. Ctrl-C, Esc twice, or Enter
   * on an empty line cancel the edit.
   */
  readonly editedBy?: string | undefined
  /** After a failure: queued messages go into the line without being sent. */
  readonly returnsQueued?: boolean
  /**
   * The lower-case letters that answer a question, without Enter. Queued messages wait then, and what is being typed stays out of
   * sight.
   */
  readonly keys?: string
}

type ReadResult =
  /** The message, one or more lines; it is already in the history. */
  | { readonly kind: 'text'; readonly text: string }
  /** The user does not answer a question, or ends an edit, or was typing when an edit began. */
  | { readonly kind: 'canceled' }
  /** The user exits (Ctrl-D, Ctrl-C twice), or the terminal is gone. */
  | { readonly kind: 'exit' }

interface PendingRead extends ReadOptions {
  readonly resolve: (reply: ReadResult) => void
  readonly reject: (error: unknown) => void
}

/** In milliseconds: keys that come so soon after an answer was stopped may still be meant for it. */
const stopTime = 500

/** How many candidates a note names. */
const maximumNamed = 50

/**
 * Controls the terminal from `new` to `close()`. The line stands below all text that is written to `io.out` and `io.err`.
 * What is entered between two reads is queued for the next ones, and listed above the line.
 */
export class InputLine {
  readonly #options: InputLineOptions
  readonly #painter: Painter
  readonly #keyboard: Keyboard
  readonly #texts: FooterTexts
  #line: LineState
  #pending: PendingRead | undefined
  /** When the last key came. */
  #keyAt = -Infinity
  /** An Enter that came right after a Tab, and what followed it, while the completion is awaited. */
  #queuedKeys: KeyboardInput[] | undefined
  /** At a question for one key. */
  #answers: AnswerKeys<KeyboardInput> | undefined
  /** Messages for the next reads. */
  #queued: string[] = []
  /** Messages that returned from the queue, until they are printed. */
  #unsent: string[] = []
  /** Before the first read, the line is not shown. */
  #isShown = false
  /** Whether another program has the terminal. */
  #isReleased = false
  /** Settles when no other program has or waits for the terminal. */
  #using: Promise<unknown> = Promise.resolve()
  /** While the line is open in the editor. */
  #inEditor: Promise<void> | undefined
  #isClosed = false
  #stoppedAt = -Infinity
  #ignoreAbort = (): void => undefined

  constructor(options: InputLineOptions) {
    const { io, style, history } = options
    this.#options = options
    this.#painter = choosePainter(io, style)
    this.#texts = new FooterTexts(io.elapsed, () => this.#draw())
    this.#line = startLine(startEditing(), history.texts)
    this.#keyboard = new Keyboard(
      io,
      { onInput: (input) => this.#receive(input), onResize: () => this.#draw(), onEnd: () => this.close() },
      options,
    )
    if (io.signal.aborted) return
    this.#ignoreAbort = onAbort(io.signal, () => this.#abort())
    setFooters(io, {
      write: (text) => this.#painter.write(text),
      showActivity: (text) => this.#texts.showActivity(text),
    })
    this.#keyboard.acquire()
  }

  /** The parts of the row above the line, the most important first. */
  setStatus(parts: readonly SafeText[]): void {
    this.#texts.setStatus(parts)
  }

  /** Shows the line before the first read, as what comes before that takes a while. */
  show(): void {
    this.#isShown = true
    this.#draw()
  }

  /**
   * Reads one message. The text above must have ended its last line.
   * @throws the reason of `io.signal` if the run is aborted; the terminal is restored then.
   */
  async read(options: ReadOptions): Promise<ReadResult> {
    const { io } = this.#options
    const { initial = '', editedBy, returnsQueued = false, keys } = options
    return new Promise((resolve, reject) => {
      if (io.signal.aborted) return reject(io.signal.reason as Error)
      if (this.#isClosed) return resolve({ kind: 'exit' })
      // What is being typed is no part of an edit, and stays in the line.
      if (editedBy !== undefined && this.#isTyping) {
        this.#returnQueued(editedBy)
        return resolve({ kind: 'canceled' })
      }
      if (initial !== '' || returnsQueued) this.#returnQueued(initial)
      if (keys === undefined) this.#printUnsent()
      this.#pending = { ...options, resolve, reject }
      if (keys !== undefined) this.#ask(keys)
      this.#isShown = true
      const [next, ...others] = this.#queued
      if (next === undefined || keys !== undefined) return this.#draw()
      this.#queued = others
      this.#send(next, true)
    })
  }

  /**
   * Asks for one key, when none came for a while. Queued messages wait, and so does what is being typed.
   * @param question Its last line, without the colon, and what it is about above that. The prompt follows once a key can answer it.
   * @param signal The signal of what asks.
   * @returns one of the `keys`; `undefined` for any other, as `askKey`. Esc and Ctrl-C also stop what asks.
   * @throws as `read`.
   */
  async readKey(question: SafeText, options: ReadOptions, signal: AbortSignal): Promise<string | undefined> {
    const { io } = this.#options
    const keyAt = async (): Promise<number> => {
      await this.#using
      return signal.aborted || this.#isClosed ? -Infinity : this.#keyAt
    }
    await untilQuiet(keyAt, io)
    if (signal.aborted) return undefined
    // Before the question is written: what is being typed takes rows, and would push it up.
    const reading = this.read(options)
    const showing = io.out.write(safe`${question}:\n`).then(() => this.#answers?.restart())
    const [reply] = await Promise.all([reading, showing])
    if (reply.kind !== 'text') return undefined
    return reply.text === '' ? this.readKey(question, options, signal) : reply.text
  }

  /** Shows a message as if it had been sent from the line, and adds it to the history. */
  showSent(prompt: SafeText, text: string, isNew = true): void {
    if (isNew) this.#add(text)
    this.#painter.keep({ prompt, text, above: this.#options.above?.(text) })
  }

  /** Shows what was run at once, and what it printed, when the line of the text that is open has ended. */
  showRun(prompt: SafeText, text: string, printed: SafeText): void {
    if (!this.#isClosed) this.#painter.keep({ prompt, text }, printed)
  }

  /**
   * Opens a text in `$VISUAL` or `$EDITOR`. The result can be the `initial` text of the next read.
   * @throws FailedError if the editor fails; what it saved is then in the history. UsageError if that is no text.
   */
  async edit(text: string): Promise<string> {
    const { text: saved, failure } = await this.#editElsewhere(text)
    if (!failure) return saved
    if (saved !== text) this.#remember(saved)
    throw failure
  }

  /** A pending question resolves to `canceled`. */
  cancelQuestion(): void {
    if (this.#pending?.keys === undefined) return
    this.#endRead({ kind: 'canceled' }, '')
    this.#draw()
  }

  /** Restores the terminal. A pending read, and any later one, resolves to `exit`. What was not sent goes into the history. */
  close(): void {
    this.#end((pending) => pending.resolve({ kind: 'exit' }))
  }

  #abort(): void {
    const pending = this.#pending
    if (pending && (pending.keys ?? this.#line.editor.text) !== '') this.#painter.keep(this.#view(this.#line).line)
    this.#end(({ reject }) => reject(this.#options.io.signal.reason))
  }

  #end(settle: (pending: PendingRead) => void): void {
    if (this.#isClosed) return
    const pending = this.#pending
    this.#isClosed = true
    this.#pending = undefined
    this.#keepText(this.#answers?.close() ?? [])
    this.#answers = undefined
    this.#ignoreAbort()
    this.#texts.close()
    this.#painter.close()
    setFooters(this.#options.io, undefined)
    this.#keyboard.release()
    for (const input of this.#cancelCompletion()) this.#line = applyInput(this.#line, input).line
    this.#rememberDrafts()
    for (const text of [...this.#queued, this.#line.editor.text]) this.#remember(text)
    if (pending) settle(pending)
  }

  /** Restores the terminal while another program uses it, one after the other, and then draws the line again. */
  #releaseTerminal<Result>(use: () => Promise<Result>): Promise<Result> {
    const using = this.#using.then(async () => {
      this.#isReleased = true
      this.#painter.pause()
      this.#keyboard.release()
      try {
        return await use()
      } finally {
        this.#isReleased = false
        if (!this.#isClosed) this.#keyboard.acquire()
        // What was typed meanwhile is read now, and answers no question.
        this.#keyAt = this.#options.io.elapsed()
        this.#painter.resume()
        this.#draw()
      }
    })
    this.#using = using.catch(() => undefined)
    return using
  }

  /** Another key than Enter cancels a completion that is awaited. */
  #receive(input: KeyboardInput): void {
    this.#keyAt = this.#options.io.elapsed()
    const command = commandOf(input)
    const isStop = isStopKey(input)
    this.#answers?.push(input, isStop)
    if (this.#answers) return this.#draw()
    if (this.#queuedKeys && !isStop && (command === 'enter' || this.#queuedKeys.length > 0))
      return void this.#queuedKeys.push(input)
    for (const one of [...this.#cancelCompletion(), input]) this.#handle(one)
  }

  /** Reads the answer to a question. Any other key than those asked for is one, too. Other text refuses, as it was a message. */
  #ask(keys: string): void {
    const { prompt = noText } = this.#pending ?? {}
    const showPrompt = (shown: SafeText): void => {
      if (this.#pending) this.#pending = { ...this.#pending, prompt: shown }
    }
    const onReady = (ignored: readonly KeyboardInput[]): void => {
      this.#keepText(ignored)
      showPrompt(ignored.length === 0 ? prompt : safe`${tooSoon} ${prompt}`)
      this.#draw()
    }
    const onAnswer = (inputs: readonly KeyboardInput[]): void => {
      const typed = typedIn(inputs)
      const key = keyIn(typed, keys)
      this.#keyAt = this.#options.io.elapsed()
      this.#endRead(key === undefined ? { kind: 'canceled' } : { kind: 'text', text: key }, key && typed.trim())
      if (!key) this.#keepText(inputs)
      if (inputs.some(isStopKey)) this.#perform('stop', this.#line)
      this.#draw()
    }
    showPrompt(noText)
    // A word that a screen reader reads is over at Enter.
    const isPart = this.#options.io.isAccessible?.() ? /[^\n\0]$/ : undefined
    const isReceiving = (typed: string): boolean => this.#keyboard.isReceiving || isPart?.test(typed) === true
    this.#answers = new AnswerKeys({ textOf: typedIn, isReceiving, onReady, onAnswer })
  }

  /** Puts what was typed at a question into the line. An Enter that more follows is a line break. */
  #keepText(inputs: readonly KeyboardInput[]): void {
    if (isAnswerKey(typedIn(inputs))) return
    const isBreak = (input: KeyboardInput): boolean => ['enter', 'newLine'].includes(commandOf(input) ?? '')
    const kept = inputs.filter((input) => isBreak(input) || ['deleteLeft', undefined].includes(commandOf(input)))
    const end = kept.findLastIndex((input) => !isBreak(input)) + 1
    for (const input of kept.slice(0, end)) {
      this.#line = applyInput(this.#line, isBreak(input) ? { kind: 'paste', text: '\n' } : input).line
    }
  }

  /** @returns the queued keys, without Enter. */
  #cancelCompletion(): readonly KeyboardInput[] {
    const queued = this.#queuedKeys ?? []
    this.#queuedKeys = undefined
    return queued.splice(0).filter((one) => commandOf(one) !== 'enter')
  }

  #handle(input: KeyboardInput): void {
    const { line, effect } = applyInput(this.#line, input, {
      isBusy: this.#pending === undefined,
      isEdit: this.#pending?.editedBy !== undefined,
      hasList: this.#line.list !== undefined && this.#painter.hasList(this.#view(this.#line)),
      hasQueued: this.#queued.length > 0,
      hasLast: commandOf(input) === 'escape' && this.#options.recalled?.() !== undefined,
      wasJustStopped: this.#options.io.elapsed() - this.#stoppedAt < stopTime,
    })
    const before = this.#line
    this.#line = line
    if (effect !== undefined) this.#perform(effect, before)
    this.#updateList(before)
    this.#draw()
  }

  #perform(effect: Effect, before: LineState): void {
    const { text } = this.#line.editor
    switch (effect) {
      case 'send':
        this.#begin('')
        if (this.#pending) return this.#send(text)
        this.#add(text)
        if (!this.#options.runAtOnce?.(text)) this.#queued.push(text)
        return
      case 'takeBack':
        return this.#begin(this.#queued.pop() ?? '')
      case 'shelve':
        this.#rememberDrafts()
        this.#line = { ...startLine(this.#line.editor, this.#options.history.texts), lastCommand: 'shelve' }
        // Even a text that came from the history becomes its newest.
        this.#add(before.editor.text)
        return this.#cancelEdit()
      case 'stop':
        this.#stoppedAt = this.#options.io.elapsed()
        this.#returnQueued()
        return this.#options.stopAnswer()
      case 'recall':
        return this.#send(this.#options.recalled?.() ?? '', true)
      case 'exit':
        return this.close()
      // Later, because what was typed right after the key has already arrived and belongs into the line.
      case 'suspend':
        return void setImmediate(() => this.#suspend())
      case 'openEditor':
        return void setImmediate(() => {
          this.#inEditor ??= this.#openEditor().finally(() => (this.#inEditor = undefined))
        })
      case 'complete':
        return this.#complete()
      case 'pushScreen':
        return this.#painter.pushScreen()
    }
  }

  #send(text: string, isQueued = false): void {
    // What was queued is in the history since then.
    if (!isQueued) this.#add(text)
    // An Enter that waited for a completion answers no question.
    if (this.#answers) return void this.#queued.push(text)
    this.#endRead({ kind: 'text', text }, text)
  }

  #cancelEdit(): void {
    if (this.#pending?.editedBy === undefined) return
    this.#pending.resolve({ kind: 'canceled' })
    this.#pending = undefined
  }

  /** @param text Stays above the line, after the prompt. */
  #endRead(result: ReadResult, text = ''): void {
    const pending = this.#pending
    if (pending === undefined) return
    this.#pending = undefined
    this.#answers?.close()
    this.#answers = undefined
    const above = pending.keys === undefined ? this.#options.above?.(text) : undefined
    this.#painter.keep({ prompt: pending.prompt, text, above })
    pending.resolve(result)
  }

  /** Adds a text that was not sent to the history, unless it came from there. */
  #remember(text: string): void {
    if (!this.#options.history.texts.includes(text)) this.#add(text)
  }

  #add(text: string): void {
    if (text.trim() === '') return
    const { history } = this.#options
    history.add(text)
    const { texts } = history
    const { position } = this.#line
    const isNewest = position.index === position.texts.length
    this.#line = { ...this.#line, position: { ...position, texts, index: isNewest ? texts.length : position.index } }
  }

  /** Texts that were edited and left with Up or Down are out of sight, but for the one in the line. */
  #rememberDrafts(): void {
    const { index, visited } = this.#line.position
    for (const [at, { text }] of visited) if (at !== index) this.#remember(text)
  }

  #begin(text: string): void {
    this.#rememberDrafts()
    this.#line = startLine(startEditing(text, this.#line.editor.killed), this.#options.history.texts)
  }

  /** Whether what is in the line is not complete. */
  get #isTyping(): boolean {
    const { editor, search } = this.#line
    return (
      editor.text !== '' || search !== undefined || this.#inEditor !== undefined || (this.#queuedKeys?.length ?? 0) > 0
    )
  }

  /**
   * Sends no queued message. The first text goes into the line, unless something is being typed there; the others are printed
   * above the next prompt, and Up brings them in their order.
   */
  #returnQueued(text = ''): void {
    const texts = [...(text === '' ? [] : [text]), ...this.#queued]
    this.#queued = []
    if (!this.#isTyping && texts.length > 0) this.#begin(texts.shift() ?? '')
    for (const one of texts.toReversed()) this.#add(one)
    this.#unsent = [...this.#unsent, ...texts]
  }

  #printUnsent(): void {
    for (const text of this.#unsent) this.#painter.keep({ prompt: safe`not sent (Up): `, text })
    this.#unsent = []
  }

  #suspend(): void {
    const { io } = this.#options
    if (io.platform === 'win32' || this.#isReleased) return
    void this.#releaseTerminal(() => io.suspend())
  }

  async #editElsewhere(text: string): ReturnType<typeof editText> {
    return this.#releaseTerminal(() => editText(text, this.#options.io))
  }

  async #openEditor(): Promise<void> {
    if (this.#isClosed || this.#isReleased) return
    const before = this.#line
    const { text: shown } = before.editor
    const { text, failure } = await this.#editElsewhere(shown).catch((failure: unknown) => ({ text: shown, failure }))
    const editor = text === shown ? before.editor : replaceAll(before.editor, text)
    const line = { ...before, editor, list: undefined, note: failure ? errorMessage(failure) : undefined }
    if (this.#isClosed) this.#remember(line.editor.text)
    else this.#line = line
    this.#draw()
    if (line.editor.text.trim() === '') this.#remember(before.editor.text)
  }

  /** Lists the candidates for what is typed. Those that come later are ignored if the text changes before. */
  #updateList(before: LineState): void {
    const { editor, closedWord } = this.#line
    const { text, cursor, lastChange } = editor
    if (text === before.editor.text && cursor === before.editor.cursor) return
    this.#options.onChange?.(editor)
    const isClosed = text !== '' && closedWord === wordStart(text, cursor)
    this.#line = { ...this.#line, list: undefined, closedWord: isClosed ? closedWord : undefined }
    // A text of the history, or one that came back, has no list until it is changed.
    const isTyped = text !== '' && lastChange !== undefined
    if (isClosed || !isTyped) return
    // Tab shows the error.
    void this.#find((line, found) =>
      'error' in found ? line : { ...line, list: listCandidates(found, text.slice(0, cursor)) },
    )
  }

  /** Lists the candidates, or takes the only one. Without room for the list, takes the first one, and names them; in plain text, only names them. */
  #complete(): void {
    const finding = this.#find((line, found) => {
      if ('error' in found) return { ...line, note: errorMessage(found.error) }
      const list = listCandidates(found, line.editor.text.slice(0, line.editor.cursor))
      if (list === undefined) return line
      const listing: LineState = { ...line, list, closedWord: undefined }
      const { matches } = list
      if (matches.length === 1) return { ...listing, ...take(listing) }
      if (this.#painter.hasList(this.#view(listing))) return listing
      const names = matches.slice(0, maximumNamed).map(({ text, shown = text.trimEnd() }) => shown)
      return { ...listing, ...(this.#options.io.isPlain?.() ? {} : take(listing)), note: names.join('  ') }
    })
    if (finding === undefined) return
    const queued: KeyboardInput[] = []
    this.#queuedKeys = queued
    void finding.then(() => {
      if (this.#queuedKeys === queued) this.#queuedKeys = undefined
      for (const input of queued.splice(0)) this.#handle(input)
    })
  }

  /**
   * Finds the candidates for what is typed, at once unless they are a promise: before what was typed right after the key. If they
   * come after another key, they change nothing.
   */
  #find(change: (line: LineState, found: TabCompletion | { readonly error: unknown }) => LineState) {
    const before = this.#line
    const use = (found: Parameters<typeof change>[1]): void => {
      if (this.#line.editor !== before.editor || this.#line.lastCommand !== before.lastCommand) return
      this.#line = change(this.#line, found)
      this.#updateList(before)
      this.#draw()
    }
    const found = this.#options.complete(before.editor.text, before.editor.cursor)
    if (!found) return undefined
    const { start, candidates } = found
    if (candidates instanceof Promise) {
      return candidates.then((all) => use({ start, candidates: all })).catch((error: unknown) => use({ error }))
    }
    use({ start, candidates })
    return undefined
  }

  #draw(): void {
    if (!this.#isShown || this.#isReleased || this.#isClosed) return
    this.#painter.show(this.#view(this.#line))
  }

  #view(line: LineState): FooterView {
    const typed = this.#options.io.isAccessible?.() ? typedIn(this.#answers?.keys ?? []).replace(/\p{C}/gu, '') : ''
    const { prompt, keys }: ReadOptions = this.#pending ?? { prompt: this.#options.style.dim(safe`» `) }
    return {
      line: lineView(keys === undefined ? line : startLine(startEditing(typed), []), prompt),
      isBusy: this.#pending === undefined,
      ...this.#texts.shown,
      queued: this.#queued,
    }
  }
}

/** What keys that answer a question have typed, for `keyIn`. A paste is no key, but part of a message. */
function typedIn(inputs: readonly KeyboardInput[]): string {
  return inputs.reduce((typed, input) => {
    if (input.kind === 'text') return typed + input.text
    if (commandOf(input) === 'enter') return `${typed}\n`
    if (commandOf(input) === 'deleteLeft') return typed.slice(0, -1)
    return typed + (input.kind === 'key' && movingKey.test(input.name) ? '\f' : '\0')
  }, '')
}

/** Keys that move or redraw, with modifiers; and digits and signs, such as Alt-1. */
const movingKey = /^(?:ctrl-l|(?:\w+-)*(?:up|down|left|right|page\w+|home|end|insert|delete|tab|\P{L}))$/u

function isStopKey(input: KeyboardInput): boolean {
  return ['interrupt', 'escape'].includes(commandOf(input) ?? '')
}

function commandOf(input: KeyboardInput): string | undefined {
  return input.kind === 'key' ? keymap[input.name] : undefined
}

/** Both streams, if they are on the terminal: what is written to either stands above the line. */
function setFooters({ out, err }: Io, footer: TerminalFooter | undefined): void {
  for (const sink of [out, err]) if (sink.isTerminal) sink.footer = footer
}
