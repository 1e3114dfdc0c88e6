/** Decodes the bytes of a reply to the deltas of an answer. */

import { NetworkError, ReportedError } from '../errors.ts'
import { exactJson, withExactNumbers } from '../io/json/exact-numbers.ts'
import { isObject, type Json, type JsonObject } from '../io/json/json.ts'
import { describeInvalidJson, parseJsonIfValid } from '../io/json/parse.ts'
import { countValues } from '../io/json/scan.ts'
import type { Accumulator, AccumulatorFactory } from './accumulator.ts'
import {
  checkSize,
  kindOfReply,
  maxMessageLength,
  messageText,
  type ReplyKind,
  startOfReply,
  unexpectedReply,
} from './body-sniffing.ts'
import { ContentReader } from './content-reader.ts'
import { addDelta, type Delta } from './delta.ts'
import { EventParser, type ServerEvent } from './events.ts'
import { Progress } from './progress.ts'
import { maxHeldBack, mebibyte, ReplyBudget } from './reply-budget.ts'
import { reportsError } from './reported-error.ts'
import { isComplaint, isOverload, messageInJson, reportedError } from './service-message.ts'
import { PairJoiner } from './well-formed.ts'

export interface DecodingOptions {
  /** Whether to also yield what the service sent, as `chunk` deltas (default: no). */
  readonly withChunks?: boolean | undefined
  /** Whether to also yield the JSON that is accumulated, as a `json` delta (default: no). */
  readonly keepsJson?: boolean | undefined
  /** The number of answers requested: a stream that ends after fewer was cut short. */
  readonly choiceCount: number
  /**
   * Whether the request offers tools, whose calls are then read if the text has them (default: the text is passed on, with what
   * is reasoning in it).
   */
  readonly hasTools?: boolean | undefined
  /** What this reply shares a limit with (default: with no other). */
  readonly budget?: ReplyBudget
}

/**
 * Yields the deltas of an answer, one array per network read.
 * @param reply Its headers have names in lower case, and its body one item per network read.
 * @throws NetworkError when the reply cannot be decoded, contains an error, or ends early, after the deltas before it.
 */
export async function* readAnswer(
  { headers, body }: { headers: Readonly<Record<string, string>>; body: AsyncIterable<Uint8Array> },
  create: AccumulatorFactory,
  options: DecodingOptions,
): AsyncGenerator<Delta[], void, undefined> {
  using reply = new ReplyDecoder(headers['content-type'] ?? '', create, options)
  let broken: { readonly error: unknown } | undefined
  try {
    for await (const read of body) {
      const deltas = reply.push(read)
      if (deltas.length > 0) yield deltas
      if (reply.isDone) break
    }
  } catch (error) {
    broken = { error }
  }
  const deltas = reply.end(broken)
  if (deltas.length > 0) yield deltas
  if (reply.failure) throw reply.failure.error
}

/** What a value of parsed JSON takes. With the names and texts of a usual chunk, its characters are more than that. */
const sizeOfValue = 16

/** Works without waiting: a read is one step, whatever it holds. */
class ReplyDecoder implements Disposable {
  /** What ended the answer. Deltas that came before it, also in the same read, are part of the answer. */
  failure: { readonly error: unknown } | undefined
  /** Whether nothing that follows belongs to the answer. */
  isDone = false
  readonly #contentType: string
  readonly #create: AccumulatorFactory
  readonly #options: DecodingOptions
  readonly #budget: ReplyBudget
  readonly #events: EventParser
  #accumulator: Accumulator
  #progress: Progress
  #content: ContentReader | undefined
  /** The JSON of the accumulator, once there is any. */
  #kept: { size: number; build(): JsonObject } | undefined
  readonly #pairs = new PairJoiner()
  #kind: ReplyKind | undefined
  /** What decides the kind. */
  #start = ''
  /** What was read, until the kind is known, and of a reply that is no event stream until its end. */
  #reads: Uint8Array[] = []
  #size = 0
  /** The deltas of the current read. */
  #deltas: Delta[] = []
  /** A chunk that is nothing of an answer, and has a message: if no whole answer comes, it says why. */
  #complaint: string | undefined

