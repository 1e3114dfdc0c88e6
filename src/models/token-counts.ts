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

interface TokenCountRow {
  /** Absent if there is only one row. */
  readonly name?: string
  readonly tokens: number
}

/** A model's context length. */
export interface ModelContext {
  /** In tokens. */
  readonly length: number
  readonly model: string
}

/** @param context `undefined` if not requested or unknown. */
export function writeCounts(
  counts: readonly TokenCount[],
  context: ModelContext | undefined,
  sink: Sink,
): Promise<void> {
  const rows = rowsOf(counts, sink.isTerminal ? sanitizeName : (name) => name)
  if (!context) return writeText(sink, countLines(rows))
  return writeText(sink, sink.isTerminal ? shareLines(rows, context) : tabSeparatedLines(rows, context))
}

export function totalOf(counts: readonly TokenCount[]): number {
  return counts.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** Several counts get names and a total. */
function rowsOf(counts: readonly TokenCount[], formatName: (name: string) => string): TokenCountRow[] {
  if (counts.length === 1) return counts.map(({ tokens }) => ({ tokens }))
  const rows = counts.map(({ file = '', tokens }) => ({ name: formatName(file), tokens }))
  return [...rows, { name: 'total', tokens: totalOf(counts) }]
}

function countLines(rows: readonly TokenCountRow[]): string {
  const numbers = aligned(rows.map(({ tokens }) => String(tokens)))
  return lines(rows.map(({ name }, index) => [numbers[index], name]))
}

/** The last line, which is the total if there are several, names the context length and the model. */
function shareLines(rows: readonly TokenCountRow[], { length, model }: ModelContext): string {
  const whole = `of ${grouped(length)} (${sanitizeName(model)})`
  const [only] = rows
  if (rows.length === 1 && only) {
    const unit = only.tokens === 1 ? 'token' : 'tokens'
    return lines([[grouped(only.tokens), unit, '·', shareText(only.tokens, length), whole]])
  }
  const numbers = aligned(rows.map(({ tokens }) => grouped(tokens)))
  const shares = aligned(rows.map(({ tokens }) => shareText(tokens, length)))
  const last = rows.length - 1
  return lines(rows.map(({ name }, index) => [numbers[index], shares[index], name, index === last ? whole : undefined]))
}

/** One tab-separated line per row: tokens, context length, percent, model and name. */
function tabSeparatedLines(rows: readonly TokenCountRow[], { length, model }: ModelContext): string {
  return tabSeparated(
    rows.map(({ name, tokens }) => {
      const percent = String(Number(((100 * tokens) / length).toFixed(4)))
      return [String(tokens), String(length), percent, model, ...(name === undefined ? [] : [name])]
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

function lines(table: readonly (readonly (string | undefined)[])[]): string {
  return table.map((cells) => `${cells.filter((cell) => cell !== undefined).join(' ')}\n`).join('')
}
