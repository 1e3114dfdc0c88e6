/** Reasoning in brief: a line that shows its latest words while the model thinks, and one that says how long it took. */

import { harmlessName } from '../io/harmless.ts'
import type { Sink } from '../io/io.ts'
import type { Printer } from './printer.ts'
import type { Spinner } from '../terminal/spinner.ts'
import type { Style } from '../terminal/style.ts'
import { cutTo, widthOf } from '../terminal/width.ts'
import { isContent, type Delta } from '../stream/delta.ts'

/** Columns beside the last words. */
const besides = 'x thinking · '.length + 1

export class ReasoningLine implements Printer {
  readonly #sink: Sink
  readonly #spinner: Spinner | undefined
  readonly #style: Style
  readonly #now: () => number
  #began: number | undefined
  #isOver = false
  #last = ''

  constructor(sink: Sink, spinner: Spinner | undefined, style: Style, now: () => number) {
    this.#sink = sink
    this.#spinner = spinner
    this.#style = style
    this.#now = now
  }

  async take(deltas: readonly Delta[]): Promise<void> {
    for (const delta of deltas) {
      if (delta.type === 'reasoning' && delta.text !== '') this.#think(delta.text)
      else if (isContent(delta)) await this.#end()
    }
  }

  async finish(): Promise<void> {
    await this.#end()
  }

  async breakOff(): Promise<void> {
    await this.#end()
  }

  #think(text: string): void {
    if (this.#isOver) return
    this.#began ??= this.#now()
    const columns = Math.max(0, this.#sink.columns() - besides)
    this.#last = endOf(harmlessName(this.#last + text), columns)
    this.#spinner?.say(`thinking · ${this.#last}`)
  }

  async #end(): Promise<void> {
    if (this.#began === undefined || this.#isOver) return
    this.#isOver = true
    const seconds = ((this.#now() - this.#began) / 1000).toFixed(1)
    await this.#sink.write(`${this.#style.dim(summary(seconds, this.#sink.columns()))}\n`)
  }
}

/** One line, however narrow the terminal. */
function summary(seconds: string, columns: number): string {
  const brief = `thought for ${seconds} s; /reasoning on`
  const whole = `${brief} shows it`
  return widthOf(whole) <= columns ? whole : cutTo(brief, columns)
}

/** As much of a text's end as fits. */
function endOf(text: string, columns: number): string {
  const characters = Array.from(text).slice(-columns)
  while (widthOf(characters.join('')) > columns) characters.shift()
  return characters.join('')
}