  constructor(contentType: string, create: AccumulatorFactory, options: DecodingOptions) {
    this.#contentType = contentType
    this.#create = create
    this.#options = options
    this.#budget = options.budget ?? new ReplyBudget()
    this.#events = new EventParser((event) => this.#takeEvent(event), this.#budget)
    this.#accumulator = create(options.keepsJson ?? false)
    this.#progress = new Progress(options.choiceCount)
    this.#content = this.#newContent()
  }

  push(read: Uint8Array): Delta[] {
    return this.#attempt(() => {
      if (this.#kind === 'events') this.#events.push(read)
      else this.#keep(read)
    })
  }

  /**
   * The reply has ended, or nothing more of it is read.
   * @param broken Why the connection failed. After the last finish reason, the answer is complete all the same; and what has
   *   arrived of a web page says more than that the rest is missing.
   */
  end(broken?: { readonly error: unknown }): Delta[] {
    if (this.failure) return []
    return this.#attempt(() => {
      if (!broken && this.#kind === undefined) this.#setKind(kindOfReply(this.#contentType, this.#start, true))
      const isStream = this.#kind === 'events'
      if (isStream && !this.isDone) this.#events.end()
      this.#takeRest()
      if (broken && !this.#isPage) {
        if (!(broken.error instanceof NetworkError && this.#progress.hasAll)) throw broken.error
      } else if (isStream) this.#checkEnd()
      else this.#takeWhole()
      this.#progress.checkCalls()
    }, true)
  }

  [Symbol.dispose](): void {
    this.#events.release()
    this.#budget.release(this.#size)
  }

  #attempt(work: () => void, isEnd = false): Delta[] {
    try {
      work()
    } catch (error) {
      this.failure = { error }
      this.isDone = true
      this.#takeRest()
    }
    const deltas = this.#pairs.join(this.#deltas, isEnd || this.failure !== undefined)
    this.#deltas = []
    return deltas
  }

  #keep(read: Uint8Array): void {
    this.#reads.push(read)
    this.#size += read.length
    this.#budget.add(read.length)
    if (this.#kind === undefined) {
      this.#start = startOfReply(this.#start + Buffer.from(read).toString('latin1'))
      this.#setKind(kindOfReply(this.#contentType, this.#start))
    }
    if (this.#kind === undefined && this.#size > maxHeldBack) {
      const limit = `${maxHeldBack / mebibyte} MiB`
      throw new NetworkError(`the service sent more than ${limit} of white space instead of an answer`)
    }
    if (this.#kind === 'json') checkSize(this.#size)
    if (this.#isPage && this.#size >= maxMessageLength) this.#takeWhole()
  }

  get #isPage(): boolean {
    return this.#kind === 'html' || this.#kind === 'text'
  }

  #setKind(kind: ReplyKind | undefined): void {
    this.#kind = kind
    if (kind === 'events') this.#events.push(this.#whole())
  }

  /** What was read so far, which is kept no longer. */
  #whole(): Uint8Array {
    const bytes = Buffer.concat(this.#reads)
    this.#reads = []
    this.#budget.release(this.#size)
    this.#size = 0
    return bytes
  }

  #takeWhole(): void {
    const bytes = this.#whole()
    if (this.#kind !== 'json') throw unexpectedReply(messageText(bytes), 'an answer')
    const text = new TextDecoder().decode(bytes)
    const json = checkChunk(parseJsonIfValid(text), text)
    const exact = (): JsonObject => withExactNumbers(json, text)
    const deltas = this.#accumulator.addWhole(json, exact)
    if (!deltas.some((delta) => delta.type === 'end')) throw noAnswer(text)
    if (this.#options.withChunks) this.#passOn(text, exact)
    if (this.#options.keepsJson) this.#keepJson(text, exact)
    this.#take(deltas)
  }

  #takeEvent(event: ServerEvent): void {
    if (this.isDone) return
    if (event.data.trim() === '[DONE]') {
      // In dialects with an end event of their own, a stray [DONE] may come in the middle.
      this.isDone = !this.#accumulator.isLast || this.#progress.hasAll
      return
    }
    const chunk = readChunk(event, this.#accumulator)
    if (!chunk) return
    const exact = (): JsonObject => withExactNumbers(chunk, event.data)
    if (this.#options.withChunks) this.#passOn(event.data, () => completed(exact(), event.event, this.#accumulator))
    if (this.#accumulator.startsAnother(chunk)) this.#restart()
    if (this.#options.keepsJson) this.#keepJson(event.data)
    const deltas = this.#accumulator.add(chunk, exact)
    if (deltas.length === 0 && isComplaint(chunk)) this.#complaint ??= event.data
    this.#take(deltas)
    this.isDone = this.#accumulator.isLast?.(chunk) ?? false
  }

  #restart(): void {
    this.#accumulator = this.#create(this.#options.keepsJson ?? false)
    this.#progress = new Progress(this.#options.choiceCount)
    this.#content = this.#newContent()
    this.#kept = undefined
    this.#deltas.push({ type: 'restart' })
  }

  /** What the service sent, in one line. */
  #passOn(text: string, json: () => JsonObject): void {
    this.#deltas.push({ type: 'chunk', text: /[\r\n]/.test(text) ? exactJson(json()) : text })
  }

  /** @param whole Makes the JSON of an answer that was not streamed. */
  #keepJson(text: string, whole?: () => JsonObject): void {
    if (!this.#kept) {
      const accumulator = this.#accumulator
      this.#kept = { size: 0, build: whole ?? (() => accumulator.build()) }
      this.#deltas.push({ type: 'json', kept: this.#kept })
    }
    this.#kept.size += Math.max(text.length, sizeOfValue * countValues(text))
  }

  /** From here on, deltas are the answer's: chunks and JSON stay the service's own, whatever they are taken for. */
  #take(deltas: readonly Delta[]): void {
    // What follows costs the same for each delta, and a read may have hundreds of events.
    this.#add(this.#content?.read(deltas) ?? deltas)
  }

  #takeRest(): void {
    this.#add(this.#content?.end() ?? [])
  }

  #add(deltas: readonly Delta[]): void {
    for (const delta of deltas) addDelta(this.#deltas, delta)
    for (const delta of deltas) this.#progress.record(delta)
  }

  #newContent(): ContentReader | undefined {
    const { hasTools } = this.#options
    return hasTools === undefined ? undefined : new ContentReader(hasTools)
  }

  /** @throws NetworkError if the stream ended before the answer did. */
  #checkEnd(): void {
    const { hasAny, hasAll, hasSomeOnly } = this.#progress
    if (this.#complaint !== undefined && !hasAll) throw reportedError(this.#complaint)
    if (this.isDone && !hasAny) throw noAnswer()
    if (this.isDone ? hasSomeOnly : !hasAll)
      throw new NetworkError('the stream ended before the answer was complete', { retryable: true })
  }
}

