/** Reads a reply's bytes: detects their kind, as services also reply to `stream: true` with JSON or HTML. */

import { atEnd } from '../io/at-end.ts'
import { describeInvalidJson } from '../io/json/json.ts'
import { checkBaseUrl, NetworkError } from '../errors.ts'
import { startTimer } from '../io/time/timer.ts'
import { HeldTogether, maxHeldBack, maxWhole, mebibyte } from './held-size.ts'
import { isOverload, isWebPage, serviceMessage } from './service-message.ts'

export type ReplyKind = 'events' | 'json' | 'html' | 'text'

/** The ways an event stream can start, after an optional byte order mark. A comment starts with `:`. */
const openings = ['\u00ef\u00bb\u00bf', 'data:', 'event:', 'id:', 'retry:']

/** A line of an event stream. */
const eventLine = /^(data|event|id|retry)?:/
const anyEventLine = new RegExp(eventLine, 'm')

/** How far an event stream is searched for its first known line, in characters: it may start with unknown fields. */
const maxSearched = 4096

/**
 * Detects the kind by the reply's first bytes, or by the content type if they are ambiguous.
 * @returns the kind, and the bytes from their start.
 * @throws NetworkError for a reply that starts with too much white space.
 */
export async function detectReplyKind(
  contentType: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<[kind: ReplyKind, body: AsyncIterable<Uint8Array>]> {
  const type = contentType.toLowerCase()
  const reads = bytes[Symbol.asyncIterator]()
  const held: Uint8Array[] = []
  let start = ''
  let length = 0
  while (isAmbiguous(type, start)) {
    const next = await reads.next()
    if (next.done) break
    held.push(next.value)
    length += next.value.length
    if (length > maxHeldBack) {
      await reads.return?.()
      throw new NetworkError(
        `the service sent more than ${maxHeldBack / mebibyte} MiB of white space instead of an answer`,
      )
    }
    start = (start + Buffer.from(next.value).toString('latin1')).replace(/^\u00ef\u00bb\u00bf/, '').trimStart()
  }
  return [kindOfReply(type, start), resume(held, reads)]
}

function isAmbiguous(type: string, start: string): boolean {
  if (openings.some((opening) => opening.startsWith(start))) return true
  return start.length < maxSearched && isOnlyDeclared(type, start)
}

/** Whether only the content type says that this is an event stream. */
function isOnlyDeclared(type: string, start: string): boolean {
  return type.includes('event-stream') && !/^[{[<]/.test(start) && !anyEventLine.test(start)
}

function kindOfReply(type: string, start: string): ReplyKind {
  // No line of an event stream starts like this.
  if (start.startsWith('{') || start.startsWith('[')) return 'json'
  if (start.startsWith('<')) return 'html'
  if (eventLine.test(start)) return 'events'
  if (type.includes('html')) return 'html'
  if (type.includes('json')) return 'json'
  return start === '' || (type.includes('event-stream') && !isOnlyDeclared(type, start)) ? 'events' : 'text'
}

/** The reply is a web page: it comes from another server, or from another path of it. */
export class WebPageError extends NetworkError {}

/**
 * A reply that is not what was expected, with the service's words.
 * @param expected `an answer` or `JSON`
 * @param maxValues How many values JSON was allowed to have.
 */
export function unexpectedReply(text: string, expected: string, maxValues?: number): NetworkError {
  const message = serviceMessage(text)
  if (isWebPage(text)) {
    const page = message === '' ? '' : `: ${message}`
    return new WebPageError(`the service sent a web page instead of ${expected}${page}`, { hint: checkBaseUrl })
  }
  const isJson = /^\s*[{["]/.test(text)
  const what = isJson ? describeInvalidJson(text, message, maxValues) : `text instead of ${expected}: ${message}`
  return new NetworkError(`the service sent ${what}`, { retryable: isOverload(text) })
}

/** Not a generator, which would add a step to every read of the answer. */
function resume(held: Uint8Array[], reads: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  const iterator: AsyncIterator<Uint8Array> = {
    next: () => {
      const value = held.shift()
      return value === undefined ? reads.next() : Promise.resolve({ done: false, value })
    },
    return: async (value) => {
      await reads.return?.()
      return { done: true, value }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

/**
 * The whole reply as text.
 * @param maxLength In bytes.
 * @throws NetworkError for a longer reply.
 */
export async function readWhole(
  bytes: AsyncIterable<Uint8Array>,
  together = new HeldTogether(),
  maxLength = maxWhole,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  using _held = atEnd(() => together.release(length))
  for await (const chunk of bytes) {
    length += chunk.length
    together.add(chunk.length)
    if (length > maxLength) {
      throw new NetworkError(`the reply is larger than the limit of ${maxLength / mebibyte} MiB`)
    }
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** In bytes. A message is shorter; a page may be longer. */
const maxMessageLength = 64 * 1024

/** In milliseconds. */
const maxMessageTime = 10_000

/**
 * The start of a reply that is only quoted in an error: what arrives before it ends, breaks off or stalls. Never throws.
 * @param stop Called to end the request after 10 s; without it, only the timeouts of the connection count.
 */
export async function readMessage(bytes: AsyncIterable<Uint8Array>, stop?: () => void): Promise<string> {
  const timer = stop && startTimer(maxMessageTime, stop)
  using _timer = atEnd(() => clearTimeout(timer))
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of bytes) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= maxMessageLength) break
    }
  } catch {
    // What has arrived says more than that the rest is missing.
  }
  // `stream`: without a replacement character for a character that was cut off.
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxMessageLength), { stream: true })
}
