/** Finds the listed model that a typed name means: a part of its ID, from the start of a word, or its ID in another case. */

import { bareName, isAlias, type Model } from '../api/models.ts'
import { advice, syn, UsageError } from '../errors.ts'
import { quote } from '../io/json/print.ts'
import { sanitizeName } from '../io/text/safe-text.ts'
import { shellWord } from '../io/text/shell-word.ts'
import type { Catalog } from './catalog.ts'

const maxNamed = 5

/** In characters: a shorter part is in many names by chance. */
const shortestPart = 2

/**
 * @param list The models of the service.
 * @param wanted `where`: the flag or command, for errors. `isEmbedding`: whether the request is for embeddings.
 * @returns `undefined` if the name is an alias or listed, or nothing like it is.
 * @throws UsageError naming the models if several have it, or if the service has none that `-m` accepts.
 */
export function matchModel(
  name: string,
  list: readonly Model[],
  { where, catalog, isEmbedding = false }: { where: string; catalog: Pick<Catalog, 'accepts'>; isEmbedding?: boolean },
): string | undefined {
  const models = list.filter((model) => !isAlias(model))
  if (models.length > 0 && !models.some((model) => catalog.accepts(model)) && !name.startsWith('hf:')) {
    throw new UsageError(`${where}: ${quote(name)} does not start with hf:, as no model of this service does`, {
      hint: advice`use ${syn('config set any-model true')} to accept any name`,
    })
  }
  const ids = models.filter((model) => catalog.accepts(model) && model.isEmbedding === isEmbedding).map(({ id }) => id)
  if (name.trim() === '' || isAlias({ id: name }) || ids.includes(name)) return undefined
  const typed = bareName(name).toLowerCase()
  const same = ids.filter((id) => bareName(id).toLowerCase() === typed)
  // A whole name may be that of a model that is newer than the list.
  const aliases = isEmbedding ? [] : list.filter(isAlias).map(({ id }) => id)
  const parts = name.startsWith('hf:') ? [] : [...ids, ...aliases].filter((id) => hasPart(id.toLowerCase(), typed))
  const [only, ...others] = same.length > 0 ? same : parts
  if (others.length === 0) return only
  const named = [only ?? '', ...others].slice(0, maxNamed).map(sanitizeName).join(', ')
  const more = others.length < maxNamed ? '' : ', …'
  throw new UsageError(`${where}: ${quote(name)} is part of ${others.length + 1} names: ${named}${more}`, {
    hint: 'use one of them',
  })
}

/** Whether a word of the ID begins with the part, such as `ember` or `12b` of `org/ember-12b`. */
function hasPart(id: string, part: string): boolean {
  if (part.length < shortestPart) return false
  for (let at = id.indexOf(part); at !== -1; at = id.indexOf(part, at + 1)) {
    if (!/[\p{L}\d]/u.test(id.charAt(at - 1))) return true
  }
  return false
}

/** The error where nobody sees which model was taken. */
export function partialNameError(name: string, id: string, where: string): UsageError {
  const use = where === '--model' ? '-m ' : ''
  return new UsageError(`${where}: no model named ${quote(name)}`, { hint: `use ${use}${shellWord(sanitizeName(id))}` })
}
