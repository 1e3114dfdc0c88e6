/** Counts of tokens: a number, or lines like those of `wc`; with the context, what share of it they are. */

import { sanitizeName } from '../io/sanitize.ts'
import type { Sink } from '../io/io.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'

export interface TokenCount {
  /** What was counted, where that is a file. */
  readonly file?: string | undefined
  readonly tokens: number
}

interface Row {
  /** Absent where there is but one. */
  readonly name?: string
  readonly tokens: number
}

/** What a model can read. */
export interface ModelContext {
  /** In tokens. */
  readonly length: number
  readonly model: string
}

/** @param context Absent where nobody asked for it, or nobody knows it. */
export function countsText(
  counts: readonly TokenCount[],
  context: ModelContext | undefined,
  { isTerminal }: Pick<Sink, 'isTerminal'>,
): string {
  const rows = rowsOf(counts, isTerminal ? sanitizeName : (name) => name)
  if (!context) return plainLines(rows)
  return isTerminal ? sharedLines(rows, context) : valueLines(rows, context)
}

export function totalOf(counts: readonly TokenCount[]): number {
  return counts.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** Several counts have names, and a total. */
function rowsOf(counts: readonly TokenCount[], shown: (name: string) => string): Row[] {
  if (counts.length === 1) return counts.map(({ tokens }) => ({ tokens }))
  const rows = counts.map(({ file = '', tokens }) => ({ name: shown(file), tokens }))
  return [...rows, { name: 'total', tokens: totalOf(counts) }]
}

function plainLines(rows: readonly Row[]): string {
  const numbers = aligned(rows.map(({ tokens }) => String(tokens)))
  return lines(rows.map(({ name }, index) => [numbers[index], name]))
}

/** For a person. What the shares are of stands on the last line, which is the total where there are several. */
function sharedLines(rows: readonly Row[], { length, model }: ModelContext): string {
  const whole = `of the ${grouped(length)} of ${sanitizeName(model)}`
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

/** For other programs. */
function valueLines(rows: readonly Row[], { length, model }: ModelContext): string {
  return tabSeparated(
    rows.map(({ name, tokens }) => {
      const percent = String(Number(((100 * tokens) / length).toFixed(4)))
      return [String(tokens), String(length), percent, model, ...(name === undefined ? [] : [name])]
    }),
  )
}

function shareText(tokens: number, length: number): string {
  const percent = (100 * tokens) / length
  return percent > 0 && percent < 0.05 ? 'under 0.1 %' : `${percent.toFixed(1)} %`
}

/** `202752` → `202,752` */
function grouped(count: number): string {
  return count.toLocaleString('en-US')
}

function aligned(texts: readonly string[]): string[] {
  const width = Math.max(...texts.map((text) => text.length))
  return texts.map((text) => text.padStart(width))
}

function lines(table: readonly (readonly (string | undefined)[])[]): string {
  return table.map((cells) => `${cells.filter((cell) => cell !== undefined).join(' ')}\n`).join('')
}
