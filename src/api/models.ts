import type { Operation } from './operation.ts'

/** The models that are always on, section 4. */
export const models: Operation = { method: 'GET', path: '/openai/v1/models' }
