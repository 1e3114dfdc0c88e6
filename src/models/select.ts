/** The service's list searched: the models and aliases that a filter selects, and the one that a name means. */

import { bareName, isAlias, type Model, modelsNamed } from '../api/models.ts'
import { NotFoundError } from '../errors.ts'
import { modelAliases } from '../fields/kinds.ts'
import { nearestOf } from '../fields/nearest.ts'
import { sanitizeName } from '../io/sanitize.ts'

export interface Selection {
  /** Words that must all occur in the id, the name or a feature. */
  readonly filter?: string | undefined
  /** Only what takes images. */
  readonly vision?: boolean | undefined
  readonly embedding?: boolean | undefined
}

export interface SelectedModels {
  readonly models: readonly Model[]
  /** Those that the list has as rows, then those that only the specification names, whose `target` is unknown. */
  readonly aliases: readonly Model[]
}

/** An alias is selected for what it is, and for the model that it stands for. */
export function selectModels(list: readonly Model[], selection: Selection): SelectedModels {
  const isWanted = (model: Model): boolean => {
    const known = [model, ...targetsOf(model, list)]
    return (
      hasAllWords(known, selection.filter ?? '') &&
      (!selection.vision || known.some(takesImages)) &&
      (!selection.embedding || known.some(({ isEmbedding }) => isEmbedding))
    )
  }
  const all = withAllAliases(list).filter(isWanted)
  return { models: all.filter((model) => !isAlias(model)), aliases: all.filter(isAlias) }
}

function targetsOf({ target }: Model, list: readonly Model[]): Model[] {
  return target === undefined ? [] : modelsNamed(list, [target]).filter((model) => !isAlias(model))
}

function withAllAliases(list: readonly Model[]): Model[] {
  const listed = new Set(list.map(({ id }) => id))
  return [...list, ...modelAliases.filter((alias) => !listed.has(alias)).map(unlisted)]
}

function unlisted(id: string): Model {
  const nothing = { target: undefined, contextLength: undefined, price: undefined }
  return { id, ...nothing, inputs: [], features: [], isEmbedding: false, row: {} }
}

function hasAllWords(models: readonly Model[], words: string): boolean {
  const texts = models.flatMap(({ id, row: { name }, features }) => [
    id,
    typeof name === 'string' ? name : '',
    ...features,
  ])
  const text = texts.join('\n').toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** An alias of a vision category promises as much (section 1), whatever the list says of it. */
function takesImages(model: Model): boolean {
  const { id, inputs, features } = model
  return [...inputs, ...features].some((one) => /image|vision/i.test(one)) || (isAlias(model) && id.endsWith(':vision'))
}

const mostNamed = 3

/**
 * The model that a name means.
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
    hint: near.length > 0 ? `listed are ${near.map(sanitizeName).join(', ')}` : 'syn models lists what there is',
  })
}

/** Those that hold the name as it was typed, then those that differ little from it. */
function idsLike(name: string, list: readonly Model[]): string[] {
  const typed = bareName(name).toLowerCase()
  const ids = list.map(({ id }) => id)
  const holding = ids.filter((id) => typed !== '' && id.toLowerCase().includes(typed))
  return [...new Set([...holding, ...nearestOf(name, ids, mostNamed)])].slice(0, mostNamed)
}
