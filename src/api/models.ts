/** Decodes the model list (section 4). Only `id` is certain in a row; any other key may be missing. */

import { decimalText, isObject, listIn, objectsIn, stringsIn, type Json, type JsonObject } from '../io/json/json.ts'
import { plainNumber } from '../io/text/plural.ts'
import type { Usage } from '../stream/delta.ts'
import { hasImages } from './image.ts'

export const defaultAlias = 'syn:large:text'

/** For one token, in the currency of the list. `read` and `written`: for prompt tokens in the service's cache. */
export type Price = Readonly<Record<'prompt' | 'completion' | 'read' | 'written', number>>

export type Model = Readonly<ReturnType<typeof decodeModel>[number]>

/** @param list The endpoint's reply. Rows without an id are skipped. */
export function decodeModels(list: Json): Model[] {
  return objectsIn(listIn(list, 'data')).flatMap(decodeModel)
}

function decodeModel(row: JsonObject) {
  const { id, hugging_face_id: target, meta, pricing, reasoning_parameters: reasoning } = row
  const efforts = isObject(reasoning) ? stringsIn(reasoning.efforts) : []
  if (typeof id !== 'string' || id === '') return []
  return [
    {
      id,
      /** For an alias, the model that it currently points to. */
      target: isAlias({ id }) && typeof target === 'string' && target !== '' ? prefixed(target) : undefined,
      /**
       * In tokens. llama.cpp has it in `meta.n_ctx` (`n_ctx_train` may be more than it was started with), vLLM in
       * `max_model_len`.
       */
      contextLength: [row.context_length, isObject(meta) ? meta.n_ctx : undefined, row.max_model_len].find(isLength),
      /** Input modalities, such as `text` and `image`; empty if unknown. */
      inputs: stringsIn(row.input_modalities),
      features: stringsIn(row.supported_features),
      price: isObject(pricing) ? priceOf(pricing) : undefined,
      /** The values of `reasoning_effort` that it takes; `undefined` if unknown. */
      efforts: efforts.length > 0 ? efforts : undefined,
      isEmbedding: isEmbedding(row, id),
      row,
    },
  ]
}

function isLength(value: Json | undefined): value is number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value)
}

/** Any key may be missing, so the model's name counts too. */
function isEmbedding(row: JsonObject, id: string): boolean {
  const outputs = stringsIn(row.output_modalities)
  if (outputs.length > 0) return outputs.some((output) => /embed/i.test(output))
  const kinds = [row.type, row.kind, row.task, ...stringsIn(row.supported_features)]
  return /embed/i.test([...kinds.filter((kind) => typeof kind === 'string'), id].join(' '))
}

function priceOf(pricing: JsonObject): Price | undefined {
  const [prompt = NaN, completion = NaN, read, written = NaN] = priceKeys.map((key) =>
    Number(amount(pricing[key]) ?? NaN),
  )
  if (Number.isNaN(prompt + completion)) return undefined
  // 0 means that cached tokens have no price of their own, but that writing them is free.
  return { prompt, completion, read: read || prompt, written: Number.isNaN(written) ? prompt : written }
}

/** The keys of the prices of a row. */
export const priceKeys = ['prompt', 'completion', 'input_cache_reads', 'input_cache_writes'] as const

/** The price of one token in the list's own digits, without `$`; `undefined` if there is none. */
export function priceText({ row: { pricing } }: Model, kind: (typeof priceKeys)[number]): string | undefined {
  return isObject(pricing) ? amount(pricing[kind]) : undefined
}

/** Some lists write a missing price as a negative number. */
function amount(value: Json | undefined): string | undefined {
  const digits = decimalText(value)
  if (digits === undefined || !(Number(digits) >= 0)) return undefined
  return /e/i.test(digits) ? plainNumber(Number(digits)) : digits
}

function prefixed(name: string): string {
  return name.includes(':') ? name : `hf:${name}`
}

/** An alias points to the model that the service currently recommends (section 1). */
export function isAlias({ id }: { readonly id: string }): boolean {
  return id.startsWith('syn:')
}

/** Without the prefix `hf:`, which the names of serving models may lack (section 2.1). */
export function bareName(name: string): string {
  return name.replace(/^hf:/, '')
}

/** The models with one of these names, and the aliases for them. */
function modelsNamed(list: readonly Model[], names: readonly (string | undefined)[]): Model[] {
  const wanted = new Set(names.flatMap((name) => (name === undefined ? [] : [bareName(name)])))
  return list.filter(({ id, target }) => [id, target].some((name) => name !== undefined && wanted.has(bareName(name))))
}

/** The context length, in tokens, of a model or of an alias's target; `undefined` if unknown. */
export function contextLengthOf(list: readonly Model[], name: string): number | undefined {
  return rowsOf(list, name).find(({ contextLength }) => contextLength !== undefined)?.contextLength
}

/** The values of `reasoning_effort` that a model takes, or an alias's target; `undefined` if unknown. */
export function effortsOf(list: readonly Model[], name: string): readonly string[] | undefined {
  return rowsOf(list, name).find(({ efforts }) => efforts)?.efforts
}

/** Aliases of a vision category accept images (section 1), whatever the list says. */
function acceptsImages(model: Model): boolean {
  const { id, inputs, features } = model
  return [...inputs, ...features].some((one) => /image|vision/i.test(one)) || (isAlias(model) && id.endsWith(':vision'))
}

/** Whether the list says that a model takes images, or an alias's target. */
export function takesImages(list: readonly Model[], name: string): boolean {
  return rowsOf(list, name).some(acceptsImages)
}

/** Whether the list says what a model takes, or an alias's target, and that images are not among it. */
export function refusesImages(list: readonly Model[], name: string): boolean {
  return rowsOf(list, name).some(({ inputs }) => inputs.length > 0) && !takesImages(list, name)
}

/** The alias that a request without a model is sent to: the default one, unless it has images that this one may not take. */
export function aliasFor(body: JsonObject, list: readonly Model[]): string {
  return !hasImages(body) || takesImages(list, defaultAlias) ? defaultAlias : 'syn:large:vision'
}

/** What an alias points to, if the list says so, else the name. */
export function targetOf(list: readonly Model[], name: string): string {
  return list.find(({ id }) => id === name)?.target ?? name
}

/** The rows of a model, then those of what it points to. */
function rowsOf(list: readonly Model[], ...names: readonly (string | undefined)[]): Model[] {
  const named = modelsNamed(list, names)
  const targets = named.map(({ target }) => target)
  return [...named, ...modelsNamed(list, targets)]
}

/** @param names The names of a model: as requested, else as served. @returns `undefined` when none of them has a price. */
export function priceNamed(list: readonly Model[], names: readonly (string | undefined)[]): Price | undefined {
  // An alias may have another price than the model that it points to.
  const rows = names.flatMap((name) => [...list.filter(({ id }) => id === name), ...rowsOf(list, name)])
  return rows.find((model) => model.price)?.price
}

/** The cost of an answer, in the currency of the list. Cached tokens have their own prices. */
export function costOf(price: Price, usage: Partial<Usage>): number {
  const { promptTokens = 0, cachedTokens = 0, cacheWriteTokens = 0, completionTokens = 0 } = usage
  const others = Math.max(0, promptTokens - cachedTokens - cacheWriteTokens)
  const prompt = others * price.prompt + cachedTokens * price.read + cacheWriteTokens * price.written
  return prompt + completionTokens * price.completion
}
