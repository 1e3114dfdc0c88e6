import type { Operation } from './operation.ts'

/** The quota record, section 2.5. Asking for it costs nothing (section 8). */
export const quota: Operation = { method: 'GET', path: '/v2/quotas' }
