/** Finds the listed model that a typed name means: a part of its ID, or its ID in another case. */

import { bareName, isAlias, type Model } from '../api/models.ts'
import { UsageError } from '../errors.ts'
import { quote } from '../io/json.ts'
import { sanitizeName } from '../io/safe-text.ts'
import { shellWord } from '../io/shell-word.ts'

const maxNamed = 5

/**
 * @param list The models that the request may name.
 * @returns `undefined` if the name is an alias or listed, or nothing like it is.
 * @throws UsageError naming the models if several have it.
 */
export function meantModel(name: string, list: readonly Model[]): string | undefined {
  const ids = list.filter((model) => !isAlias(model)).map(({ id }) => id)
  if (name.trim() === '' || isAlias({ id: name }) || ids.includes(name)) return undefined
  const typed = bareName(name).toLowerCase()
  const same = ids.filter((id) => bareName(id).toLowerCase() === typed)
  // A whole name may be that of a model that is newer than the list.
  const parts = name.startsWith('hf:') ? [] : ids.filter((id) => id.toLowerCase().includes(typed))
  const [only, ...others] = same.length > 0 ? same : parts
  if (others.length === 0) return only
  const named = [only ?? '', ...others].slice(0, maxNamed).map(sanitizeName).join(', ')
  throw new UsageError(`--model: ${quote(name)} is part of ${others.length + 1} names: ${named}`, {
    hint: 'use one of them with -m',
  })
}

/** The error where nobody sees which model was taken. */
export function onlyMeant(name: string, id: string): UsageError {
  return new UsageError(`--model: no model named ${quote(name)}`, { hint: `use -m ${shellWord(sanitizeName(id))}` })
}
