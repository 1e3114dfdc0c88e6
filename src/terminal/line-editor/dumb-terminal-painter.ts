import type { Io } from '../../io/io.ts'
import { asSafeText, sanitizeForTerminal, sanitizeName, type SafeText } from '../../io/text/safe-text.ts'
import { widthOf } from '../width.ts'
import type { FooterView } from './footer-layout.ts'
import type { SentLine } from './layout.ts'
import { commonLength } from './text-boundaries.ts'

/**
 * Draws the line on a terminal without escape sequences (TERM=dumb): appends text at the end, erases text at the end with
 * backspaces, and after any other change writes the line again below. While an answer arrives, the line is not shown.
 */
export class DumbTerminalPainter {
  readonly #io: Io
  /** The text on the screen, starting with the prompt. */
  #shown: string | undefined
  /** The part after the cursor. */
  #afterCursor = ''
  #below = ''
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
    const below = sanitizeName(view.line.note ?? '')
    const isNew = below !== '' && below !== this.#below
    this.#below = below
    this.#write(isNew ? `${this.#left()}${below}\r\n${this.#updated(view.line)}` : this.#updated(view.line))
  }

  hasList = (): boolean => false

  keep(line: SentLine): void {
    this.#next = undefined
    this.#write(this.#updated({ ...line, cursor: line.text.length }) + this.#left())
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
    const end = this.#shown === undefined ? '' : `${this.#afterCursor}\r\n`
    this.#shown = undefined
    this.#afterCursor = ''
    return end
  }

  #updated(view: SentLine & { cursor: number }): string {
    const whole = `${view.prompt}${linesFrom(view, 0)}`
    const before = this.#shown ?? ''
    const same = commonLength(before, whole)
    const removed = before.slice(same)
    if (removed !== '' && !this.#canErase(before, removed)) return this.#left() + this.#updated(view)
    const toEnd = this.#afterCursor
    const after = linesFrom(view, view.cursor)
    this.#shown = whole
    this.#afterCursor = this.#canErase(whole, after) ? after : ''
    return toEnd + '\b \b'.repeat(widthOf(removed)) + whole.slice(same) + '\b'.repeat(widthOf(this.#afterCursor))
  }

  /** A backspace cannot move to the row above, nor away from the last column. */
  #canErase(whole: string, end: string): boolean {
    const lastLine = whole.slice(whole.lastIndexOf('\n') + 1)
    return !end.includes('\n') && widthOf(lastLine) < this.#io.out.columns()
  }

  /** main.ts handles failed writes, by ending the run. */
  #write(text: string): void {
    if (text !== '') void this.#send(asSafeText(text)).catch(() => undefined)
  }
}

/** The text from `start`, with the later lines indented like the first. */
function linesFrom({ prompt, text }: SentLine, start: number): string {
  return sanitizeForTerminal(text.slice(start)).replaceAll('\n', `\r\n${' '.repeat(widthOf(prompt))}`)
}
