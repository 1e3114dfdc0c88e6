/**
 * What the service has, as of autumn 2026: its models, their prices, efforts and limits. When the service changes, this file
 * changes; nothing else knows a name, a price or a weight. The sandbox's endpoint that lists the models is here too.
 */

import type { Json, JsonObject } from '../io/json/json.ts'
import { HttpError } from './endpoint.ts'

/** How much a model reasons before it answers. */
export type Effort = 'none' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

/** Dollars per token. */
export type Prices = Readonly<Record<'prompt' | 'completion' | 'input_cache_reads' | 'input_cache_writes', number>>

export interface SandboxModel {
  readonly name: string
  readonly alias?: string
  readonly kind?: 'embedding'
  /** In tokens. */
  readonly contextLength: number
  readonly hasVision?: boolean
  /** Dollars per million tokens: prompt, completion, and the prompt's tokens that were cached. Writing to the cache is free. */
  readonly millionPrices: readonly [prompt: number, completion: number, cached?: number]
  readonly efforts?: readonly Effort[]
  /** Efforts without reasoning. */
  readonly silentEfforts?: readonly Effort[]
  readonly defaultEffort?: Effort
  /** Whether count_tokens answers. */
  readonly canCount?: boolean
  /** Unix time in seconds. */
  readonly created: number
}

const models: readonly SandboxModel[] = [
  {
    name: 'hf:zai-org/GLM-5.3-Flash',
    alias: 'syn:large:text',
    contextLength: 524_288,
    hasVision: true,
    millionPrices: [0.15, 0.5, 0.04],
    efforts: ['low', 'high', 'max'],
    defaultEffort: 'high',
    created: 1_790_812_800,
  },
  {
    name: 'hf:zai-org/GLM-4.7-Flash',
    alias: 'syn:small:text',
    contextLength: 196_608,
    millionPrices: [0.1, 0.5],
    canCount: true,
    created: 1_768_780_800,
  },
  {
    name: 'hf:moonshotai/Kimi-K3',
    alias: 'syn:large:vision',
    contextLength: 524_288,
    hasVision: true,
    millionPrices: [3, 15, 0.45],
    efforts: ['none', 'low', 'high', 'max'],
    silentEfforts: ['none', 'low'],
    defaultEffort: 'high',
    created: 1_788_220_800,
  },
  {
    name: 'hf:Qwen/Qwen3.8-27B',
    alias: 'syn:small:vision',
    contextLength: 262_144,
    hasVision: true,
    millionPrices: [0.45, 2.2],
    efforts: ['low', 'medium', 'xhigh'],
    defaultEffort: 'medium',
    canCount: true,
    created: 1_785_542_400,
  },
  {
    name: 'hf:zai-org/GLM-4.7',
    contextLength: 202_752,
    millionPrices: [0.55, 2.19],
    efforts: ['none', 'high', 'max'],
    silentEfforts: ['none'],
    defaultEffort: 'high',
    canCount: true,
    created: 1_766_361_600,
  },
  {
    // Documented, and not listed.
    name: 'hf:nomic-ai/nomic-embed-text-v1.5',
    kind: 'embedding',
    contextLength: 8192,
    millionPrices: [0, 0],
    created: 1_707_523_200,
  },
]

/** A model that is no longer listed: requests for it get 404 (section 7). */
const rotatedOutModel = 'hf:zai-org/GLM-4.6'

/** What a request takes of the rolling limit: 1 for the dearest model, and in proportion to the prompt's price for others. */
export function weightOf({ millionPrices: [prompt] }: SandboxModel): number {
  return prompt / Math.max(...models.map((model) => model.millionPrices[0]))
}

/** The least that a request takes. */
export const leastWeight = Math.min(...models.map(weightOf).filter((weight) => weight > 0))

export function pricesOf({ millionPrices: [prompt, completion, cached = prompt] }: SandboxModel): Prices {
  const millions = { prompt, completion, input_cache_reads: cached, input_cache_writes: 0 }
  return Object.fromEntries(Object.entries(millions).map(([name, price]) => [name, price / 1e6])) as Prices
}

