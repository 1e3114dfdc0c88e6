/** Runs `syn models` against a service with a given list. */

import { asking } from './asking.ts'
import { json } from './service.ts'

/** A list with detailed rows, short rows, and two of the four aliases. */
export const list = {
  object: 'list',
  data: [
    {
      id: 'hf:zai-org/GLM-4.7',
      object: 'model',
      name: 'zai-org/GLM-4.7',
      always_on: true,
      input_modalities: ['text'],
      output_modalities: ['text'],
      context_length: 202_752,
      max_output_length: 65_536,
      created: 1_766_361_600,
      pricing: { prompt: '$0.00000055', completion: '$0.00000219' },
      supported_features: ['tools', 'json_mode', 'reasoning'],
      reasoning_parameters: { efforts: ['none', 'high'] },
    },
    {
      id: 'hf:Qwen/Qwen3-VL',
      input_modalities: ['text', 'image'],
      context_length: 262_144,
      pricing: { prompt: 0.0000001, completion: '0.0000004' },
      supported_features: ['tools'],
    },
    { id: 'hf:nomic-ai/nomic-embed-text-v1.5', context_length: 8192, pricing: { prompt: '$0' } },
    { id: 'syn:large:text', hugging_face_id: 'zai-org/GLM-4.7' },
    { id: 'syn:large:vision', hugging_face_id: 'Qwen/Qwen3-VL', name: 'the seeing one' },
  ],
}

export const { run: models } = asking('models', json(list))
