/** The list of models as tables. Ids are never cut: they are there to be copied. */

import { priceText, type Model } from '../api/models.ts'
import { harmlessName } from '../io/harmless.ts'
import { lengthText, millionPrice } from './numbers.ts'
import type { Style } from '../terminal/style.ts'
import { tableLines, type Column, type TableLook } from '../terminal/table.ts'

const modelColumns: readonly Column[] = [
  { title: 'MODEL' },
  { title: 'CONTEXT', align: 'right', yields: 1 },
  { title: '$/M IN', align: 'right', yields: 2 },
  { title: '$/M OUT', align: 'right', yields: 2 },
  { title: 'TAKES', yields: 3 },
  { title: 'FEATURES', yields: 4, minimum: 12 },
]

const aliasColumns: readonly Column[] = [{ title: 'ALIAS' }, { title: 'STANDS FOR' }]

/** @param width Of the terminal, in columns. */
export function modelTables(models: readonly Model[], aliases: readonly Model[], width: number, style: Style): string {
  const look: TableLook = { width, heading: style.bold }
  const tables = [
    models.length === 0 ? [] : tableLines(modelColumns, models.map(modelCells), look),
    aliases.length === 0 ? [] : tableLines(aliasColumns, aliases.map(aliasCells), look),
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
  ].map(harmlessName)
}

function aliasCells({ id, target }: Model): string[] {
  return [id, target ?? 'not told'].map(harmlessName)
}
