/** Reasoning in one line: its last words next to the spinner while the model thinks, then the time it took. */

import { noText, safe, type SafeText, sanitizeName } from '../io/text/safe-text.ts'
import type { Activity, Sink } from '../io/io.ts'
import type { Printer } from './printer.ts'
import type { Style } from '../terminal/style.ts'
import { cutTo, widthOf } from '../terminal/width.ts'
import { isContent, type Delta } from '../stream/delta.ts'

/** Columns that the spinner and its label take. */
const labelWidth = 'x thinking · '.length + 1

export class ReasoningLine implements Printer {
  readonly #sink: Sink
  readonly #spinner: Activity | undefined
  readonly #style: Style
  readonly #now: () => number
  #startTime: number | undefined
  #hasEnded = false
  #lastWords = noText

  constructor(sink: Sink, spinner: Activity | undefined, style: Style, now: () => number) {
    this.#sink = sink
    this.#spinner = spinner
    this.#style = style
    this.#now = now
  }

  async print(deltas: readonly Delta[]): Promise<void> {
    for (const delta of deltas) {
      if (delta.type === 'reasoning' && delta.text !== '') this.#think(delta.text)
      else if (isContent(delta)) await this.#end()
    }
  }

  async finish(): Promise<void> {
    await this.#end()
  }

  async interrupt(): Promise<void> {
    await this.#end()
  }

  #think(text: string): void {
    if (this.#hasEnded) return
    this.#startTime ??= this.#now()
    const columns = Math.max(0, this.#sink.columns() - labelWidth)
    this.#lastWords = sanitizeName(endOf(sanitizeName(this.#lastWords + text), columns))
    this.#spinner?.setText(safe`thinking · ${this.#lastWords}`)
  }

  async #end(): Promise<void> {
    if (this.#startTime === undefined || this.#hasEnded) return
    this.#hasEnded = true
    const seconds = ((this.#now() - this.#startTime) / 1000).toFixed(1)
    await this.#sink.write(safe`${this.#style.dim(summary(seconds, this.#sink.columns()))}\n`)
  }
}

/** Shortened to one line on a narrow terminal. */
function summary(seconds: string, columns: number): SafeText {
  const short = safe`thought for ${sanitizeName(seconds)} s; /reasoning`
  const whole = safe`${short} shows it`
  return widthOf(whole) <= columns ? whole : cutTo(short, columns)
}

/** As much of the end of a text as fits into the columns. */
function endOf(text: string, columns: number): string {
  // A character has at most two units: of a long text, only the end matters.
  const characters = Array.from(text.slice(Math.max(0, text.length - 2 * columns))).slice(-columns)
  while (widthOf(characters.join('')) > columns) characters.shift()
  return characters.join('')
}
