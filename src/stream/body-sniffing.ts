/** What a reply is, as services also reply to `stream: true` with JSON or HTML, and how one that is no stream is read. */

import { defer } from '../io/defer.ts'
import { describeInvalidJson } from '../io/json/parse.ts'
import { checkBaseUrl, NetworkError } from '../errors.ts'
import { startTimer } from '../io/time/time.ts'
import { maxKept, mebibyte, type ReplyBudget } from './reply-budget.ts'
import { isOverload, isWebPage, serviceMessage } from './service-message.ts'

export type ReplyKind = 'events' | 'json' | 'html' | 'text'

/** The ways an event stream can start, after an optional byte order mark. A comment starts with `:`. */
const openings = ['\u00ef\u00bb\u00bf', 'data:', 'event:', 'id:', 'retry:']

const eventLine = /^(data|event|id|retry)?:/
const anyEventLine = new RegExp(eventLine, 'm')

/** How far an event stream is searched for its first known line, in characters: it may start with unknown fields. */
const maxSearched = 4096

/** What of the start of a reply decides its kind. @param text One character per byte. */
export function startOfReply(text: string): string {
  return text.replace(/^\u00ef\u00bb\u00bf/, '').trimStart()
}

/**
 * The kind of a reply by its first bytes, or by the content type if they are ambiguous.
 * @param start As from `startOfReply`.
 * @returns `undefined` as long as what follows may decide; not at the end of the reply.
 */
export function kindOfReply(contentType: string, start: string, isEnd = false): ReplyKind | undefined {
  const type = contentType.toLowerCase()
  const isOpen = start.length < maxSearched && isOnlyDeclared(type, start)
  if (!isEnd && (isOpen || openings.some((opening) => opening.startsWith(start)))) return undefined
  // No line of an event stream starts like this.
  if (start.startsWith('{') || start.startsWith('[')) return 'json'
  if (start.startsWith('<')) return 'html'
  if (eventLine.test(start)) return 'events'
  if (type.includes('html')) return 'html'
  if (type.includes('json')) return 'json'
  return start === '' || (type.includes('event-stream') && !isOnlyDeclared(type, start)) ? 'events' : 'text'
}

/** Whether only the content type says that this is an event stream. */
function isOnlyDeclared(type: string, start: string): boolean {
  return type.includes('event-stream') && !/^[{[<]/.test(start) && !anyEventLine.test(start)
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

/** The whole reply as text. @param maxLength In bytes. @throws NetworkError for a longer reply. */
export async function readWhole(
  bytes: AsyncIterable<Uint8Array>,
  budget: ReplyBudget,
  maxLength = maxKept,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  using _held = defer(() => budget.release(length))
  for await (const chunk of bytes) {
    length += chunk.length
    budget.add(chunk.length)
    checkSize(length, maxLength)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** @param size In bytes, like the limit. @throws NetworkError for a larger reply. */
export function checkSize(size: number, limit = maxKept): void {
  if (size > limit) throw new NetworkError(`the reply is larger than the limit of ${limit / mebibyte} MiB`)
}

/** In bytes. A message is shorter; a page may be longer. */
export const maxMessageLength = 64 * 1024

/** In milliseconds. */
const maxMessageTime = 10_000

/** The start of a reply that is only quoted in an error. Never throws. @param stop Called to end the request after 10 s. */
export async function readMessage(bytes: AsyncIterable<Uint8Array>, stop: () => void): Promise<string> {
  const timer = startTimer(maxMessageTime, stop)
  using _timer = defer(() => clearTimeout(timer))
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
  return messageText(Buffer.concat(chunks))
}

/** The start of a reply that is only quoted in an error. */
export function messageText(bytes: Uint8Array): string {
  // `stream`: without a replacement character for a character that was cut off.
  return new TextDecoder().decode(bytes.subarray(0, maxMessageLength), { stream: true })
}
