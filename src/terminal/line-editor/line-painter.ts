import type { TerminalSink } from '../../io/io.ts'
import { asSafeText, noText, sanitizeForTerminal, sanitizeName, type SafeText } from '../../io/text/safe-text.ts'
import { widthOf } from '../width.ts'
import type { FooterView, LineView, SentLine } from './layout.ts'
import { commonLength } from './editing.ts'

/**
 * Writes the line as text, for a screen reader and a terminal without escape sequences: what is new, after backspaces, or where
 * these do not get there, the whole line again below. While an answer arrives, the line is not shown.
 */
export class LinePainter {
  readonly #out: TerminalSink
  /** The line on the screen, with its prompt, and the cursor in it, which is always in the last row. */
  #shown = ''
  #cursor = 0
  #said = ''
  #index: number | undefined = 0
  #next: FooterView | undefined

  constructor(out: TerminalSink) {
    this.#out = out
  }

  /** Below the line, if it is shown. */
  write(text: SafeText): Promise<void> {
    return this.#out.writeDirectly(asSafeText(this.#left() + text))
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
    const { prompt, text, note = '', index } = view.line
    // In a search of the history, the query is the line, and what it finds stands above.
    const [said, line] = index === undefined ? [text, { prompt: noText, text: note }] : [note, view.line]
    const isNew = said !== '' && said !== this.#said && (index !== undefined || this.#index === undefined)
    // Another text of the history is heard as a whole, also where it only goes on.
    const left = isNew || (index !== this.#index && this.#shown !== prompt) ? this.#left() : ''
    ;[this.#said, this.#index] = [said, index]
    this.#write(left + (isNew ? `${sanitizeName(said)}\r\n` : '') + this.#updated(line))
  }

  keep(line: SentLine): void {
    this.#next = undefined
    // Below, as the text is on the screen since it was typed.
    this.#write(this.#updated(line) + this.#left() + (line.above ?? ''))
  }

  pause(): void {
    this.#next = undefined
    this.#write(this.#left())
  }

  hasList = (): boolean => false
  pushScreen = (): void => undefined
  resume = (): void => undefined
  close = (): void => this.pause()

  /** Leaves the line on the screen, and begins another one below. */
  #left(): string {
    const end = this.#shown === '' ? '' : '\r\n'
    ;[this.#shown, this.#cursor] = ['', 0]
    return end
  }

  #updated(view: SentLine & Partial<LineView>): string {
    const { prompt, text, cursor = text.length } = view
    const indent = `\r\n${' '.repeat(widthOf(prompt))}`
    const plain = (part: string): string =>
      prompt + sanitizeForTerminal(part).replaceAll('\t', '    ').replaceAll('\n', indent)
    const [line, at] = [plain(text), plain(text.slice(0, cursor)).length]
    const same = commonLength(this.#shown, line)
    const [removed, added] = [this.#shown.slice(same), line.slice(same)]
    if (removed + added === '') return this.#moved(at)
    if (removed !== '' && !(this.#isInRow(removed) && !added.includes('\n'))) return this.#left() + this.#updated(view)
    const start = this.#moved(same)
    const surplus = Math.max(0, widthOf(removed) - widthOf(added))
    ;[this.#shown, this.#cursor] = [line, line.length]
    return start + added + ' '.repeat(surplus) + '\b'.repeat(surplus) + this.#moved(at)
  }

  /** Moves the cursor in its row: back with backspaces, forward by writing the text again. */
  #moved(to: number): string {
    const [from, text] = [this.#cursor, this.#shown]
    if (to < from && !this.#isInRow(text.slice(to))) return ''
    this.#cursor = to
    return to < from ? '\b'.repeat(widthOf(text.slice(to, from))) : text.slice(from, to)
  }

  /** Whether the end of the line is in its last row: backspaces do not leave that, nor the column after a full one. */
  #isInRow(end: string): boolean {
    return widthOf(end) < widthOf(this.#shown.replace(/^.*\n/s, '')) % this.#out.columns()
  }

  /** main.ts handles failed writes, by ending the run. */
  #write(text: string): void {
    if (text !== '') void this.#out.writeDirectly(asSafeText(text)).catch(() => undefined)
  }
}
