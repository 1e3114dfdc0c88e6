/** Prints models as tables on a terminal, and as tab-separated lines elsewhere. */

import { type Model, priceKeys, priceText } from '../api/models.ts'
import { joinSafe, linesOf, safe, type SafeText, sanitizeName } from '../io/text/safe-text.ts'
import { plainNumber } from '../io/text/plural.ts'
import type { OutputTarget } from '../io/files/output.ts'
import type { LoadStyle } from '../terminal/style.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'
import type { Column, TableLook } from '../terminal/table.ts'

/** Prints the list; on a terminal, models and aliases in separate tables. */
export async function showModels(
  models: readonly Model[],
  aliases: readonly Model[],
  target: OutputTarget,
  { loadStyle }: { loadStyle: LoadStyle },
): Promise<void> {
  if (!target.isTerminal) return target.write(tabSeparated([...models, ...aliases].map(modelValues)))
  const [{ tableLines }, style] = await Promise.all([import('../terminal/table.ts'), loadStyle(target)])
  const look: TableLook = { width: target.columns(), heading: style.bold }
  const tables = [
    { columns: modelColumns, rows: models.map(modelCells) },
    { columns: aliasColumns, rows: aliases.map(({ id, target = 'unknown' }) => [id, target].map(sanitizeName)) },
  ].filter(({ rows }) => rows.length > 0)
  const shown = tables.map(({ columns, rows }) => linesOf(tableLines(columns, rows, look)))
  await target.write(joinSafe(shown, safe`\n`))
}

/** Unknown values are empty. */
function modelValues(model: Model): string[] {
  const { id, contextLength, inputs, features, target = '', efforts = [] } = model
  const [prompt = '', completion = '', read = '', written = ''] = priceKeys.map((key) => priceText(model, key))
  const first = [id, String(contextLength ?? ''), inputs.join(','), features.join(','), prompt, completion, target]
  return [...first, read, written, efforts.join(',')]
}

/** `256k context`, `$0.55/M in`, `$0.09/M cached`, `$2.19/M out` (tokens), and what an alias points to, without what is unknown. */
export function modelFacts(model: Model): string[] {
  const { target, contextLength } = model
  const [prompt, completion, cached] = priceKeys.map((key) => priceText(model, key))
  return [
    contextLength === undefined ? undefined : `${lengthText(contextLength)} context`,
    prompt && `$${millionPrice(prompt)}/M in`,
    Number(cached) > 0 && `$${millionPrice(cached ?? '')}/M cached`,
    completion && `$${millionPrice(completion)}/M out`,
    target,
  ].filter((fact) => typeof fact === 'string')
}

// IDs are never truncated: people copy them.
const modelColumns: readonly Column[] = [
  { title: 'MODEL' },
  { title: 'CONTEXT', align: 'right', shrinkOrder: 1 },
  { title: '$/M IN', align: 'right', shrinkOrder: 2 },
  { title: '$/M CACHED', align: 'right', shrinkOrder: 3 },
  { title: '$/M OUT', align: 'right', shrinkOrder: 2 },
  { title: 'INPUT', shrinkOrder: 4 },
  { title: 'EFFORTS', shrinkOrder: 5, minimum: 8 },
  { title: 'FEATURES', shrinkOrder: 6, minimum: 12 },
]

const aliasColumns: readonly Column[] = [{ title: 'ALIAS' }, { title: 'MODEL' }]

function modelCells(model: Model): SafeText[] {
  const { id, contextLength, inputs, features, efforts = [] } = model
  const prices = (['prompt', 'input_cache_reads', 'completion'] as const).map((key) => priceText(model, key))
  return [
    id,
    contextLength === undefined ? '' : lengthText(contextLength),
    ...prices.map((price) => (price === undefined ? '' : millionPrice(price))),
    inputs.join(', '),
    efforts.join(', '),
    features.join(', '),
  ].map(sanitizeName)
}

/**
 * `262144` → `256k`, `128000` → `128k`: multiples of 1000 in thousands, other multiples of 1024 in units of 1024, as in
 * section 8.
 * @param length In tokens.
 */
export function lengthText(length: number): string {
  const k = length % 1000 !== 0 && length % 1024 === 0 ? 1024 : 1000
  if (length < k) return String(length)
  return length < k * k ? `${Math.round(length / k)}k` : `${Number((length / k / k).toFixed(2))}M`
}

/** `0.00000055`, the price of one token, → `0.55`, that of a million, with at least two decimals. */
function millionPrice(price: string): string {
  const million = Number((Number(price) * 1_000_000).toPrecision(6))
  const cents = million.toFixed(2)
  return Number(cents) === million ? cents : plainNumber(million)
}
