/** One model of the service's list, by whatever name a person gives it. */

import { bareName, isAlias, type Model } from '../api/models.ts'
import { NotFoundError } from '../errors.ts'
import { modelAliases } from '../fields/kinds.ts'
import { nearestOf } from '../fields/nearest.ts'
import { harmlessName } from '../io/harmless.ts'

const mostNamed = 3

/**
 * @param name An id, one without its `hf:`, or an alias, which means the model that it stands for; the alias's own row
 *   where the list has no other.
 * @throws NotFoundError with the ids that are most like it.
 */
export function findModel(list: readonly Model[], name: string): Model {
  const found = list.find(({ id }) => id === name) ?? named(list, name)
  if (!found) throw notFound(list, name)
  return (found.target === undefined ? undefined : named(list, found.target)) ?? found
}

/** The ids of the aliases that stand for a model. */
export function aliasesOf(model: Model, list: readonly Model[]): string[] {
  const isMeant = ({ target }: Model): boolean => target !== undefined && bareName(target) === bareName(model.id)
  return list.filter(isMeant).map(({ id }) => id)
}

function named(list: readonly Model[], name: string): Model | undefined {
  return list.find((model) => !isAlias(model) && bareName(model.id) === bareName(name))
}

function notFound(list: readonly Model[], name: string): NotFoundError {
  if ((modelAliases as readonly string[]).includes(name)) {
    return new NotFoundError(`the list of models does not tell what ${name} stands for`)
  }
  const near = idsLike(name, list)
  return new NotFoundError(`there is no model ${JSON.stringify(name)} in the list`, {
    hint: near.length > 0 ? `listed are ${near.map(harmlessName).join(', ')}` : 'syn models lists what there is',
  })
}

/** Those that hold the name as it was typed, then those that differ little from it. */
function idsLike(name: string, list: readonly Model[]): string[] {
  const typed = bareName(name).toLowerCase()
  const ids = list.map(({ id }) => id)
  const holding = ids.filter((id) => typed !== '' && id.toLowerCase().includes(typed))
  return [...new Set([...holding, ...nearestOf(name, ids, mostNamed)])].slice(0, mostNamed)
}
