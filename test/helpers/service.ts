/** A real HTTP server on loopback with replies given by the test, which records all requests. */

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { testKey } from './canary.ts'

export { testKey }

export interface Asked {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** The parsed body; `undefined` if there was none. */
  json: unknown
}

export type Answer = (asked: Asked, response: ServerResponse) => void | Promise<void>

export interface Service extends AsyncDisposable {
  readonly baseUrl: string
  readonly asked: Asked[]
  /** The environment variables that make the program use this service. */
  readonly env: { SYN_BASE_URL: string; SYN_API_KEY: string }
  close(): Promise<void>
}

/** @param answers One per request, in order; the last one also for all further requests. */
export function startService(...answers: Answer[]): Promise<Service> {
  return startServiceOn(0, ...answers)
}

/** @param freePort 0 for any. */
export async function startServiceOn(freePort: number, ...answers: Answer[]): Promise<Service> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const { method = '', url = '', headers } = request
      const one: Asked = { method, path: url, headers, body, json: body === '' ? undefined : JSON.parse(body) }
      const answer = answers[Math.min(asked.length, answers.length - 1)]
      asked.push(one)
      // The time of the tests is not that of the machine.
      response.sendDate = false
      void answer?.(one, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(freePort, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { baseUrl, asked, env: { SYN_BASE_URL: baseUrl, SYN_API_KEY: testKey }, close, [Symbol.asyncDispose]: close }
}

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return (_asked, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof value === 'string' ? value : JSON.stringify(value))
  }
}

/** A stream of server-sent events, sent in one write. */
export function events(text: string, headers: Record<string, string> = {}): Answer {
  return (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
    response.end(text)
  }
}

/** Chat chunks as server-sent events, followed by `[DONE]`. */
export function chatEvents(...chunks: unknown[]): string {
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('')
}

/** A streamed chat answer: a chunk per word, then the finish reason. */
export function chatAnswer(words: string[], finish = 'stop'): string {
  const head = { id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'served' }
  const chunk = (delta: object, reason: string | null = null): object => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  return chatEvents(chunk({ role: 'assistant' }), ...words.map((content) => chunk({ content })), {
    ...chunk({}, finish),
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  })
}
