/** From a reply's bytes to the deltas of its answer, an array for each network read. */

import { NetworkError } from '../errors.ts'
import { isObject, parseJsonIfValid, type JsonObject } from '../io/json.ts'
import { readWhole, detectReplyKind } from './reply.ts'
import { isContent, type Delta } from './delta.ts'
import { readEvents, type ServerEvent } from './events.ts'
import { serviceMessage } from './service-message.ts'

/** Turns what the service sends into deltas; it may remember what it has seen. */
export interface Decoder {
  /** Deltas of one streamed event. */
  decodeChunk(chunk: JsonObject): Delta[]
  /** Deltas of a whole answer, sent unstreamed. */
  decodeWhole(answer: JsonObject): Delta[]
  /** Adds to a chunk what only the event's name says. */
  completeChunk?(chunk: JsonObject, event: string): JsonObject
  /** Whether nothing can follow a chunk, where the stream itself says so by other means than `[DONE]`. */
  isLast?(chunk: JsonObject): boolean
}

export interface AnswerOptions {
  /** Whether to yield what the service sent as well. */
  readonly withChunks: boolean
  /** How many answers were asked for: a stream that ends after fewer was cut short. */
  readonly choiceCount: number
  /** Takes the key out of whatever the service echoes. */
  readonly mask: (text: string) => string
}

/**
 * @returns the deltas, an array for each network read.
 * @throws NetworkError, also while they are read, when the reply can't be read, holds an error, or ends before the answer.
 */
export async function readAnswer(
  contentType: string,
  bytes: AsyncIterable<Uint8Array>,
  decoder: Decoder,
  options: AnswerOptions,
): Promise<AsyncIterable<Delta[]> | Iterable<Delta[]>> {
  const [kind, body] = await detectReplyKind(contentType, bytes)
  if (kind === 'html') {
    const page = serviceMessage(options.mask(await readWhole(body)))
    throw new NetworkError(`the service sent a web page instead of an answer: ${page}`)
  }
  if (kind === 'json') return decodeWhole(options.mask(await readWhole(body)), decoder, options)
  return decodeEvents(readEvents(body), decoder, options)
}

function* decodeWhole(
  text: string,
  decoder: Decoder,
  { withChunks, choiceCount }: AnswerOptions,
): Generator<Delta[], void, undefined> {
  const json = parseChunk(text)
  const deltas = decoder.decodeWhole(json)
  if (!deltas.some((delta) => delta.type === 'end')) throw noAnswer()
  yield withChunks ? [{ type: 'chunk', text, json, isWhole: true }, ...deltas] : deltas
  const progress = new Progress(choiceCount)
  for (const delta of deltas) progress.note(delta)
}

function noAnswer(): NetworkError {
  return new NetworkError('the reply holds no answer')
}

async function* decodeEvents(
  reads: AsyncIterable<ServerEvent[]>,
  decoder: Decoder,
  options: AnswerOptions,
): AsyncGenerator<Delta[], void, undefined> {
  const progress = new Progress(options.choiceCount)
  try {
    for await (const events of reads) {
      const deltas: Delta[] = []
      try {
        for (const event of events) {
          if (progress.isDone) break
          if (event.data === '[DONE]') {
            // Where the stream has an end of its own, this word may stray into the middle of it.
            progress.isDone = !decoder.isLast || progress.hasAll
            continue
          }
          const chunk = readChunk(event, decoder, options.mask)
          if (!chunk) continue
          if (options.withChunks) deltas.push({ type: 'chunk', ...chunk, isWhole: false })
          for (const delta of decoder.decodeChunk(chunk.json)) {
            deltas.push(delta)
            progress.note(delta)
          }
          progress.isDone = decoder.isLast?.(chunk.json) ?? false
        }
      } catch (error) {
        progress.hasFailed = true
        // What came before a failure in the same read is part of the answer.
        if (deltas.length > 0) yield deltas
        throw error
      }
      if (deltas.length > 0) yield deltas
      if (progress.isDone) break
    }
  } catch (error) {
    // A connection that breaks or falls silent after the last finish reason takes nothing of the answer with it.
    if (progress.hasAll && error instanceof NetworkError) return
    throw error
  }
  if (progress.isDone && !progress.hasAny) throw noAnswer()
  if (progress.isDone) return
  if (!progress.hasAll) throw new NetworkError('the answer ended before it was complete', { retryable: true })
}

/** @returns nothing for an event that holds no chunk. */
function readChunk(
  { data, event, isOpen }: ServerEvent,
  decoder: Decoder,
  mask: AnswerOptions['mask'],
): { text: string; json: JsonObject } | undefined {
  if (data === '') return undefined
  const text = mask(data)
  if (event === 'error') throw new NetworkError(serviceMessage(text), { retryable: isOverload(text) })
  // The end of the reply cut it off: what counts is whether the answer was complete before.
  if (isOpen && parseJsonIfValid(text) === undefined) return undefined
  const json = parseChunk(text)
  return { text, json: event === undefined ? json : (decoder.completeChunk?.(json, event) ?? json) }
}

/** Which choices have begun, and whether they have ended. */
class Progress {
  isDone = false
  /** Whether the service said that it failed, or sent what can't be read. */
  hasFailed = false
  readonly #count: number
  readonly #ended = new Set<number>()
  readonly #open = new Set<number>()

  constructor(count: number) {
    this.#count = count
  }

  note(delta: Delta): void {
    if (delta.type === 'end') {
      if (delta.reason === 'abort') throw new NetworkError('the service aborted the answer')
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

/** @throws NetworkError for what is no object, and for an error object that came with HTTP status 200. */
function parseChunk(text: string): JsonObject {
  if (text.trim() === '') throw noAnswer()
  const json = parseJsonIfValid(text)
  if (json === undefined) {
    throw new NetworkError(`the service sent something that is not JSON: ${text.slice(0, 200)}`)
  }
  if (!isObject(json)) throw new NetworkError(`the service sent ${text.slice(0, 200)} where an object was expected`)
  if (json.type === 'error' || (json.error !== undefined && json.error !== null)) {
    throw new NetworkError(serviceMessage(text), { retryable: isOverload(text) })
  }
  return json
}

/** Inside a stream there is no status to tell what may pass by itself; these words do. */
function isOverload(text: string): boolean {
  return /overloaded|Error from inference backend|rate.?limit/i.test(text)
}
