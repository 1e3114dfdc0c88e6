import type { Io } from '../../io/io.ts'
import { asSafeText, sanitizeForTerminal, sanitizeName, type SafeText } from '../../io/text/safe-text.ts'
import { widthOf } from '../width.ts'
import type { FooterView, SentLine } from './layout.ts'
import { commonLength } from './editing.ts'

/**
 * Draws the line on a terminal without escape sequences (TERM=dumb): writes what is new at its end, after erasing what is not
 * the same with backspaces, or where these cannot, the whole line again below. The cursor stays at the end. While an answer
 * arrives, the line is not shown.
 */
export class DumbTerminalPainter {
  readonly #io: Io
  /** The line on the screen, with its prompt. */
  #shown = ''
  #note = ''
  #next: FooterView | undefined

  constructor(io: Io) {
    this.#io = io
  }

  /** Below the line, if it is shown. */
  write(text: SafeText): Promise<void> {
    return this.#send(asSafeText(this.#left() + text))
  }

  #send(text: SafeText): Promise<void> {
    return this.#io.out.isTerminal ? this.#io.out.writeDirectly(text) : Promise.resolve()
  }

  /** The first call draws at the cursor, which must be at the start of a line. Drawn once for all input that came together. */
  show(view: FooterView): void {
    if (this.#next === undefined) queueMicrotask(() => this.#draw())
    this.#next = view
  }

  #draw(): void {
    const view = this.#next
    this.#next = undefined
    if (view === undefined || view.isBusy) return
    const note = sanitizeName(view.line.note ?? '')
    const isNew = note !== '' && note !== this.#note
    this.#note = note
    this.#write((isNew ? `${this.#left()}${note}\r\n` : '') + this.#updated(view.line))
  }

  hasList = (): boolean => false

  keep(line: SentLine): void {
    this.#next = undefined
    this.#write(this.#updated(line) + this.#left())
  }

  pushScreen(): void {
    // This terminal cannot.
  }

  pause(): void {
    this.#next = undefined
    this.#write(this.#left())
  }

  resume(): void {
    // Echoed text cannot be erased here.
  }

  close(): void {
    this.pause()
  }

  /** Leaves the line on the screen, and begins another one below. */
  #left(): string {
    const end = this.#shown === '' ? '' : '\r\n'
    this.#shown = ''
    return end
  }

  #updated({ prompt, text }: SentLine): string {
    const before = this.#shown
    const line = `${prompt}${sanitizeForTerminal(text).replaceAll('\n', `\r\n${' '.repeat(widthOf(prompt))}`)}`
    const same = commonLength(before, line)
    const removed = before.slice(same)
    // A backspace cannot move to the row above, nor away from the last column.
    const isLastRow = !removed.includes('\n') && widthOf(before.replace(/^.*\n/s, '')) < this.#io.out.columns()
    if (removed !== '' && !isLastRow) return this.#left() + this.#updated({ prompt, text })
    this.#shown = line
    return '\b \b'.repeat(widthOf(removed)) + line.slice(same)
  }

  /** main.ts handles failed writes, by ending the run. */
  #write(text: string): void {
    if (text !== '') void this.#send(asSafeText(text)).catch(() => undefined)
  }
}
