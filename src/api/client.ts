/** Sends requests to the service with the API key, retries them, and turns failures into errors for the user. */

import { setMaxListeners } from 'node:events'
import { NetworkError, ReportedError, StatusError, withMessage } from '../errors.ts'
import { yieldIfDue } from '../io/time/abort-signal.ts'
import { exactJson, withExactNumbers } from '../io/json/exact-numbers.ts'
import { isObject, type Json, type JsonObject } from '../io/json/json.ts'
import { maxValues, parseJsonIfValid } from '../io/json/parse.ts'
import type { Io } from '../io/io.ts'
import { packageVersion } from '../io/process/package.ts'
import { maskedKey, type Secrets } from '../io/secrets.ts'
import { readAnswer } from '../stream/reply-decoder.ts'
import { readMessage, readWhole, unexpectedReply } from '../stream/body-sniffing.ts'
import { isContent, sizeOf, type Delta } from '../stream/delta.ts'
import { maxHeldBack, maxKept, mebibyte, ReplyBudget } from '../stream/reply-budget.ts'
import { reportsError } from '../stream/reported-error.ts'
import { isComplaint, reportedError } from '../stream/service-message.ts'
import { Connection, type HttpResponse, type HttpRequest, type Timeouts } from './connection.ts'
import {
  offersTools,
  operations,
  type Operation,
  type JsonReply,
  type ReplySize,
  type SendOptions,
  type Sender,
  type StreamingOperation,
} from './operations.ts'
import { quotaOfHeaders } from './quota.ts'
import { mayBeAbsent, reportedFailure, statusFailure, tellingFailure } from './failures.ts'
import { likelyUrls, rememberUrl } from './likely-urls.ts'
import { type Attempts, startAttempts } from './retry.ts'
import { append } from '../io/arrays.ts'

/** The base URL of the service, without a trailing slash, and the API key for it; `undefined` to send none. */
export interface ServiceAccount {
  readonly baseUrl: string
  readonly key: string | undefined
}

export interface RequestLimits extends Timeouts {
  readonly retries: number
}

/** In milliseconds. */
const maxQuotaAge = 60_000

interface ClientContext {
  readonly io: Io
  readonly secrets: Secrets
  readonly notices: { info(text: string): Promise<void>; debug(text: () => string): Promise<void> }
}

export interface StreamOptions extends SendOptions {
  /** Yield what the service sent, too, as `chunk` deltas. */
  readonly withChunks?: boolean
  /** Yield the JSON that is accumulated, too, as a `json` delta. */
  readonly keepsJson?: boolean
  /** Called if a reply with status 200 is lost. What it throws ends the attempts. @param hasStarted Whether a part has come. */
  readonly onLost?: ((hasStarted: boolean) => void) | undefined
}

export class Client implements Sender {
  readonly #account: ServiceAccount
  readonly #limits: RequestLimits
  readonly #io: Io
  readonly #secrets: Secrets
  readonly #notices: ClientContext['notices']
  readonly #connection: Connection
  readonly #ignoreUncaught: () => void
  readonly #closing = new AbortController()
  /** Aborts every request and wait when the run is stopped or the client closed. */
  readonly #signal: AbortSignal
  /** URLs where an operation was not found in this run. */
  readonly #absentUrls = new Set<string>()
  readonly #parsedUrls = new Map<string, URL>()
  /** Limits all open replies together. */
  readonly budget = new ReplyBudget()
  /** Whether a request succeeded: then the base URL is right. */
  hasAnswered = false
  #lastQuota: { readonly quota: JsonObject; readonly received: number } | undefined

