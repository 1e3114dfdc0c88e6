/** Models for a person at a terminal, or as lines of values for other programs. */

import { type Model, priceText } from '../api/models.ts'
import { sanitizeName } from '../io/sanitize.ts'
import { isObject, type Json } from '../io/json.ts'
import type { OutputTarget } from '../io/output.ts'
import type { LoadStyle } from '../terminal/style.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'
import type { Column, TableLook } from '../terminal/table.ts'

interface Deps {
  readonly loadStyle: LoadStyle
}

/** The list: on a terminal models and aliases apart, each a table. */
export async function showModels(
  models: readonly Model[],
  aliases: readonly Model[],
  target: OutputTarget,
  { loadStyle }: Deps,
): Promise<void> {
  if (!target.isTerminal) return target.write(tabSeparated([...models, ...aliases].map(values)))
  const [{ tableLines }, style] = await Promise.all([import('../terminal/table.ts'), loadStyle(target)])
  const look: TableLook = { width: target.columns(), heading: style.bold }
  await target.write(modelTables(models, aliases, (columns, rows) => tableLines(columns, rows, look)))
}

/** What the list doesn't tell is empty. */
function values(model: Model): string[] {
  const { id, contextLength, inputs, features, target } = model
  const prices = [priceText(model, 'prompt'), priceText(model, 'completion')]
  return [id, String(contextLength ?? ''), inputs.join(','), features.join(','), ...prices, target].map(
    (value = '') => value,
  )
}

export async function showIds(models: readonly Model[], target: OutputTarget): Promise<void> {
  const ids = models.map(({ id }) => (target.isTerminal ? sanitizeName(id) : id))
  await target.write(tabSeparated(ids.map((id) => [id])))
}

/** All of one model, a key a line. */
export async function showModel(
  model: Model,
  aliases: readonly string[],
  target: OutputTarget,
  { loadStyle }: Deps,
): Promise<void> {
  const details = detailsOf(model, aliases)
  if (!target.isTerminal) return target.write(tabSeparated(details.map(([key, value]) => [key, plainText(value)])))
  const [{ labeledLines }, style] = await Promise.all([import('../terminal/table.ts'), loadStyle(target)])
  const entries = details.map((detail) => [sanitizeName(detail[0]), sanitizeName(spokenText(model, detail))] as const)
  const lines = labeledLines(entries, target.columns(), style.dim)
  await target.write(lines.map((line) => `${line}\n`).join(''))
}

/** A key, or the two of a value one level down, such as `pricing.prompt`; and what stands there. */
type Detail = readonly [key: string, value: Json]

/** Every key of the model's row, and the aliases that stand for it. */
function detailsOf({ row }: Model, aliases: readonly string[]): Detail[] {
  const own = Object.entries(row).flatMap(([key, value]): Detail[] => {
    const inner = isObject(value) ? Object.entries(value) : []
    return inner.length === 0 ? [[key, value]] : inner.map(([innerKey, one]) => [`${key}.${innerKey}`, one])
  })
  return aliases.length === 0 ? own : [...own, ['aliases', [...aliases]]]
}

/** Elements of a list are separated by `comma`; what is nested deeper is JSON. */
function plainText(value: Json, comma = ','): string {
  if (value === null) return ''
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(comma)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Numbers and times of the keys that are known for people, and all else in plain text. */
function spokenText(model: Model, [key, value]: Detail): string {
  switch (key) {
    case 'context_length':
    case 'max_output_length':
      if (typeof value === 'number' && Number.isFinite(value)) return `${value} (${lengthText(value)})`
      break
    case 'pricing.prompt':
    case 'pricing.completion': {
      const price = priceText(model, key === 'pricing.prompt' ? 'prompt' : 'completion')
      if (price !== undefined) return `$${price} ($${millionPrice(price)} for a million tokens)`
      break
    }
    case 'created':
      if (typeof value === 'number') return dateText(value) ?? plainText(value)
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return plainText(value, ', ') || 'none'
}

/** @param seconds Unix time. */
function dateText(seconds: number): string | undefined {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10)
}

// Ids are never cut: they are there to be copied.
const modelColumns: readonly Column[] = [
  { title: 'MODEL' },
  { title: 'CONTEXT', align: 'right', yields: 1 },
  { title: '$/M IN', align: 'right', yields: 2 },
  { title: '$/M OUT', align: 'right', yields: 2 },
  { title: 'TAKES', yields: 3 },
  { title: 'FEATURES', yields: 4, minimum: 12 },
]

const aliasColumns: readonly Column[] = [{ title: 'ALIAS' }, { title: 'STANDS FOR' }]

type LayOut = (columns: readonly Column[], rows: readonly (readonly string[])[]) => readonly string[]

function modelTables(models: readonly Model[], aliases: readonly Model[], layOut: LayOut): string {
  const tables = [
    models.length === 0 ? [] : layOut(modelColumns, models.map(modelCells)),
    aliases.length === 0 ? [] : layOut(aliasColumns, aliases.map(aliasCells)),
  ]
  const texts = tables.filter((lines) => lines.length > 0).map((lines) => `${lines.join('\n')}\n`)
  return texts.join('\n')
}

function modelCells(model: Model): string[] {
  const { id, contextLength, inputs, features } = model
  const prices = [priceText(model, 'prompt'), priceText(model, 'completion')]
  return [
    id,
    contextLength === undefined ? '' : lengthText(contextLength),
    ...prices.map((price) => (price === undefined ? '' : millionPrice(price))),
    inputs.join(', '),
    features.join(', '),
  ].map(sanitizeName)
}

function aliasCells({ id, target }: Model): string[] {
  return [id, target ?? 'not told'].map(sanitizeName)
}

/**
 * `262144` → `256k`, `128000` → `128k`: round thousands as such, anything else that is made of 1024s in those, as
 * section 8 of the specification does.
 * @param length In tokens.
 */
function lengthText(length: number): string {
  const k = length % 1000 !== 0 && length % 1024 === 0 ? 1024 : 1000
  if (length < k) return String(length)
  return length < k * k ? `${Math.round(length / k)}k` : `${rounded(length / k / k, 2)}M`
}

/**
 * `0.00000055` → `0.55`
 * @param price Of one token, as a decimal.
 * @returns the price of a million tokens, with the digits of cents at least.
 */
function millionPrice(price: string): string {
  const million = Number((Number(price) * 1_000_000).toPrecision(6))
  const cents = million.toFixed(2)
  return Number(cents) === million ? cents : String(million)
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
