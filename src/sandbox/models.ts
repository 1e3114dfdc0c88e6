/** The sandbox's models, and the endpoint that lists them. Context lengths are those of section 8, in its order. */

import type { JsonObject } from '../io/json/json.ts'
import type { Prices } from './account.ts'
import { HttpError } from './endpoint.ts'

interface ModelTraits {
  readonly kind?: 'text' | 'embedding'
  readonly hasVision?: boolean
  readonly hasReasoning?: boolean
  readonly prices?: Prices
}

export type SandboxModel = ReturnType<typeof defineModel>

/** @param context In units of 1024 tokens. @param created Unix time in seconds. */
function defineModel(name: string, context: number, created: number, traits: ModelTraits) {
  const { kind = 'text', hasVision = false, hasReasoning = false, prices } = traits
  // Answers have an internal name, not the requested one (section 2.1).
  const servedAs = `accounts/sandbox/models/${name.toLowerCase()}`
  const contextLength = context * 1024
  return { name: `hf:sandbox/${name}`, servedAs, kind, contextLength, hasVision, hasReasoning, prices, created }
}

const reasoning = { hasReasoning: true }
const vision = { hasVision: true }
const prices = (prompt: string, completion: string): ModelTraits => ({ prices: { prompt, completion } })

const models: readonly SandboxModel[] = [
  defineModel('Aurora-2-355B', 256, 1_780_272_000, { ...reasoning, ...prices('$0.00000055', '$0.00000219') }),
  defineModel('Borealis-1T-Vision', 512, 1_782_864_000, { ...vision, ...prices('$0.0000012', '$0.0000045') }),
  defineModel('Cirrus-480B-Coder', 512, 1_777_593_600, prices('0.00000045', '0.0000018')),
  defineModel('Drizzle-30B-Vision', 256, 1_775_001_600, { ...vision, ...prices('0.0000001', '0.0000004') }),
  defineModel('Ember-12B', 128, 1_772_323_200, prices('$0.00000006', '$0.0000002')),
  defineModel('Fjord-70B-Thinking', 192, 1_769_904_000, reasoning),
  defineModel('Glacier-900B', 512, 1_784_073_600, { ...reasoning, ...vision, ...prices('$0.000002', '$0.000008') }),
  defineModel('Harbor-Embed-1.5', 8, 1_767_225_600, { kind: 'embedding' }),
]

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
  row['supported_features'] = ['tools', 'json_mode', 'structured_outputs', ...(model.hasReasoning ? ['reasoning'] : [])]
  if (model.hasReasoning) row['reasoning_parameters'] = { efforts: ['low', 'medium', 'high'] }
  return row
}
