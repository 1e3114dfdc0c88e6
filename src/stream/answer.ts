/** Decodes a reply's bytes to the deltas of an answer, one array per network read. */

import { NetworkError, ReportedError } from '../errors.ts'
import {
  describeInvalidJson,
  isObject,
  parseJsonIfValid,
  withExactNumbers,
  type Json,
  type JsonObject,
} from '../io/json/json.ts'
import { detectReplyKind, readMessage, readWhole, unexpectedReply } from './reply.ts'
import { addDelta, isContent, type Delta } from './delta.ts'
import { readEvents, type ServerEvent } from './events.ts'
import { finishKind } from './finish-reason.ts'
import { type HeldTogether, maxWhole, mebibyte, sizeOf } from './held-size.ts'
import { reportsError } from './reported-error.ts'
import { isComplaint, isOverload, messageInJson, serviceMessage } from './service-message.ts'

/** Decodes what the service sends to deltas; may keep state between calls. */
export interface Decoder {
  /** The deltas of one streamed event. */
  decodeChunk(chunk: JsonObject): Delta[]
  /** The deltas of an answer that was not streamed. */
  decodeWhole(answer: JsonObject): Delta[]
  /** Adds to a chunk the type that only the event's name gives. */
  completeChunk?(chunk: JsonObject, event: string): JsonObject
  /** Whether a chunk ends the stream, in families that do not end it with `[DONE]`. */
  isLast?(chunk: JsonObject): boolean
}

export interface AnswerOptions {
  /** Whether to also yield what the service sent, as `chunk` deltas. */
  readonly withChunks: boolean
  /** The number of answers requested: a stream that ends after fewer was cut short. */
  readonly choiceCount: number
  /** What this reply shares a limit with (default: with no other). */
  readonly together?: HeldTogether
}

/**
 * @returns the deltas, one array per network read.
 * @throws NetworkError, also while they are read, when the reply cannot be decoded, contains an error, or ends early.
 */
export async function readAnswer(
  contentType: string,
  bytes: AsyncIterable<Uint8Array>,
  decoder: Decoder,
  options: AnswerOptions,
): Promise<AsyncIterable<Delta[]> | Iterable<Delta[]>> {
  const [kind, body] = await detectReplyKind(contentType, bytes)
  if (kind === 'html' || kind === 'text') {
    throw unexpectedReply(await readMessage(body), 'an answer')
  }
  if (kind === 'json') {
    const reply = await readWhole(body, options.together)
    return decodeWhole(reply, checkChunk(parseJsonIfValid(reply), reply), decoder, options)
  }
  return decodeEvents(readEvents(body, options.together), decoder, options)
}

function* decodeWhole(
  text: string,
  json: JsonObject,
  decoder: Decoder,
  { withChunks, choiceCount }: AnswerOptions,
): Generator<Delta[], void, undefined> {
  const deltas = decoder.decodeWhole(json)
  if (!deltas.some((delta) => delta.type === 'end')) throw noAnswer(text)
  yield withChunks ? [{ type: 'chunk', text, json: withExactNumbers(json, text), isWhole: true }, ...deltas] : deltas
  const progress = new Progress(choiceCount)
  for (const delta of deltas) progress.record(delta)
}

/** @param text The reply, which may say why. */
function noAnswer(text = ''): NetworkError {
  const message = messageInJson(parseJsonIfValid(text) ?? null)
  if (message === undefined) return new NetworkError('the reply contains no answer')
  return new ReportedError(`the reply contains no answer: ${message}`, text, isOverload(text))
}

