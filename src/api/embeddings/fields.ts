/** The embeddings request, section 2.3. */

import type { Fields } from '../../fields/field.ts'

export const embeddingsFields = {
  model: {
    kind: 'model',
    aliases: false,
    required: true,
    short: 'm',
    everyday: true,
    help: 'Embedding model: hf:NAME',
  },
  input: { kind: 'texts', single: true, required: true, help: 'Text to embed; repeatable' },
  dimensions: { kind: 'number', minimum: 1, whole: true, help: 'Number of dimensions of each embedding' },
} as const satisfies Fields
