/**
 * A service for tests of `syn batch`, which counts its requests: workers, a quota, latency, and failures, all of which a
 * test may change while it runs.
 */

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { isObject, type JsonObject } from '../../src/io/json/json.ts'
import { pause } from '../../src/io/time/time.ts'
import { Account } from '../../src/sandbox/account.ts'
import { sandboxModel } from '../../src/sandbox/models.ts'
import { testKey } from './canary.ts'
import { seededRandom } from './seed.ts'

/** How it answers chat completions. */
interface BatchServiceOptions {
  /** Requests that are worked on at a time; those beyond wait in line. */
  readonly workers?: number | undefined
  /** Milliseconds from the request, or from its turn, to the answer: the least and the most, equally likely. */
  readonly latency?: readonly [least: number, most: number] | undefined
  /** Gets every request for an answer, instead of one: 401, 402, 500, 503. */
  readonly status?: number | undefined
  /** The share of requests that get status 503, from 0 to 1. */
  readonly failing?: number | undefined
  /** Models that were rotated out: status 404. */
  readonly missingModels?: readonly string[] | undefined
  /** The rolling limit, and milliseconds from empty to full. Setting it starts a new quota. */
  readonly quota?: { readonly limit: number; readonly renewal: number } | undefined
}

interface BatchCounts {
  /** Requests for an answer, by the status of their reply. */
  readonly statuses: Readonly<Record<number, number>>
  /** Requests with status 200, whether or not the client waited for the answer: these are paid for. */
  readonly answered: number
  /** How many different requests were answered so many times: `{ 1: 998, 2: 2 }`. */
  readonly timesAnswered: Readonly<Record<number, number>>
  /** Open ones. */
  readonly connections: number
  /** Since the start. A client that is killed closes all that it had, each with at most one request in flight. */
  readonly closedConnections: number
}

export interface BatchService extends AsyncDisposable {
  /** The environment variables that make the program use this service. */
  readonly env: { SYN_BASE_URL: string; SYN_API_KEY: string }
  /** Changes these options, and leaves the others. */
  set(options: BatchServiceOptions): Promise<void>
  counts(): Promise<BatchCounts>
  /** Resolves when so many requests for an answer have come, whatever their reply. */
  untilAsked(requests: number): Promise<void>
  /** Counts from 0 again. */
  resetCounts(): Promise<void>
  /** Refuses connections, and breaks the open ones, until `resume`. */
  stop(): Promise<void>
  /** Listens on the same port again. */
  resume(): Promise<void>
}

const batchModels = ['syn:large:text', 'syn:small:text', 'hf:test/one', 'hf:test/two'] as const

/**
 * The text of an answer, from the last user message of the request. With a JSON schema or `json_object`, it is
 * `{"label":"good"}` or `{"label":"bad"}`.
 *
 * A message may say how its request ends: `status 400` always, `status 400 once`, `token limit` for the finish reason
 * `length`, `needs 20 tokens` for it with a lower limit, and `no text` for an empty answer.
 */
export function batchAnswer(message: string, isJson = false): string {
  const digest = createHash('sha256').update(message).digest('hex')
  if (isJson) return JSON.stringify({ label: Number.parseInt(digest.slice(0, 1), 16) % 2 === 0 ? 'good' : 'bad' })
  return `Answer ${digest.slice(0, 8)}.`
}

type ChatBody = JsonObject & { readonly model: string }

