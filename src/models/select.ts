/** Searches the model list by filter and by name. */

import { bareName, isAlias, type Model } from '../api/models.ts'
import { NotFoundError } from '../errors.ts'
import { modelAliases } from '../fields/kinds.ts'
import { nearestOf } from '../fields/nearest.ts'
import { orList } from '../fields/problem.ts'
import { sanitizeName } from '../io/text/safe-text.ts'

export interface Selection {
  /** Words that must all occur in the ID, the name or a feature. */
  readonly filter?: string | undefined
  /** Only models with image input. */
  readonly vision?: boolean | undefined
  readonly embedding?: boolean | undefined
}

export interface SelectedModels {
  readonly models: readonly Model[]
  /** First those in the list, then those that only the specification names, whose `target` is unknown. */
  readonly aliases: readonly Model[]
}

/**
 * An alias matches by its own row, or by that of its model.
 * @param hasAliases Whether the service has those that it does not list.
 */
export function selectModels(list: readonly Model[], selection: Selection, hasAliases: boolean): SelectedModels {
  const words = (selection.filter ?? '').toLowerCase().split(/\s+/)
  const factsOf = (model: Model): Facts => ({
    words: wordsIn(model, words),
    acceptsImages: acceptsImages(model),
    isEmbedding: model.isEmbedding,
  })
  // Once for each, as a list may have thousands of aliases.
  const models = list.filter((model) => !isAlias(model))
  const targets = new Map(models.map((model) => [bareName(model.id), factsOf(model)]))
  const matches = (model: Model): boolean => {
    const target = model.target === undefined ? undefined : targets.get(bareName(model.target))
    const facts = target ? [factsOf(model), target] : [factsOf(model)]
    return (
      words.every((word) => facts.some((one) => one.words.has(word))) &&
      (!selection.vision || facts.some((one) => one.acceptsImages)) &&
      (!selection.embedding || facts.some((one) => one.isEmbedding))
    )
  }
  const all = (hasAliases ? withAllAliases(list) : list).filter(matches)
  return { models: all.filter((model) => !isAlias(model)), aliases: all.filter(isAlias) }
}

function withAllAliases(list: readonly Model[]): Model[] {
  const listed = new Set(list.map(({ id }) => id))
  return [...list, ...modelAliases.filter((alias) => !listed.has(alias)).map(unlistedAlias)]
}

function unlistedAlias(id: string): Model {
  const unknown = { target: undefined, contextLength: undefined, price: undefined }
  return { id, ...unknown, inputs: [], features: [], isEmbedding: false, row: {} }
}

/** What a selection asks of a model. */
interface Facts {
  readonly words: ReadonlySet<string>
  readonly acceptsImages: boolean
  readonly isEmbedding: boolean
}

/** Those of the words that occur in the ID, the name or a feature. */
function wordsIn({ id, row: { name }, features }: Model, words: readonly string[]): Set<string> {
  const text = [id, typeof name === 'string' ? name : '', ...features].join('\n').toLowerCase()
  return new Set(words.filter((word) => text.includes(word)))
}

/** Aliases of a vision category accept images (section 1), whatever the list says. */
function acceptsImages(model: Model): boolean {
  const { id, inputs, features } = model
  return [...inputs, ...features].some((one) => /image|vision/i.test(one)) || (isAlias(model) && id.endsWith(':vision'))
}

const maxNamed = 3

/**
 * Finds a model by name.
 * @param name An ID, with or without `hf:`, or an alias. For an alias, its model is returned, or the alias's own row
 *   if the list does not have that model.
 * @throws NotFoundError with the most similar IDs.
 */
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
      similar.length > 0 ? `did you mean ${orList(similar.map(sanitizeName))}?` : 'use syn models to list the models',
  })
}

/** First the IDs that contain the name, then the most similar ones. */
function similarIds(name: string, list: readonly Model[]): string[] {
  const typed = bareName(name).toLowerCase()
  const ids = list.map(({ id }) => id)
  const containing = ids.filter((id) => typed !== '' && id.toLowerCase().includes(typed))
  return [...new Set([...containing, ...nearestOf(name, ids, maxNamed)])].slice(0, maxNamed)
}
