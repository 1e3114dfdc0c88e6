/** The web search request. Its shape is not in the specification; this one is the best known. */

import type { Fields } from '../../fields/field.ts'

export const searchFields = {
  query: { kind: 'text', required: true, help: 'Query, instead of arguments' },
} as const satisfies Fields
