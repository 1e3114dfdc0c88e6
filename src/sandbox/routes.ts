/** The endpoints of section 4. */

import type { Endpoint } from './endpoint.ts'
import { Refusal, type Family } from './refusal.ts'

export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Replies of inference carry the quota record in a header. */
  readonly isInference: boolean
  readonly load: () => Promise<Endpoint>
}

function inference(path: string, load: Route['load']): Route {
  return { method: 'POST', path, isInference: true, load }
}

function service(method: Route['method'], path: string, load: Route['load']): Route {
  return { method, path, isInference: false, load }
}

const routes: readonly Route[] = [
  service('GET', '/openai/v1/models', async () => (await import('./model-list.ts')).listModels),
  inference('/openai/v1/chat/completions', async () => (await import('./chat/endpoint.ts')).answerChat),
  inference('/openai/v1/completions', async () => (await import('./completions/endpoint.ts')).answerCompletions),
  inference('/openai/v1/embeddings', async () => (await import('./embeddings.ts')).answerEmbeddings),
  inference('/anthropic/v1/messages', async () => (await import('./messages/endpoint.ts')).answerMessages),
  service('POST', '/anthropic/v1/messages/count_tokens', async () => (await import('./messages/count.ts')).answerCount),
  service('GET', '/v2/quotas', async () => (_body, account) => Promise.resolve({ json: account.record() })),
  service('POST', '/search', async () => (await import('./search.ts')).answerSearch),
  service('POST', '/v2/search', async () => (await import('./search.ts')).answerSearch),
]

export function familyOf(path: string): Family {
  return path.startsWith('/anthropic/') ? 'messages' : 'chat'
}

/** @throws Refusal: 404 for an unknown path, 405 for another method than the path has. */
export function findRoute(method: string, path: string): Route {
  const found = routes.filter((route) => route.path === path)
  if (found.length === 0) throw new Refusal(404, `API route not found: ${method} ${path}`)
  const route = found.find((candidate) => candidate.method === method)
  if (!route) throw new Refusal(405, `${path} takes ${found[0]?.method}, not ${method}.`)
  return route
}
