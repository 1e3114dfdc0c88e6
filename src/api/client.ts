/** Sends requests to the service: with the key, again when that may help, and with failures put into words. */

import { CutShortError, NetworkError } from '../errors.ts'
import { isObject, parseJsonIfValid, type JsonObject } from '../io/json.ts'
import type { Io } from '../io/io.ts'
import { packageVersion } from '../io/package.ts'
import { maskedKey, type Secrets } from '../io/secrets.ts'
import { readAnswer } from '../stream/answer.ts'
import { readWhole } from '../stream/reply.ts'
import { isContent, type Delta } from '../stream/delta.ts'
import { DeltaMask } from '../stream/mask.ts'
import { serviceMessage } from '../stream/service-message.ts'
import { Connection, type HttpResponse, type HttpRequest } from './connection.ts'
import {
  operations,
  type Operation,
  type Reply,
  type SendOptions,
  type Sender,
  type StreamingOperation,
} from './operations.ts'
import { quotaOfHeaders } from './quota.ts'
import { statusFailure } from './failures.ts'
import { Attempts } from './retry.ts'

/** Where the service is, without a trailing slash, and the key for it. */
export interface ServiceAddress {
  readonly baseUrl: string
  readonly key: string
}

/** Times in milliseconds. */
export interface RequestLimits {
  readonly firstByteTimeout: number
  readonly idleTimeout: number
  readonly retries: number
}

interface Deps {
  readonly io: Io
  readonly secrets: Secrets
  readonly notices: { info(text: string): Promise<void>; debug(text: string): Promise<void> }
}

export interface StreamOptions {
  /** Yield what the service sent as well, as `chunk` deltas. */
  readonly withChunks?: boolean
  /** Ends the request, which then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export class Client implements Sender {
  readonly #address: ServiceAddress
  readonly #limits: RequestLimits
  readonly #io: Io
  readonly #secrets: Secrets
  readonly #notices: Deps['notices']
  readonly #connection: Connection
  readonly #closing = new AbortController()
  /** Ends every request and every wait: when the run is stopped, or the client closed. */
  readonly #signal: AbortSignal

  constructor(address: ServiceAddress, limits: RequestLimits, { io, secrets, notices }: Deps) {
    this.#address = address
    this.#limits = limits
    this.#io = io
    this.#secrets = secrets
    this.#notices = notices
    const timeouts = { firstByte: limits.firstByteTimeout, between: limits.idleTimeout }
    this.#signal = AbortSignal.any([io.signal, this.#closing.signal])
    this.#connection = new Connection(io.env, timeouts, this.#signal)
  }

