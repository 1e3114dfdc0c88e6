/** The web search request. The specification does not define it. */

import type { Fields } from '../../fields/field.ts'

export const searchFields = {
  query: { kind: 'text', required: true, help: 'Query, instead of arguments' },
} as const satisfies Fields