async function* decodeEvents(
  reads: AsyncIterable<Iterable<ServerEvent>>,
  decoder: Decoder,
  options: AnswerOptions,
): AsyncGenerator<Delta[], void, undefined> {
  const progress = new Progress(options.choiceCount)
  /** The length of the events that the decoder keeps for itself, such as parts of a signature. */
  let keptLength = 0
  /** A chunk that is nothing of an answer, and has a message: if no answer comes, it says why. */
  let complaint: string | undefined
  try {
    for await (const events of reads) {
      const deltas: Delta[] = []
      try {
        for (const event of events) {
          if (progress.isDone) break
          if (event.data === '[DONE]') {
            // In families with an end event of their own, a stray [DONE] may come in the middle.
            progress.isDone = !decoder.isLast || progress.hasAll
            continue
          }
          const chunk = readChunk(event, decoder)
          if (!chunk) continue
          if (options.withChunks) {
            const json = completed(withExactNumbers(chunk, event.data), event.event, decoder)
            deltas.push({ type: 'chunk', text: event.data, json, isWhole: false })
          }
          const decoded = decoder.decodeChunk(chunk)
          if (decoded.length === 0 && isComplaint(chunk)) complaint ??= event.data
          keptLength += keptOf(event.data.length, decoded)
          if (keptLength > maxWhole) {
            throw new NetworkError(
              `the service sent more than ${maxWhole / mebibyte} MiB besides the text of the answer`,
            )
          }
          for (const delta of decoded) {
            // What follows costs the same for each delta, and a read may have hundreds of events.
            addDelta(deltas, delta)
            progress.record(delta)
          }
          progress.isDone = decoder.isLast?.(chunk) ?? false
        }
      } catch (error) {
        progress.hasFailed = true
        // Deltas before a failure in the same read are part of the answer.
        if (deltas.length > 0) yield deltas
        throw error
      }
      if (deltas.length > 0) yield deltas
      if (progress.isDone) break
    }
  } catch (error) {
    // When the connection fails after the last finish reason, the answer is complete.
    if (progress.hasAll && error instanceof NetworkError) return
    throw error
  }
  if (complaint !== undefined && !progress.hasAny) throw reportedError(complaint)
  if (progress.isDone && !progress.hasAny) throw noAnswer()
  if (progress.isDone) return
  if (!progress.hasAll) throw new NetworkError('the stream ended before the answer was complete', { retryable: true })
}

/** An event has the log probabilities of a few tokens at most; a million values block the process for seconds. */
const maxEventValues = 131_072

/** @returns `undefined` for an event without a chunk: some services send `null` to keep the connection alive. */
function readChunk({ data, event, isOpen }: ServerEvent, decoder: Decoder): JsonObject | undefined {
  if (data === '') return undefined
  if (event === 'error') throw reportedError(data)
  const value = parseJsonIfValid(data, undefined, maxEventValues)
  // Such as `event: ping`, to keep the connection alive.
  if (value === undefined && event !== undefined && !/^\s*[{[]/.test(data)) return undefined
  // Cut off by the end of the reply: what counts is whether the answer was complete before.
  if (value === undefined ? isOpen : !isObject(value) && !reportsError(value)) return undefined
  return completed(checkChunk(value, data, maxEventValues), event, decoder)
}

function completed(chunk: JsonObject, event: string | undefined, decoder: Decoder): JsonObject {
  return event === undefined ? chunk : (decoder.completeChunk?.(chunk, event) ?? chunk)
}

/** Which choices have started, and which have ended. */
class Progress {
  isDone = false
  /** Whether the service sent an error, or something that cannot be decoded. */
  hasFailed = false
  readonly #count: number
  readonly #ended = new Set<number>()
  readonly #open = new Set<number>()

  constructor(count: number) {
    this.#count = count
  }

  record(delta: Delta): void {
    if (delta.type === 'end') {
      if (delta.error !== undefined) throw reportedError(delta.error)
      const reason = delta.reason === 'abort' ? '' : ` (${delta.reason})`
      if (finishKind(delta.reason) === 'failed') throw new NetworkError(`the service aborted the answer${reason}`)
      this.#open.delete(delta.index)
      this.#ended.add(delta.index)
    } else if (isContent(delta)) this.#open.add(delta.index)
  }

  get hasAny(): boolean {
    return this.#ended.size > 0 || this.#open.size > 0
  }

  get hasAll(): boolean {
    return this.#ended.size >= this.#count && this.#open.size === 0 && !this.hasFailed
  }
}

/**
 * How much of an event the decoder may have kept: what is not text, beyond what each event has. Text may be written with escapes
 * of six characters.
 */
function keptOf(length: number, deltas: readonly Delta[]): number {
  if (deltas.length === 0) return length
  const shown = deltas.reduce((sum, delta) => sum + sizeOf(delta), 0)
  return Math.max(0, length - 6 * shown - longestFrame)
}

/** In characters: of an event with the log probabilities of twenty tokens, about twice as many as it has. */
const longestFrame = 4096

/** @throws NetworkError for anything but a JSON object, and for an error sent with HTTP status 200. */
function checkChunk(json: Json | undefined, text: string, values?: number): JsonObject {
  if (json === undefined) {
    if (text.trim() === '') throw noAnswer()
    throw new NetworkError(`the service sent ${describeInvalidJson(text, text.slice(0, 200), values)}`)
  }
  if (reportsError(json)) throw reportedError(text)
  if (!isObject(json)) throw new NetworkError(`the service sent ${text.slice(0, 200)} instead of a JSON object`)
  return json
}

/** An error sent with HTTP status 200. */
export function reportedError(text: string): ReportedError {
  return new ReportedError(serviceMessage(text), text, isOverload(text))
}
