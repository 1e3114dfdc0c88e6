/** Searches the model list by name. */

import { bareName, decodeModels, isAlias, type Model } from '../api/models.ts'
import { advice, NotFoundError, syn } from '../errors.ts'
import { modelAliases } from '../fields/model-facts.ts'
import { closestOf } from '../fields/suggestion.ts'
import { orList } from '../fields/problem.ts'
import { sanitizeName } from '../io/text/safe-text.ts'

/** @returns the list, and behind it the aliases that only the specification names, whose `target` is unknown. */
export function withAllAliases(list: readonly Model[]): Model[] {
  const listed = new Set(list.map(({ id }) => id))
  const unlisted = modelAliases.filter((alias) => !listed.has(alias)).map((id) => ({ id }))
  return [...list, ...decodeModels(unlisted)]
}

const maxNamed = 3

/** @param name An ID, with or without `hf:`. For an alias, its model is returned, or its own row. @throws NotFoundError */
export function findModel(list: readonly Model[], name: string): Model {
  const found = list.find(({ id }) => id === name) ?? findByBareName(list, name)
  if (!found) throw notFound(list, name)
  return (found.target === undefined ? undefined : findByBareName(list, found.target)) ?? found
}

/** The IDs of the aliases that point to a model. */
export function aliasesOf(model: Model, list: readonly Model[]): string[] {
  const isAliasOfModel = ({ target }: Model): boolean => target !== undefined && bareName(target) === bareName(model.id)
  return list.filter(isAliasOfModel).map(({ id }) => id)
}

function findByBareName(list: readonly Model[], name: string): Model | undefined {
  return list.find((model) => !isAlias(model) && bareName(model.id) === bareName(name))
}

function notFound(list: readonly Model[], name: string): NotFoundError {
  if ((modelAliases as readonly string[]).includes(name)) {
    return new NotFoundError(`the model list does not say which model ${name} points to`)
  }
  const similar = similarIds(name, list)
  return new NotFoundError(`no model named ${JSON.stringify(name)}`, {
    hint:
      similar.length > 0
        ? `did you mean ${orList(similar.map(sanitizeName))}?`
        : advice`use ${syn('models')} to list the models`,
  })
}

/** First the IDs that contain the name, then the most similar ones. */
function similarIds(name: string, list: readonly Model[]): string[] {
  const typed = bareName(name).toLowerCase()
  const ids = list.map(({ id }) => id)
  const containing = ids.filter((id) => typed !== '' && id.toLowerCase().includes(typed))
  return [...new Set([...containing, ...closestOf(name, ids, maxNamed)])].slice(0, maxNamed)
}
