import type { Operation } from '../operation.ts'

/** Pages are quoted, not sent: more than this is a fault, in bytes. */
const longestReply = 16 * 1024 * 1024

/** The path of section 4. */
export const search: Operation = { method: 'POST', path: '/search', longestReply }

/** The same under a version, as some services have it. */
export const versionedSearch: Operation = { ...search, path: '/v2/search' }
