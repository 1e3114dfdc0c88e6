/** Reasoning in one line: its last words next to the spinner while the model thinks, then the time it took. */

import { noText, safe, type SafeText, sanitizeName } from '../io/text/safe-text.ts'
import type { Activity, Sink } from '../io/io.ts'
import type { Printer } from './printer.ts'
import type { Style } from '../terminal/style.ts'
import { cutTo, widthOf } from '../terminal/width.ts'
import { isContent, type Delta } from '../stream/delta.ts'

/** Columns that the spinner and its label take. */
const labelWidth = 'x thinking · '.length + 1

export function reasoningLine(sink: Sink, spinner: Activity | undefined, style: Style, now: () => number): Printer {
  let startTime: number | undefined
  let hasEnded = false
  let lastWords: SafeText = noText

  const think = (text: string): void => {
    if (hasEnded) return
    startTime ??= now()
    const columns = Math.max(0, sink.columns() - labelWidth)
    lastWords = sanitizeName(lastColumns(sanitizeName(lastWords + text), columns))
    spinner?.setText(safe`thinking · ${lastWords}`)
  }

  const end = async (): Promise<void> => {
    if (startTime === undefined || hasEnded) return
    hasEnded = true
    const seconds = ((now() - startTime) / 1000).toFixed(1)
    await sink.write(safe`${style.dim(summary(seconds, sink.columns()))}\n`)
  }

  const print = async (deltas: readonly Delta[]): Promise<void> => {
    for (const delta of deltas) {
      if (delta.type === 'reasoning' && delta.text !== '') think(delta.text)
      else if (isContent(delta)) await end()
    }
  }
  return { print, finish: end, interrupt: end }
}

/** Shortened to one line on a narrow terminal. */
function summary(seconds: string, columns: number): SafeText {
  const short = safe`thought for ${sanitizeName(seconds)} s; /reasoning`
  const whole = safe`${short} shows it`
  return widthOf(whole) <= columns ? whole : cutTo(short, columns)
}

/** The end of a text that fits into the columns. */
function lastColumns(text: string, columns: number): string {
  // A character has at most two units: of a long text, only the end matters.
  const characters = Array.from(text.slice(Math.max(0, text.length - 2 * columns))).slice(-columns)
  while (widthOf(characters.join('')) > columns) characters.shift()
  return characters.join('')
}
