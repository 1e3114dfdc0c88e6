/** How the sandbox answers each operation. An answer of many lines has a file of its own, which is loaded when it is used. */

import { operations, type OperationName, type Operation, urlsOf } from '../api/operations.ts'
import type { Account } from './account.ts'
import { type SandboxReply, HttpError } from './endpoint.ts'
import { listModels } from './models.ts'

/** @param body Of a POST, parsed; otherwise `undefined`. @param ended Aborted when the reply or its client has ended. */
type Endpoint = (body: unknown, account: Account, ended: AbortSignal) => SandboxReply | Promise<SandboxReply>

const endpoints: { readonly [Name in OperationName]: Endpoint } = {
  models: () => ({ json: { object: 'list', data: listModels() } }),
  chat: async (...request) => (await import('./chat.ts')).answerChat(...request),
  completions: async (...request) => (await import('./completions.ts')).answerCompletions(...request),
  embeddings: async (body, account) => (await import('./embeddings.ts')).answerEmbeddings(body, account),
  messages: async (...request) => (await import('./messages.ts')).answerMessages(...request),
  countTokens: async (body) => (await import('./messages.ts')).answerCount(body),
  quota: (_body, account) => ({ json: account.record() }),
  search: async (body, account) => (await import('./search.ts')).answerSearch(body, account),
}

/** The base URLs that it may be given, without their origin. */
const baseUrls = ['', '/v1']

/** `isInference`: replies have the quota in a header. @throws HttpError: 404 for an unknown path, 405 for a wrong method. */
export function findEndpoint(method: string, path: string): { endpoint: Endpoint; isInference: boolean } {
  for (const name of Object.keys(endpoints) as OperationName[]) {
    const row: Operation = operations[name]
    if (!baseUrls.some((baseUrl) => urlsOf(row, baseUrl).includes(path))) continue
    if (row.method !== method) throw new HttpError(405, `${path} accepts ${row.method}, not ${method}.`)
    return { endpoint: endpoints[name], isInference: row.isInference ?? false }
  }
  throw new HttpError(404, `API route not found: ${method} ${path}`)
}