/** Answers have an internal name, not the requested one (section 2.1). */
export function servedName({ name }: SandboxModel): string {
  return `accounts/sandbox/models/${name.replace(/^.*\//, '').toLowerCase()}`
}

/** @throws HttpError: 404 for an unknown or rotated-out name, 400 for a model of the wrong kind. */
export function sandboxModel(name: string, kind: 'text' | 'embedding'): SandboxModel {
  const model = models.find((candidate) => candidate.name === name || candidate.alias === name)
  if (model && (model.kind ?? 'text') === kind) return model
  if (model) {
    const kinds = { text: 'a text model', embedding: 'an embedding model' }
    throw new HttpError(400, `The model ${name} is ${kinds[model.kind ?? 'text']}; this endpoint needs ${kinds[kind]}.`)
  }
  if (name.startsWith('syn:')) throw new HttpError(404, `There is no alias ${name}.`)
  if (name !== rotatedOutModel) throw new HttpError(404, `The model ${name} does not exist or was rotated out.`)
  const advice = 'use an alias such as syn:large:text'
  throw new HttpError(404, `The model ${name} has been rotated out and is no longer available; ${advice}.`)
}

/** @returns `none` for any effort without reasoning. @throws HttpError for one that the model lacks. */
export function readEffort(model: SandboxModel, requested?: Json): Effort {
  const { efforts = [], silentEfforts = [], defaultEffort = 'none' } = model
  if (requested === undefined || efforts.length === 0) return defaultEffort
  const effort = efforts.find((known) => known === requested)
  if (effort !== undefined) return silentEfforts.includes(effort) ? 'none' : effort
  const list = efforts.toSorted().map((known) => `'${known}'`)
  throw new HttpError(400, `Error from inference backend: 400 thinking_effort must be one of [${list.join(', ')}]`)
}

/** @throws HttpError for a text longer than the model's context. */
export function checkLength({ contextLength }: SandboxModel, tokens: number, where = 'The input'): void {
  if (tokens <= contextLength) return
  const lengths = `(${tokens} tokens) is longer than the model's context length (${contextLength} tokens)`
  throw new HttpError(400, `${where} ${lengths}.`)
}

/** The rows of the list, of which the specification does not define the keys. */
export function listModels(): JsonObject[] {
  const listed = models.filter(({ kind }) => kind !== 'embedding')
  const aliases = listed.flatMap((model) =>
    model.alias === undefined ? [] : [{ ...record(model), id: model.alias, hugging_face_id: bareName(model) }],
  )
  return [...aliases, ...listed.map(record)]
}

function bareName({ name }: SandboxModel): string {
  return name.replace(/^hf:/, '')
}

function record(model: SandboxModel): JsonObject {
  const [prompt, completion, cached] = model.millionPrices
  const price = (million: number): string => `$${(million / 1e6).toFixed(10).replace(/0+$/, '')}`
  const cachePrices = cached === undefined ? {} : { input_cache_reads: price(cached), input_cache_writes: '0' }
  const features = ['tools', 'json_mode', 'structured_outputs']
  const row: JsonObject = {
    id: model.name,
    object: 'model',
    name: bareName(model),
    provider: 'sandbox',
    datacenters: [{ country_code: 'US' }],
    always_on: true,
    input_modalities: model.hasVision ? ['text', 'image'] : ['text'],
    output_modalities: ['text'],
    context_length: model.contextLength,
    max_output_length: 64 * 1024,
    created: model.created,
    quantization: 'fp8',
    pricing: { prompt: price(prompt), completion: price(completion), ...cachePrices, image: '0', request: '0' },
    supported_sampling_parameters: ['temperature', 'top_k', 'top_p', 'min_p', 'frequency_penalty', 'seed', 'stop'],
    supported_features: model.efforts ? [...features, 'reasoning'] : features,
  }
  return model.efforts ? { ...row, reasoning_parameters: { efforts: [...model.efforts] } } : row
}
