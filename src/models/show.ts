/** Models for a person at a terminal, or as lines of values for other programs. */

import { priceText, type Model } from '../api/models.ts'
import { harmlessName } from '../io/harmless.ts'
import { detailsOf, plainText, spokenText } from './details.ts'
import type { LoadStyle } from '../terminal/style.ts'
import { tabSeparated } from '../terminal/tab-separated.ts'
import type { Target } from '../io/output.ts'

interface Deps {
  readonly loadStyle: LoadStyle
}

/** The list: on a terminal models and aliases apart, each a table. */
export async function showModels(
  models: readonly Model[],
  aliases: readonly Model[],
  target: Target,
  { loadStyle }: Deps,
): Promise<void> {
  if (!target.isTerminal) return target.write(tabSeparated([...models, ...aliases].map(values)))
  const [{ modelTables }, style] = await Promise.all([import('./tables.ts'), loadStyle(target)])
  await target.write(modelTables(models, aliases, target.columns(), style))
}

/** What the list doesn't tell is empty. */
function values(model: Model): string[] {
  const { id, contextLength, inputs, features, target } = model
  const prices = [priceText(model, 'prompt'), priceText(model, 'completion')]
  return [id, String(contextLength ?? ''), inputs.join(','), features.join(','), ...prices, target].map(
    (value = '') => value,
  )
}

export async function showIds(models: readonly Model[], target: Target): Promise<void> {
  const ids = models.map(({ id }) => (target.isTerminal ? harmlessName(id) : id))
  await target.write(tabSeparated(ids.map((id) => [id])))
}

/** All of one model, a key a line. */
export async function showModel(
  model: Model,
  aliases: readonly string[],
  target: Target,
  { loadStyle }: Deps,
): Promise<void> {
  const details = detailsOf(model, aliases)
  if (!target.isTerminal) return target.write(tabSeparated(details.map(([key, value]) => [key, plainText(value)])))
  const [{ labeledLines }, style] = await Promise.all([import('../terminal/table.ts'), loadStyle(target)])
  const entries = details.map((detail) => [harmlessName(detail[0]), harmlessName(spokenText(model, detail))] as const)
  const lines = labeledLines(entries, target.columns(), style.dim)
  await target.write(lines.map((line) => `${line}\n`).join(''))
}
