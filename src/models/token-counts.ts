/** Formats token counts: a number, or lines as in `wc`; with the context length, each count's share of it. */

import { sanitizeName } from '../io/text/safe-text.ts'
import { type Sink, writeText } from '../io/io.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'
import { largestOf } from '../io/arrays.ts'
import { grouped } from '../io/text/plural.ts'

export interface TokenCount {
  /** The file, if one was counted. */
  readonly file?: string | undefined
  readonly tokens: number
}

export interface ModelContext {
  /** In tokens. */
  readonly length: number
  readonly model: string
}

type Names = readonly (string | undefined)[]

/** @param context `undefined` if not requested or unknown. */
export function writeCounts(
  counts: readonly TokenCount[],
  context: ModelContext | undefined,
  sink: Sink,
): Promise<void> {
  // Several counts get names and a total.
  const total = { tokens: totalOf(counts) }
  const rows: TokenCount[] = counts.length === 1 ? [total] : [...counts, { ...total, file: 'total' }]
  if (context && !sink.isTerminal) return sink.write(tabSeparatedLines(rows, context))
  const names = rows.map(({ file }) => (file !== undefined && sink.isTerminal ? sanitizeName(file) : file))
  if (context) return writeText(sink, shareLines(rows, names, context))
  return writeText(sink, lines(aligned(rows.map(({ tokens }) => String(tokens))), names))
}

export function totalOf(counts: readonly TokenCount[]): number {
  return counts.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** The last line, which is the total if there are several, names the context length and the model. */
function shareLines(rows: readonly TokenCount[], names: Names, { length, model }: ModelContext): string {
  const whole = `of ${grouped(length)} (${sanitizeName(model)})`
  const numbers = aligned(rows.map(({ tokens }) => grouped(tokens)))
  const shares = aligned(rows.map(({ tokens }) => shareText(tokens, length)))
  if (rows.length === 1) return lines(numbers, [rows[0]?.tokens === 1 ? 'token' : 'tokens'], ['·'], shares, [whole])
  return lines(numbers, shares, names, [...rows.slice(1).map(() => undefined), whole])
}

/** One tab-separated line per row: tokens, context length, percent, model and name. */
function tabSeparatedLines(rows: readonly TokenCount[], { length, model }: ModelContext): string {
  return tabSeparated(
    rows.map(({ file, tokens }) => {
      const percent = String(Number(((100 * tokens) / length).toFixed(4)))
      return [String(tokens), String(length), percent, model, ...(file === undefined ? [] : [file])]
    }),
  )
}

function shareText(tokens: number, length: number): string {
  const percent = (100 * tokens) / length
  return percent > 0 && percent < 0.05 ? '<0.1%' : `${percent.toFixed(1)}%`
}

function aligned(texts: readonly string[]): string[] {
  const width = largestOf(texts.map((text) => text.length))
  return texts.map((text) => text.padStart(width))
}

/** @param columns The first has a cell in each row. */
function lines(...columns: readonly Names[]): string {
  const rows = (columns[0] ?? []).map((_, row) => columns.map((column) => column[row]))
  return rows.map((cells) => `${cells.filter((cell) => cell !== undefined).join(' ')}\n`).join('')
}