/** @param text The reply, which may say why. */
function noAnswer(text = ''): NetworkError {
  const message = messageInJson(parseJsonIfValid(text) ?? null)
  if (message === undefined) return new NetworkError('the reply contains no answer')
  return new ReportedError(`the reply contains no answer: ${message}`, text, isOverload(text))
}

/** An event has the log probabilities of a few tokens at most; a million values block the process for seconds. */
const maxEventValues = 131_072

/** @returns `undefined` for an event without a chunk: some services send `null`, or a comment, to keep the connection alive. */
function readChunk({ data, event, isOpen }: ServerEvent, accumulator: Accumulator): JsonObject | undefined {
  if (data === '' || data.startsWith(':')) return undefined
  if (event === 'error') throw reportedError(data)
  const value = parseJsonIfValid(data, undefined, maxEventValues)
  // An event such as `event: ping` comes to keep the connection alive.
  if (value === undefined && event !== undefined && !/^\s*[{[]/.test(data)) return undefined
  // Cut off by the end of the reply: what counts is whether the answer was complete before.
  if (value === undefined ? isOpen : !isObject(value) && !reportsError(value)) return undefined
  return completed(checkChunk(value, data, maxEventValues), event, accumulator)
}

function completed(chunk: JsonObject, event: string | undefined, accumulator: Accumulator): JsonObject {
  return event === undefined ? chunk : (accumulator.completeChunk?.(chunk, event) ?? chunk)
}

/** @throws NetworkError for anything but a JSON object, and for an error sent with HTTP status 200. */
function checkChunk(json: Json | undefined, text: string, values?: number): JsonObject {
  if (json === undefined) {
    if (text.trim() === '') throw noAnswer()
    throw new NetworkError(`the service sent ${describeInvalidJson(text, undefined, values)}`)
  }
  if (reportsError(json)) throw reportedError(text)
  if (!isObject(json)) throw new NetworkError(`the service sent ${text.slice(0, 200)} instead of a JSON object`)
  return json
}