  /**
   * The deltas of an answer, an array for each network read. Leaving the loop ends the request.
   * @throws StatusError, NetworkError before any of the answer was yielded; CutShortError after.
   */
  async *stream(
    operation: StreamingOperation,
    body: JsonObject,
    { withChunks = false, signal }: StreamOptions = {},
  ): AsyncGenerator<Delta[], void, undefined> {
    const attempts = this.#begin(signal)
    for (;;) {
      // Held until the answer itself begins, so that an attempt which fails before it leaves no trace.
      let held: Delta[] = []
      let hasBegun = false
      let hasAnswer = false
      const keyMask = new DeltaMask(this.#secrets)
      try {
        const exchange = await this.#open(operation, body, attempts.signal)
        const record = quotaOfHeaders(exchange.headers)
        if (record) held.push({ type: 'quota', quota: record })
        const contentType = exchange.headers['content-type'] ?? ''
        const mask = (text: string): string => this.#secrets.mask(text)
        const options = { withChunks, choiceCount: operation.choiceCount(body), mask }
        const reads = await readAnswer(contentType, exchange.body, operation.createDecoder(), options)
        for await (const read of reads) {
          const deltas = keyMask.take(read)
          hasBegun ||= read.some(isContent)
          hasAnswer ||= read.some((delta) => isContent(delta) && delta.type !== 'reasoning')
          if (!hasBegun) held.push(...deltas)
          else if (held.length === 0) yield deltas
          else {
            yield [...held, ...deltas]
            held = []
          }
        }
        const rest = [...held, ...keyMask.rest()]
        if (rest.length > 0) yield rest
        return
      } catch (error) {
        if (hasBegun) yield keyMask.rest()
        if (hasAnswer) throw cutShort(error)
        // Reasoning alone is no answer, but it was shown, and would be shown twice.
        if (hasBegun) throw error
        await attempts.waitForNext(error)
      }
    }
  }

  /** @throws StatusError, NetworkError */
  async send(
    operation: Operation,
    body?: JsonObject,
    { bestEffort = false, signal }: SendOptions = {},
  ): Promise<Reply> {
    const attempts = this.#begin(signal)
    for (;;) {
      try {
        return await this.#sendOnce(operation, body, attempts.signal)
      } catch (error) {
        if (bestEffort) throw error
        await attempts.waitForNext(error)
      }
    }
  }

  /** Whatever is still under way fails, and is not tried again. */
  async close(): Promise<void> {
    this.#closing.abort(new NetworkError('the connection was closed'))
    await this.#connection.close()
  }

  #begin(own: AbortSignal | undefined): Attempts {
    const signal = own ? AbortSignal.any([this.#signal, own]) : this.#signal
    return new Attempts({
      retries: this.#limits.retries,
      longestRetryAfter: this.#limits.firstByteTimeout,
      signal,
      notify: (text) => this.#notices.info(text),
      readQuota: async () => (await this.#sendOnce(operations.quota, undefined, signal)).json,
    })
  }

  async #sendOnce(operation: Operation, body: JsonObject | undefined, stopping: AbortSignal): Promise<Reply> {
    const { headers, body: bytes } = await this.#open(operation, body, stopping)
    const text = this.#secrets.mask(await readWhole(bytes, operation.longestReply))
    const json = parseJsonIfValid(text)
    if (json === undefined) {
      const page = text.trimStart().startsWith('<') ? 'a web page' : 'no JSON'
      throw new NetworkError(`the service sent ${page}: ${serviceMessage(text) || 'the reply is empty'}`)
    }
    if (isObject(json) && (json.error ?? null) !== null) throw new NetworkError(serviceMessage(text))
    return { json, headers }
  }

  /** @throws StatusError for any status but 2xx. */
  async #open(operation: Operation, body: JsonObject | undefined, stopping: AbortSignal): Promise<HttpResponse> {
    const outgoing = this.#outgoing(operation, body)
    const shown = JSON.stringify({ ...outgoing.headers, authorization: `Bearer ${maskedKey}` })
    await this.#notices.debug(`> ${outgoing.method} ${outgoing.url.href} ${shown}`)
    const started = this.#io.now()
    const exchange = await this.#connection.exchange(outgoing, stopping)
    const seconds = ((this.#io.now() - started) / 1000).toFixed(2)
    await this.#notices.debug(`< ${exchange.status} after ${seconds} s ${JSON.stringify(exchange.headers)}`)
    if (exchange.status >= 200 && exchange.status < 300) return exchange
    const text = this.#secrets.mask(await readWhole(exchange.body).catch(() => ''))
    throw statusFailure(exchange.status, exchange.headers, text, this.#io.now())
  }

  #outgoing(operation: Operation, body: JsonObject | undefined): HttpRequest {
    const isStream = body?.stream === true
    return {
      method: operation.method,
      url: new URL(this.#address.baseUrl + operation.path),
      headers: {
        authorization: `Bearer ${this.#address.key}`,
        'user-agent': `syn/${packageVersion()}`,
        accept: isStream ? 'text/event-stream, application/json' : 'application/json',
        // Compression would hold back parts of a stream.
        'accept-encoding': isStream ? 'identity' : 'gzip, deflate, br',
        ...(body && { 'content-type': 'application/json' }),
        ...operation.headers,
      },
      body: body && JSON.stringify(body),
    }
  }
}

function cutShort(error: unknown): Error {
  if (!(error instanceof NetworkError)) return error as Error
  return new CutShortError(`the answer was cut short: ${error.message}`, { hint: error.hint, cause: error })
}
