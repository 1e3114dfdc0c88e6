import type { Fields } from '../../fields/field.ts'
import type { Operation } from '../operation.ts'
import { embeddingsFields } from './fields.ts'

/** Embeddings, section 2.3. A request doesn't count against the subscription (section 4, note 8). */
export const embeddings = {
  method: 'POST',
  path: '/openai/v1/embeddings',
  fields: embeddingsFields,
} as const satisfies Operation & { fields: Fields }
