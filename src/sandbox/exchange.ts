/** One request and its reply. */

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Json } from '../io/json.ts'
import type { Account } from './account.ts'
import { sendEvents } from './event-stream.ts'
import { Refusal, refusalBody } from './refusal.ts'
import { readBody } from './request-body.ts'
import { familyOf, findRoute } from './routes.ts'

export interface Service {
  readonly key: string
  readonly account: Account
  /** Tokens a second of streamed answers; 0 for no delay. */
  readonly rate: number
}

/** Answers a request, whatever happens. */
export async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  service: Service,
): Promise<void> {
  const requestId = `req_${randomUUID().replaceAll('-', '')}`
  // The two official clients look for different names.
  response.setHeader('x-request-id', requestId)
  response.setHeader('request-id', requestId)
  const path = (request.url ?? '').split('?', 1)[0] ?? ''
  try {
    await answer(request, response, path, service)
  } catch (error) {
    const refusal = error instanceof Refusal ? error : backendFailure(error)
    if (response.headersSent || response.destroyed) response.destroy()
    else sendJson(response, refusal.status, refusalBody(familyOf(path), refusal, requestId))
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  { key, account, rate }: Service,
): Promise<void> {
  const method = request.method ?? ''
  // The body is read first in any case: the connection is kept for the next request.
  const body = method === 'POST' ? await settle(readBody(request)) : undefined
  checkKey(request, key)
  const route = findRoute(method, path)
  const endpoint = await route.load()
  const result = await settle(endpoint(body?.value(), account))
  if (route.isInference) response.setHeader('x-synthetic-quotas', JSON.stringify(account.record()))
  const reply = result.value()
  if ('json' in reply) return sendJson(response, 200, reply.json)
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  await sendEvents(response, reply.events, rate)
}

/** Every request carries the key (section 5). */
function checkKey(request: IncomingMessage, key: string): void {
  const { authorization } = request.headers
  if (authorization === undefined) throw new Refusal(401, 'No API key: send the header Authorization: Bearer KEY.')
  if (authorization !== `Bearer ${key}`) throw new Refusal(401, 'Invalid API key.')
}

function sendJson(response: ServerResponse, status: number, json: Json): void {
  const text = JSON.stringify(json)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

function backendFailure(error: unknown): Refusal {
  return new Refusal(500, `Error from inference backend: ${error instanceof Error ? error.message : String(error)}`)
}

/** Holds back a failure until its turn comes. */
async function settle<T>(work: Promise<T>): Promise<{ value(): T }> {
  try {
    const value = await work
    return { value: () => value }
  } catch (error) {
    return {
      value: () => {
        throw error
      },
    }
  }
}
