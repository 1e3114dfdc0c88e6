/** Formats token counts: a number, or lines as in `wc`; or with each count's share of the context length. */

import { sanitizeName } from '../io/text/safe-text.ts'
import { type Sink, writeText } from '../io/io.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'
import { largestOf } from '../io/arrays.ts'
import { countText, grouped } from '../io/text/plural.ts'

export interface TokenCount {
  /** The file, if one was counted. */
  readonly file?: string | undefined
  readonly tokens: number
}

export interface ModelCounts {
  readonly model: string
  /** The context length in tokens; `undefined` if not requested or unknown. */
  readonly length?: number | undefined
  readonly counts: readonly TokenCount[]
}

type Names = readonly (string | undefined)[]

export function writeCounts(counts: ModelCounts, sink: Sink): Promise<void> {
  const rows = rowsOf(counts)
  const names = rows.map(({ file }) => (file !== undefined && sink.isTerminal ? sanitizeName(file) : file))
  if (counts.length === undefined)
    return writeText(sink, lines(aligned(rows.map(({ tokens }) => String(tokens))), names))
  if (!sink.isTerminal) return sink.write(tabSeparated(rows.map(({ columns }) => columns)))
  const numbers = rows.map(({ tokens, file }) => (file === undefined ? countText(tokens, 'token') : grouped(tokens)))
  const dots = names.map((name) => (name === undefined ? '·' : undefined))
  const [shares, wholes] = [rows.map(({ share }) => share), rows.map(({ whole }) => whole)]
  return writeText(sink, lines(aligned(numbers), dots, aligned(shares), names, wholes))
}

/** Several counts get names and a total, which alone has `whole`: the context length and the model. */
function rowsOf({ model, length = NaN, counts }: ModelCounts) {
  const total = { tokens: totalOf(counts), whole: `of ${grouped(length)} (${sanitizeName(model)})` }
  const all: (TokenCount & { whole?: string })[] =
    counts.length > 1 ? [...counts, { ...total, file: 'total' }] : [total]
  return all.map(({ file, tokens, whole }) => {
    const percent = (100 * tokens) / length
    const share = percent > 0 && percent < 0.05 ? '<0.1%' : `${percent.toFixed(1)}%`
    const cells = [tokens, length, Number(percent.toFixed(4))].map(String)
    return { file, tokens, whole, share, columns: [...cells, model, ...(file === undefined ? [] : [file])] }
  })
}

export function totalOf(counts: readonly TokenCount[]): number {
  return counts.reduce((sum, { tokens }) => sum + tokens, 0)
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
