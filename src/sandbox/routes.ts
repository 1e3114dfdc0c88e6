/** Maps each operation to the endpoint that answers it. */

import { operations, type OperationName, type OperationRow, urlsOf } from '../api/operations.ts'
import type { Endpoint } from './endpoint.ts'
import { HttpError } from './http-error.ts'

interface Route {
  /** Replies to inference requests have the quota record in a header. */
  readonly isInference: boolean
  readonly load: () => Promise<Endpoint>
}

const endpoints: { readonly [Name in OperationName]: Route['load'] } = {
  models: async () => (await import('./models.ts')).listModels,
  chat: async () => (await import('./chat.ts')).answerChat,
  completions: async () => (await import('./completions.ts')).answerCompletions,
  embeddings: async () => (await import('./embeddings.ts')).answerEmbeddings,
  messages: async () => (await import('./messages.ts')).answerMessages,
  countTokens: async () => (await import('./messages.ts')).answerCount,
  quota: async () => (_body, account) => Promise.resolve({ json: account.record() }),
  search: async () => (await import('./search.ts')).answerSearch,
}

/** The base URLs that it may be given, without their origin. */
const baseUrls = ['', '/v1']

/** @throws HttpError: 404 for an unknown path, 405 for the wrong method. */
export function findRoute(method: string, path: string): Route {
  for (const name of Object.keys(endpoints) as OperationName[]) {
    const row: OperationRow = operations[name]
    if (!baseUrls.some((baseUrl) => urlsOf(row, baseUrl).includes(path))) continue
    if (row.method !== method) throw new HttpError(405, `${path} accepts ${row.method}, not ${method}.`)
    return { isInference: row.isInference ?? false, load: endpoints[name] }
  }
  throw new HttpError(404, `API route not found: ${method} ${path}`)
}
