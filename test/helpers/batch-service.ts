/**
 * A service for tests of `syn batch`, which counts its requests: workers, a quota, latency, and failures, all of which a
 * test may change while it runs.
 */

import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isObject, type JsonObject } from '../../src/io/json/json.ts'
import { pause } from '../../src/io/time/time.ts'
import { Account } from '../../src/sandbox/account.ts'
import { sandboxModel } from '../../src/sandbox/models.ts'
import { delta, end, head, streamed, whole } from './chat-chunks.ts'
import { seededRandom } from './seed.ts'
import { json, startService, startServiceOn, type Answer, type Asked, type Service } from './service.ts'

/** How it answers chat completions. */
interface BatchServiceOptions {
  /** 0: requests wait until there is no such limit. */
  readonly workers?: 0 | undefined
  /** Milliseconds from the request to the answer: the least and the most, equally likely. */
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

export interface BatchService extends Pick<Service, 'env'>, AsyncDisposable {
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
  const answer: Answer = (asked, response) => state.answer(asked, response)
  let service = await startService(answer)
  const { baseUrl, env } = service
  return {
    env,
    set: (changes) => Promise.resolve(state.set(changes)),
    counts: () => Promise.resolve(state.counts()),
    untilAsked: (requests) => state.untilAsked(requests),
    resetCounts: () => Promise.resolve(state.resetCounts()),
    stop: () => service.close(),
    resume: async () => void (service = await startServiceOn(Number(new URL(baseUrl).port), answer)),
    [Symbol.asyncDispose]: () => service.close(),
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
  readonly #connections = new Set<Socket>()
  #asked = 0
  #watchers: { readonly requests: number; resolve(): void }[] = []
  readonly #waiting: (() => void)[] = []

  constructor(options: BatchServiceOptions) {
    this.#options = {}
    this.set(options)
  }

  set(changes: BatchServiceOptions): void {
    this.#options = { ...this.#options, ...changes }
    const { quota } = this.#options
    if ('quota' in changes) this.#account = quota && new Account(quota)
    if (this.#options.workers !== 0) for (const call of this.#waiting.splice(0)) call()
  }

  counts(): BatchCounts {
    const timesAnswered: Record<number, number> = {}
    for (const times of this.#answers.values()) timesAnswered[times] = (timesAnswered[times] ?? 0) + 1
    return {
      statuses: this.#statuses,
      answered: this.#statuses[200] ?? 0,
      timesAnswered,
      connections: [...this.#connections].filter(({ closed }) => !closed).length,
      closedConnections: [...this.#connections].filter(({ closed }) => closed).length,
    }
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

  answer(asked: Asked, response: ServerResponse): void | Promise<void> {
    const { path } = asked
    if (response.socket) this.#connections.add(response.socket)
    if (path === '/openai/v1/models') return json({ data: batchModels.map((id) => ({ id })) })(asked, response)
    if (path === '/v2/quotas') return json(this.#account?.record() ?? noQuota)(asked, response)
    if (path === '/openai/v1/chat/completions') return this.#answerChat(asked, response)
    return json({ error: `API route not found: ${path}` }, 404)(asked, response)
  }

  async #answerChat(asked: Asked, response: ServerResponse): Promise<void> {
    const body = asked.json as ChatBody
    const message = lastMessage(body)
    const [status, error] = await this.#refusal(body, message)
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1
    this.#countAsked()
    if (this.#account) response.setHeader('x-synthetic-quotas', JSON.stringify(this.#account.record()))
    if (status !== 200) return json({ error }, status)(asked, response)
    const hash = hashOf(body)
    this.#answers.set(hash, (this.#answers.get(hash) ?? 0) + 1)
    const closed = new Promise<void>((resolve) => response.once('close', resolve))
    if (this.#options.workers === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    const { latency: [least, most] = [0, 0] } = this.#options
    const duration = least + this.#random() * (most - least)
    if (duration > 0) await Promise.race([pause(duration, { ref: false }), closed])
    return answerTo(body, message)(asked, response)
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
      await this.#account?.countRequest(sandboxModel('syn:large:vision', 'text'), [], new AbortController().signal)
    } catch (error) {
      return [429, (error as Error).message]
    }
    return [200, '']
  }
}

const noQuota = { subscription: { limit: 0, requests: 0, renewsAt: null } }

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

function answerTo(body: ChatBody, message: string): Answer {
  const needed = Number(/needs (\d+) tokens/.exec(message)?.[1] ?? 0)
  const limit = Number(body.max_tokens ?? body.max_completion_tokens ?? Infinity)
  const isCut = message.includes('token limit') || limit < needed
  const content = message.includes('no text') ? '' : batchAnswer(message, body.response_format !== undefined)
  const reason = isCut ? 'length' : 'stop'
  if (body.stream !== true) return whole({ content }, reason)
  const usage = { prompt_tokens: message.length, completion_tokens: 3, total_tokens: message.length + 3 }
  return streamed({ ...(delta(content) as typeof head), model: `served/${body.model}` }, { ...end(reason), usage })
}
