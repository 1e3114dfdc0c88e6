/** The sandbox's models, and the endpoint that lists them. Context lengths are those of section 8, in its order. */

import type { Json, JsonObject } from '../io/json/json.ts'
import { HttpError } from './endpoint.ts'

/** Dollars per token, as the list has them: the real one has some with a dollar sign and some without. */
export type Prices = Readonly<Record<'prompt' | 'completion' | 'input_cache_reads' | 'input_cache_writes', string>>

/** How much a model reasons before it answers. */
export type Effort = 'none' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

interface ModelTraits {
  readonly kind?: 'text' | 'embedding'
  readonly hasVision?: boolean
  /** The first turns reasoning off. */
  readonly efforts?: readonly Effort[]
  readonly defaultEffort?: Effort
  readonly prices?: Prices
}

export type SandboxModel = ReturnType<typeof defineModel>

/** @param context In units of 1024 tokens. @param created Unix time in seconds. */
function defineModel(name: string, context: number, created: number, traits: ModelTraits) {
  const { kind = 'text', hasVision = false, efforts = [], defaultEffort = 'none', prices } = traits
  // Answers have an internal name, not the requested one (section 2.1).
  const servedAs = `accounts/sandbox/models/${name.toLowerCase()}`
  const facts = { contextLength: context * 1024, hasVision, efforts, defaultEffort, prices, created }
  return { name: `hf:sandbox/${name}`, servedAs, kind, ...facts }
}

const reasoning = (...efforts: Effort[]): ModelTraits => ({ efforts, defaultEffort: 'high' })
const longest = reasoning('none', 'low', 'high', 'xhigh', 'max')
const hybrid: ModelTraits = { efforts: ['none', 'low', 'medium', 'high'] }
const vision = { hasVision: true }

/** A token costs a tenth when it is read from the cache, and a quarter more when it is written there. */
function prices(prompt: string, completion: string): { readonly prices: Prices } {
  const times = (factor: number): string =>
    prompt.replace(/[\d.]+/, (price) => (Number(price) * factor).toFixed(10).replace(/0+$/, ''))
  return { prices: { prompt, completion, input_cache_reads: times(0.1), input_cache_writes: times(1.25) } }
}

export function dollarsOf(price: string): number {
  return Number(price.replace('$', ''))
}

const large = prices('$0.00000055', '$0.00000219')

const models: readonly SandboxModel[] = [
  defineModel('Aurora-2-355B', 256, 1_780_272_000, { ...reasoning('none', 'low', 'high', 'max'), ...large }),
  defineModel('Borealis-1T-Vision', 512, 1_782_864_000, { ...vision, ...prices('$0.0000012', '$0.0000045') }),
  defineModel('Cirrus-480B-Coder', 512, 1_777_593_600, prices('0.00000045', '0.0000018')),
  defineModel('Drizzle-30B-Vision', 256, 1_775_001_600, { ...vision, ...prices('0.0000001', '0.0000004') }),
  defineModel('Ember-12B', 128, 1_772_323_200, { ...hybrid, ...prices('$0.00000006', '$0.0000002') }),
  defineModel('Fjord-70B-Thinking', 192, 1_769_904_000, reasoning('low', 'high', 'max')),
  defineModel('Glacier-900B', 512, 1_784_073_600, { ...longest, ...vision, ...prices('$0.000002', '$0.000008') }),
  defineModel('Harbor-Embed-1.5', 8, 1_767_225_600, { kind: 'embedding' }),
]

/** What a request takes of the rolling limit: 1 for the default model or without prices, else in proportion, in tenths. */
export function weightOf({ prices: { prompt } = large.prices }: SandboxModel): number {
  return Math.round((10 * dollarsOf(prompt)) / dollarsOf(large.prices.prompt)) / 10
}

/** Each alias of section 1, with its model. */
const aliasTargets: Readonly<Record<string, string>> = {
  'syn:large:text': 'hf:sandbox/Aurora-2-355B',
  'syn:small:text': 'hf:sandbox/Ember-12B',
  'syn:large:vision': 'hf:sandbox/Borealis-1T-Vision',
  'syn:small:vision': 'hf:sandbox/Drizzle-30B-Vision',
}

/** A model that is no longer listed: requests for it get 404 (section 7). */
const rotatedOutModel = 'hf:sandbox/Aurora-1-180B'

/** @throws HttpError: 404 for an unknown or rotated-out name, 400 for a model of the wrong kind. */
export function sandboxModel(name: string, kind: SandboxModel['kind']): SandboxModel {
  const target = aliasTargets[name] ?? name
  const model = models.find((candidate) => candidate.name === target)
  if (model?.kind === kind) return model
  if (model) {
    const kinds = { text: 'a text model', embedding: 'an embedding model' }
    throw new HttpError(400, `The model ${name} is ${kinds[model.kind]}; this endpoint needs ${kinds[kind]}.`)
  }
  if (name.startsWith('syn:')) throw new HttpError(404, `There is no alias ${name}.`)
  if (name !== rotatedOutModel) throw new HttpError(404, `The model ${name} does not exist or was rotated out.`)
  const advice = 'use an alias such as syn:large:text'
  throw new HttpError(404, `The model ${name} has been rotated out and is no longer available; ${advice}.`)
}

/** @returns `none` for any effort that turns reasoning off. @throws HttpError for one that the model lacks. */
export function readEffort({ efforts, defaultEffort }: SandboxModel, requested: Json | undefined): Effort {
  if (requested === undefined || efforts.length === 0) return defaultEffort
  const effort = efforts.find((known) => known === requested)
  if (effort !== undefined) return effort === efforts[0] ? 'none' : effort
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
  const aliases = Object.entries(aliasTargets).flatMap(([alias, target]) =>
    models
      .filter(({ name }) => name === target)
      .map((model) => ({ ...record(model), id: alias, hugging_face_id: bareName(model) })),
  )
  return [...models.map(record), ...aliases]
}

function bareName({ name }: SandboxModel): string {
  return name.replace(/^hf:/, '')
}

function record(model: SandboxModel): JsonObject {
  const row: JsonObject = {
    id: model.name,
    object: 'model',
    name: bareName(model),
    always_on: true,
    input_modalities: model.hasVision ? ['text', 'image'] : ['text'],
    output_modalities: [model.kind === 'embedding' ? 'embedding' : 'text'],
    context_length: model.contextLength,
    created: model.created,
    quantization: 'fp8',
  }
  if (model.prices) row['pricing'] = { ...model.prices }
  if (model.kind === 'embedding') return row
  row['max_output_length'] = 64 * 1024
  row['supported_sampling_parameters'] = ['temperature', 'top_k', 'top_p', 'min_p', 'frequency_penalty', 'seed', 'stop']
  const hasReasoning = model.efforts.length > 0
  row['supported_features'] = ['tools', 'json_mode', 'structured_outputs', ...(hasReasoning ? ['reasoning'] : [])]
  if (hasReasoning) row['reasoning_parameters'] = { efforts: [...model.efforts] }
  return row
}