export async function startBatchService(options: BatchServiceOptions = {}): Promise<BatchService> {
  const state = new State(options)
  const listen = async (port: number): Promise<Server> => {
    const server = createServer((request, response) => void state.answer(request, response))
    server.on('connection', (socket) => state.countConnection(socket))
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  let server = await listen(0)
  const { port } = server.address() as AddressInfo
  const stop = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return {
    env: { SYN_BASE_URL: `http://127.0.0.1:${port}`, SYN_API_KEY: testKey },
    set: (changes) => Promise.resolve(state.set(changes)),
    counts: () => Promise.resolve(state.counts()),
    untilAsked: (requests) => state.untilAsked(requests),
    resetCounts: () => Promise.resolve(state.resetCounts()),
    stop,
    resume: async () => void (server = await listen(port)),
    [Symbol.asyncDispose]: stop,
  }
}

class State {
  #options: BatchServiceOptions
  #account: Account | undefined
  #statuses: Record<number, number> = {}
  /** How many times each request was answered, by its hash. */
  #answers = new Map<string, number>()
  /** Messages that have asked for their only failure. */
  readonly #failures = new Set<string>()
  readonly #random = seededRandom()
  #connections = 0
  #closedConnections = 0
  #asked = 0
  #watchers: { readonly requests: number; resolve(): void }[] = []
  #working = 0
  readonly #waiting: (() => void)[] = []

  constructor(options: BatchServiceOptions) {
    this.#options = {}
    this.set(options)
  }

  set(changes: BatchServiceOptions): void {
    this.#options = { ...this.#options, ...changes }
    const { quota } = this.#options
    if ('quota' in changes) this.#account = quota && new Account(quota)
    this.#callNext()
  }

  counts(): BatchCounts {
    const timesAnswered: Record<number, number> = {}
    for (const times of this.#answers.values()) timesAnswered[times] = (timesAnswered[times] ?? 0) + 1
    return {
      statuses: this.#statuses,
      answered: this.#statuses[200] ?? 0,
      timesAnswered,
      connections: this.#connections,
      closedConnections: this.#closedConnections,
    }
  }

  countConnection(socket: Socket): void {
    this.#connections++
    socket.once('close', () => {
      this.#connections--
      this.#closedConnections++
    })
  }

  async untilAsked(requests: number): Promise<void> {
    if (this.#asked < requests) await new Promise<void>((resolve) => this.#watchers.push({ requests, resolve }))
  }

  #countAsked(): void {
    this.#asked++
    const reached = this.#watchers.filter(({ requests }) => requests <= this.#asked)
    if (reached.length === 0) return
    this.#watchers = this.#watchers.filter(({ requests }) => requests > this.#asked)
    for (const { resolve } of reached) resolve()
  }

  resetCounts(): void {
    this.#statuses = {}
    this.#asked = 0
    this.#answers = new Map()
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      if (!request.headers.authorization) return refuse(response, 401, 'No API key.')
      const text = Buffer.concat(chunks).toString('utf8')
      const { url } = request
      if (url === '/openai/v1/models') sendJson(response, { data: batchModels.map((id) => ({ id })) })
      else if (url === '/v2/quotas') this.#sendQuota(response)
      else if (url === '/openai/v1/chat/completions') await this.#answerChat(JSON.parse(text) as ChatBody, response)
      else refuse(response, 404, `API route not found: ${url}`)
    } catch {
      // The client has gone.
      response.destroy()
    }
  }

  #sendQuota(response: ServerResponse): void {
    sendJson(response, this.#account?.record() ?? { subscription: { limit: 0, requests: 0, renewsAt: null } })
  }

  async #answerChat(body: ChatBody, response: ServerResponse): Promise<void> {
    const message = lastMessage(body)
    const [status, reason] = await this.#refusal(body, message)
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1
    this.#countAsked()
    if (this.#account) response.setHeader('x-synthetic-quotas', JSON.stringify(this.#account.record()))
    if (status !== 200) return refuse(response, status, reason)
    const hash = hashOf(body)
    this.#answers.set(hash, (this.#answers.get(hash) ?? 0) + 1)
    const closed = new Promise<void>((resolve) => response.once('close', resolve))
    await this.#work(closed)
    sendAnswer(response, body, message)
  }

  /** The status of a reply, and the reason if it is no answer. */
  async #refusal(body: ChatBody, message: string): Promise<[status: number, reason: string]> {
    const { status, failing = 0, missingModels = [] } = this.#options
    if (status !== undefined) return [status, `Status ${status} for every request.`]
    if (missingModels.includes(body.model)) return [404, `The model ${body.model} does not exist.`]
    if (this.#random() < failing) return [503, 'Service unavailable.']
    const [, asked, times] = /\bstatus (\d{3})(?: (once))?/.exec(message) ?? []
    if (asked !== undefined && !this.#failures.has(message)) {
      if (times !== undefined) this.#failures.add(message)
      return [Number(asked), `As asked: status ${asked}.`]
    }
    try {
      // Each weighs 1.
      await this.#account?.countRequest(sandboxModel('syn:large:text', 'text'), [], new AbortController().signal)
    } catch (error) {
      return [429, (error as Error).message]
    }
    return [200, '']
  }

  /** Waits for a worker, and for as long as the work takes, unless the client disconnects. */
  async #work(closed: Promise<unknown>): Promise<void> {
    const { latency: [least, most] = [0, 0] } = this.#options
    if (this.#working >= (this.#options.workers ?? Infinity)) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#working++
    const duration = least + this.#random() * (most - least)
    if (duration > 0) await Promise.race([pause(duration, { ref: false }), closed])
    this.#working--
    this.#callNext()
  }

  #callNext(): void {
    const free = (this.#options.workers ?? Infinity) - this.#working
    for (const call of this.#waiting.splice(0, free)) call()
  }
}

/** Hashes what the client was given: the option for the usage is its own. */
function hashOf(body: ChatBody): string {
  const text = JSON.stringify({ ...body, stream_options: undefined })
  return createHash('sha256').update(text).digest('base64')
}

function lastMessage({ messages }: JsonObject): string {
  const last = Array.isArray(messages)
    ? messages.findLast((message) => isObject(message) && message.role === 'user')
    : {}
  return isObject(last) && typeof last.content === 'string' ? last.content : ''
}

function sendAnswer(response: ServerResponse, body: ChatBody, message: string): void {
  const needed = Number(/needs (\d+) tokens/.exec(message)?.[1] ?? 0)
  const limit = Number(body.max_tokens ?? body.max_completion_tokens ?? Infinity)
  const isCut = message.includes('token limit') || limit < needed
  const text = message.includes('no text') ? '' : batchAnswer(message, body.response_format !== undefined)
  const reason = isCut ? 'length' : 'stop'
  const usage = { prompt_tokens: message.length, completion_tokens: 3, total_tokens: message.length + 3 }
  // The same for the same request, so that outputs can be compared.
  const head = { id: 'chatcmpl-batch', created: 1_767_225_600, model: `served/${body.model}` }
  if (body.stream !== true) {
    const choice = { index: 0, message: { role: 'assistant', content: text }, finish_reason: reason }
    return sendJson(response, { ...head, object: 'chat.completion', choices: [choice], usage })
  }
  const chunk = (delta: object, finish: string | null, more: object = {}): string => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    return `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const begin = chunk({ role: 'assistant', content: text.slice(0, 3) }, null)
  response.end(`${begin}${chunk({ content: text.slice(3) }, null)}${chunk({}, reason, { usage })}data: [DONE]\n\n`)
}

function sendJson(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function refuse(response: ServerResponse, status: number, error: string): void {
  sendJson(response, { error }, status)
}
