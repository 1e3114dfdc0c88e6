/** Formats token counts: a number, or lines as in `wc`; or with each count's share of the context length, or its price. */

import { costOf, type Price } from '../api/models.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import { type Sink, writeText } from '../io/io.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'
import { largestOf } from '../io/arrays.ts'
import { countText, grouped, plainNumber } from '../io/text/plural.ts'

export interface TokenCount {
  /** The file, if one was counted. */
  readonly file?: string | undefined
  readonly tokens: number
}

export interface ModelCounts {
  readonly model: string
  /** The context length in tokens; `undefined` if not requested or unknown. */
  readonly length?: number | undefined
  /** `undefined` if unknown. */
  readonly price?: Price | undefined
  readonly counts: readonly TokenCount[]
}

type CostText = (cost: number) => string

type Names = readonly (string | undefined)[]

/** @param costText Formats dollars for a terminal; absent if no price is requested. */
export function writeCounts(counts: ModelCounts, sink: Sink, costText?: CostText): Promise<void> {
  const rows = rowsOf(counts, costText)
  const names = rows.map(({ file }) => (file !== undefined && sink.isTerminal ? sanitizeName(file) : file))
  const hasDetails = costText !== undefined || counts.length !== undefined
  if (!hasDetails) return writeText(sink, lines(aligned(rows.map(({ tokens }) => String(tokens))), names))
  if (!sink.isTerminal) return sink.write(tabSeparated(rows.map(({ columns }) => columns)))
  const numbers = rows.map(({ tokens, file }) => (file === undefined ? countText(tokens, 'token') : grouped(tokens)))
  const dots = names.map((name) => (name === undefined ? '·' : undefined))
  const [details, wholes] = [rows.map(({ detail }) => detail), rows.map(({ whole }) => whole)]
  return writeText(sink, lines(aligned(numbers), dots, aligned(details), names, wholes))
}

/** Several counts get names and a total, which alone has `whole`: the context length and the model. */
function rowsOf({ model, length = NaN, price, counts }: ModelCounts, costText: CostText | undefined) {
  const total = { tokens: totalOf(counts), whole: `${length ? `of ${grouped(length)} ` : ''}(${sanitizeName(model)})` }
  const all: (TokenCount & { whole?: string })[] =
    counts.length > 1 ? [...counts, { ...total, file: 'total' }] : [total]
  return all.map(({ file, tokens, whole }) => {
    const cost = price && promptCost(tokens, price)
    const percent = (100 * tokens) / length
    const share = percent > 0 && percent < 0.05 ? '<0.1%' : `${percent.toFixed(1)}%`
    const costs = cost === undefined ? '' : plainNumber(cost, 2)
    const cells = costText ? [costs] : [String(length), String(Number(percent.toFixed(4)))]
    const columns = [String(tokens), ...cells, model, ...(file === undefined ? [] : [file])]
    return { file, tokens, whole, columns, detail: !costText ? share : cost === undefined ? '-' : costText(cost) }
  })
}

export function totalOf(counts: readonly TokenCount[]): number {
  return counts.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** In dollars, without the noise of binary fractions: 3 times 0.1 is 0.3. */
export function promptCost(promptTokens: number, price: Price): number {
  return Number(costOf(price, { promptTokens }).toPrecision(12))
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
