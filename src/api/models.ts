/** The models that are always on, section 4, and the rows of their list: only `id` is certain, any other key may be missing. */

import { decimalText, isObject, objectsIn, stringsIn, type Json, type JsonObject } from '../io/json.ts'
import type { Usage } from '../stream/delta.ts'

export interface Model {
  readonly id: string
  /** Of an alias: the model it stands for now. */
  readonly target: string | undefined
  /** In tokens. */
  readonly contextLength: number | undefined
  /** What it takes, such as `text` and `image`; empty where the list lacks it. */
  readonly inputs: readonly string[]
  readonly features: readonly string[]
  /** Of one token, in the currency of the list. */
  readonly price: { readonly prompt: number; readonly completion: number } | undefined
  readonly isEmbedding: boolean
  /** All that the service says of it. */
  readonly row: JsonObject
}

/** @param list The reply of the endpoint. A row without an id is passed over, and never hides the others. */
export function decodeModels(list: Json): Model[] {
  return objectsIn(modelRows(list)).flatMap(decodeModel)
}

/** The rows of a reply, of whatever shape each is; nothing where the reply is no list at all. */
export function modelRows(list: Json): Json[] | undefined {
  const rows = isObject(list) ? list.data : list
  return Array.isArray(rows) ? rows : undefined
}

function decodeModel(row: JsonObject): Model[] {
  const { id, hugging_face_id: target, context_length: length, pricing } = row
  if (typeof id !== 'string' || id === '') return []
  return [
    {
      id,
      target: isAlias({ id }) && typeof target === 'string' && target !== '' ? prefixed(target) : undefined,
      contextLength: typeof length === 'number' && length > 0 && Number.isFinite(length) ? length : undefined,
      inputs: stringsIn(row.input_modalities),
      features: stringsIn(row.supported_features),
      price: isObject(pricing) ? priceOf(pricing) : undefined,
      isEmbedding: isEmbedding(row, id),
      row,
    },
  ]
}

/** No key is certain to be there, so the name counts too. */
function isEmbedding(row: JsonObject, id: string): boolean {
  const outputs = stringsIn(row.output_modalities)
  if (outputs.length > 0) return outputs.some((output) => /embed/i.test(output))
  const kinds = [row.type, row.kind, row.task, ...stringsIn(row.supported_features)]
  return /embed/i.test([...kinds.filter((kind) => typeof kind === 'string'), id].join(' '))
}

function priceOf({ prompt, completion }: JsonObject): Model['price'] {
  const [read, written] = [amount(prompt), amount(completion)]
  return read === undefined || written === undefined ? undefined : { prompt: Number(read), completion: Number(written) }
}

/**
 * The price of one token as the list writes it, without the `$` that some have; nothing where it has none. One of
 * the two may be there without the other.
 */
export function priceText({ row: { pricing } }: Model, kind: 'prompt' | 'completion'): string | undefined {
  return isObject(pricing) ? amount(pricing[kind]) : undefined
}

/** Some lists have a negative price where there is none. */
function amount(value: Json | undefined): string | undefined {
  const digits = decimalText(value)
  return digits !== undefined && Number(digits) >= 0 ? digits : undefined
}

function prefixed(name: string): string {
  return name.includes(':') ? name : `hf:${name}`
}

/** A category's name, which stands for the model that is recommended at the time (section 1). */
export function isAlias({ id }: Pick<Model, 'id'>): boolean {
  return id.startsWith('syn:')
}

/** Served names may lack the prefix (section 2.1). */
export function bareName(name: string): string {
  return name.replace(/^hf:/, '')
}

/** The rows that a name means: its own, and those of aliases that stand for it. */
export function modelsNamed(list: readonly Model[], names: readonly (string | undefined)[]): Model[] {
  const wanted = new Set(names.flatMap((name) => (name === undefined ? [] : [bareName(name)])))
  return list.filter(({ id, target }) => [id, target].some((name) => name !== undefined && wanted.has(bareName(name))))
}

/** The context length of a model or of what an alias stands for, in tokens; nothing where the list lacks it. */
export function contextLengthOf(list: readonly Model[], name: string): number | undefined {
  const named = modelsNamed(list, [name])
  const meant = modelsNamed(
    list,
    named.map(({ target }) => target),
  )
  return [...named, ...meant].find(({ contextLength }) => contextLength !== undefined)?.contextLength
}

/**
 * The cost of an answer in the currency of the list.
 * @param names What the model may be called: as requested, and as served.
 * @returns nothing when no row of these names has a price.
 */
export function costOf(
  list: readonly Model[],
  names: readonly (string | undefined)[],
  usage: Usage,
): number | undefined {
  const price = modelsNamed(list, names).find((model) => model.price)?.price
  if (!price) return undefined
  return price.prompt * (usage.promptTokens ?? 0) + price.completion * (usage.completionTokens ?? 0)
}
