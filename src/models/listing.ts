/** What of the service's list is shown: the models and aliases that were asked for. */

import { isAlias, modelsNamed, type Model } from '../api/models.ts'
import { modelAliases } from '../fields/kinds.ts'

export interface Selection {
  /** Words that must all occur in the id, the name or a feature. */
  readonly filter?: string | undefined
  /** Only what takes images. */
  readonly vision?: boolean | undefined
  readonly embedding?: boolean | undefined
}

export interface Listing {
  readonly models: readonly Model[]
  /** Those that the list has as rows, then those that only the specification names, whose `target` nobody tells. */
  readonly aliases: readonly Model[]
}

/** An alias is selected for what it is, and for the model that it stands for. */
export function selectFrom(list: readonly Model[], selection: Selection): Listing {
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

/** An alias of a vision category promises as much (section 1), whatever the list tells of it. */
function takesImages(model: Model): boolean {
  const { id, inputs, features } = model
  return [...inputs, ...features].some((one) => /image|vision/i.test(one)) || (isAlias(model) && id.endsWith(':vision'))
}