  constructor(account: ServiceAccount, limits: RequestLimits, { io, secrets, notices }: ClientContext) {
    this.#account = account
    this.#limits = limits
    this.#io = io
    this.#secrets = secrets
    this.#notices = notices
    this.#signal = AbortSignal.any([io.signal, this.#closing.signal])
    // Each request adds a listener, and Node warns of a leak at more than ten.
    setMaxListeners(0, this.#signal)
    this.#connection = new Connection(io.env, limits)
    this.#ignoreUncaught = io.onUncaught((error) => this.#connection.fail(error))
  }

  /** Opens the connection before the request is complete, which reports what fails. */
  preconnect(): Promise<void> {
    return this.#connection.preconnect(new URL(this.#account.baseUrl))
  }

  /**
   * Yields the deltas of an answer, one array per network read. Leaving the loop ends the request.
   * @throws StatusError, NetworkError, also after a part of the answer.
   */
  async *stream(
    operation: StreamingOperation,
    body: JsonObject,
    { withChunks, keepsJson, onLost, ...sendOptions }: StreamOptions = {},
  ): AsyncGenerator<Delta[], void, undefined> {
    const attempts = this.#startAttempts(operation, sendOptions)
    for (;;) {
      // Kept until the answer starts: an attempt that fails before must yield nothing.
      let heldBack: Delta[] = []
      let heldBackSize = 0
      let hasStarted = false
      let [answering, isAccepted] = ['', false]
      try {
        const response = await this.#tryUrls(operation, body, (url) => {
          answering = url
          return this.#requestAt(url, operation, body, attempts.signal)
        })
        isAccepted = true
        if (response.quota) heldBack.push({ type: 'quota', quota: response.quota })
        const choiceCount = operation.choiceCount(body)
        // The text of a completion is whatever the model writes.
        const hasTools = body.messages === undefined ? undefined : offersTools(body)
        const options = { withChunks, keepsJson, choiceCount, hasTools, budget: this.budget }
        for await (const deltas of readAnswer(response, operation.createAccumulator, options)) {
          hasStarted ||= deltas.some(isContent)
          this.hasAnswered ||= hasStarted
          if (!hasStarted) {
            append(heldBack, deltas)
            for (const delta of deltas) heldBackSize += sizeOf(delta)
            const limit = `${maxHeldBack / mebibyte} MiB`
            if (heldBackSize > maxHeldBack)
              throw new NetworkError(`the service sent more than ${limit} before the answer`)
          } else if (heldBack.length === 0) yield deltas
          else {
            yield [...heldBack, ...deltas]
            heldBack = []
          }
        }
        if (heldBack.length > 0) yield heldBack
        return
      } catch (thrown) {
        const error = this.#masked(this.#named(thrown, operation, answering, body))
        const isLost = isAccepted && error instanceof NetworkError && !(error instanceof ReportedError)
        if (hasStarted || isLost) onLost?.(hasStarted)
        // A retry would show the start twice.
        if (hasStarted) throw error
        await attempts.waitForNext(error)
      }
    }
  }

  /** @throws StatusError, NetworkError */
  async send(operation: Operation, body?: JsonObject, options: SendOptions = {}): Promise<JsonReply> {
    const attempts = this.#startAttempts(operation, options)
    for (;;) {
      try {
        const reply = await this.#sendOnce(operation, body, attempts.signal)
        this.hasAnswered = true
        return reply
      } catch (error) {
        await attempts.waitForNext(this.#masked(error))
      }
    }
  }

  /** The quota record that rode on the latest reply with one, if that is at most a minute old. */
  get recentQuota(): JsonObject | undefined {
    const { quota, received } = this.#lastQuota ?? {}
    return received !== undefined && this.#io.elapsed() - received <= maxQuotaAge ? quota : undefined
  }

  /** Aborts requests in progress, without retries. */
  async close(): Promise<void> {
    this.#closing.abort(new NetworkError('the connection was closed'))
    await this.#connection.close()
    this.#ignoreUncaught()
  }

  #startAttempts(operation: Operation, { signal: own, oneAttempt, onWait }: SendOptions): Attempts {
    const signal = own ? AbortSignal.any([this.#signal, own]) : this.#signal
    const readQuota = async (): Promise<Json> => (await this.#sendOnce(operations.quota, undefined, signal)).json
    return startAttempts({
      oneAttempt,
      retries: this.#limits.retries,
      isAnswer: 'createAccumulator' in operation,
      finalStatus: operation.finalStatus,
      maxWait: this.#limits.firstByteTimeout,
      clocks: this.#io,
      signal,
      notify: (text) => this.#notices.info(text),
      onWait,
      readQuota: operation === operations.quota ? undefined : readQuota,
    })
  }

  async #sendOnce(operation: Operation, body: JsonObject | undefined, signal: AbortSignal): Promise<JsonReply> {
    return this.#tryUrls(operation, body, async (url) => {
      const { headers, body: bytes } = await this.#requestAt(url, operation, body, signal)
      const limit = replyLimit(operation, body)
      const text = await readWhole(bytes, this.budget, limit.bytes)
      // Large replies, as of a batch, may arrive at the same time.
      await yieldIfDue(signal)
      return this.#readReply(text, limit.values, headers)
    })
  }

  #readReply(text: string, values: number, headers: JsonReply['headers']): JsonReply {
    const json = parseJsonIfValid(text, undefined, values)
    if (json === undefined) {
      throw text.trim() === ''
        ? new NetworkError('the service sent an empty reply')
        : unexpectedReply(text, 'JSON', values)
    }
    if (reportsError(json) || (isObject(json) && isComplaint(json))) throw reportedError(text)
    return { json, headers, text, exact: () => withExactNumbers(json, text) }
  }

  /**
   * Tries the operation's URLs, until one exists. A retry leaves out those that did not.
   * @throws what `send` throws, for the URL that says most.
   */
  async #tryUrls<Result>(
    operation: Operation,
    body: JsonObject | undefined,
    send: (url: string) => Promise<Result>,
  ): Promise<Result> {
    const { baseUrl } = this.#account
    const urls = likelyUrls(operation, baseUrl, this.#io)
    const left = urls.filter((url) => !this.#absentUrls.has(url))
    const failures: unknown[] = []
    for (const url of left.length > 0 ? left : urls) {
      try {
        const result = await send(url)
        if (url !== urls[0]) await rememberUrl(operation, baseUrl, url, this.#io)
        return result
      } catch (thrown) {
        const error = this.#named(thrown, operation, url, body)
        if (!mayBeAbsent(error)) throw error
        failures.push(error)
        this.#absentUrls.add(url)
      }
    }
    throw tellingFailure(failures, urls)
  }

  /** @returns also the quota record in a header. */
  async #requestAt(
    url: string,
    operation: Operation,
    body: JsonObject | undefined,
    signal: AbortSignal,
  ): Promise<HttpResponse & { readonly quota: JsonObject | undefined }> {
    const request = this.#httpRequest(url, operation, body)
    await this.#notices.debug(() => {
      const shown = (name: string, value: unknown): unknown =>
        name === 'authorization' ? `Bearer ${maskedKey}` : value
      return `> ${request.method} ${request.url.href} ${JSON.stringify(request.headers, shown)}`
    })
    const started = this.#io.elapsed()
    const response = await this.#connection.send(request, signal)
    await this.#notices.debug(() => {
      const seconds = ((this.#io.elapsed() - started) / 1000).toFixed(2)
      return `< ${response.status} after ${seconds} s ${JSON.stringify(response.headers)}`
    })
    this.#io.serviceClock.follow(response.headers)
    const quota = quotaOfHeaders(response.headers)
    if (quota) this.#lastQuota = { quota, received: this.#io.elapsed() }
    if (response.status >= 200 && response.status < 300) return { ...response, quota }
    const text = this.#secrets.mask(await readMessage(response.body, response.discard))
    signal.throwIfAborted()
    throw statusFailure({
      operation,
      url,
      model: body?.model,
      ...response,
      body: text,
      sent: request.body,
      now: this.#io.serviceClock.now(),
      quota,
    })
  }

  /** An error that was sent with status 200, under the status that it names. */
  #named(error: unknown, operation: Operation, url: string, body: JsonObject | undefined): unknown {
    return reportedFailure(error, { operation, url, model: body?.model, now: this.#io.serviceClock.now() })
  }

  /** An error may quote the reply or a header, such as `Location`, and conversations and `syn batch` store its message. */
  #masked(error: unknown): unknown {
    if (!(error instanceof NetworkError || error instanceof StatusError)) return error
    const message = this.#secrets.mask(error.message)
    return message === error.message ? error : withMessage(error, message)
  }

  /** Cached: parsing a URL takes as long as writing a short request, and a run has few URLs. */
  #parse(url: string): URL {
    let parsed = this.#parsedUrls.get(url)
    if (!parsed) this.#parsedUrls.set(url, (parsed = new URL(url)))
    return parsed
  }

  #httpRequest(url: string, operation: Operation, body: JsonObject | undefined): HttpRequest {
    const isStream = body?.stream === true
    const { key } = this.#account
    return {
      method: operation.method,
      url: this.#parse(url),
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        'user-agent': `syn/${packageVersion()}`,
        accept: isStream ? 'text/event-stream, application/json' : 'application/json',
        // Compression could delay parts of a stream.
        'accept-encoding': isStream ? 'identity' : 'gzip, deflate, br',
        ...(body && { 'content-type': 'application/json' }),
        ...operation.headers,
      },
      body: body && exactJson(body),
    }
  }
}

/** In bytes: half of what a string of V8 can hold. */
const longestText = 256 * mebibyte

function replyLimit({ maxReply, maxReplyPerInput: each }: Operation, body: JsonObject | undefined): ReplySize {
  const { bytes, values } = maxReply ?? { bytes: maxKept, values: maxValues }
  const inputs = each && Array.isArray(body?.input) ? body.input.length : 0
  return {
    bytes: Math.max(bytes, Math.min(inputs * (each?.bytes ?? 0), longestText)),
    values: Math.max(values, inputs * (each?.values ?? 0)),
  }
}
