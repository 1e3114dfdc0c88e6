/** The list of always-on models. Its shape is not in the specification; this one is the best known. */

import type { JsonObject } from '../io/json.ts'
import { aliasTargets, embeddingModel, textModels, type Model } from './catalogue.ts'
import type { Answer } from './endpoint.ts'

/** `GET /openai/v1/models` */
export function listModels(): Promise<Answer> {
  const models = [...textModels, embeddingModel]
  const aliases = Object.entries(aliasTargets).flatMap(([alias, target]) => {
    const model = models.find(({ name }) => name === target)
    return model ? [{ ...record(model), id: alias, hugging_face_id: bareName(model) }] : []
  })
  return Promise.resolve({ json: { object: 'list', data: [...models.map(record), ...aliases] } })
}

function bareName({ name }: Model): string {
  return name.replace(/^hf:/, '')
}

function record(model: Model): JsonObject {
  const row: JsonObject = {
    id: model.name,
    object: 'model',
    name: bareName(model),
    always_on: true,
    input_modalities: model.hasVision ? ['text', 'image'] : ['text'],
    output_modalities: [model.kind === 'embedding' ? 'embedding' : 'text'],
    context_length: model.contextLength,
    created: model.created,
    quantization: model.quantization,
  }
  if (model.prices) row['pricing'] = { ...model.prices }
  if (model.kind === 'embedding') return row
  row['max_output_length'] = model.longestOutput
  row['supported_sampling_parameters'] = ['temperature', 'top_k', 'top_p', 'min_p', 'frequency_penalty', 'seed', 'stop']
  row['supported_features'] = ['tools', 'json_mode', 'structured_outputs', ...(model.hasReasoning ? ['reasoning'] : [])]
  if (model.hasReasoning) row['reasoning_parameters'] = { efforts: ['low', 'medium', 'high'] }
  return row
}
