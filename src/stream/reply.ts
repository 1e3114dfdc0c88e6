/** Reads a reply's bytes: detects their kind, as services also reply to `stream: true` with JSON or HTML. */

import { NetworkError } from '../errors.ts'

export type ReplyKind = 'events' | 'json' | 'html'

/** The ways an event stream can start, after an optional byte order mark. A comment starts with `:`. */
const openings = ['\u00ef\u00bb\u00bf', 'data:', 'event:', 'id:', 'retry:']

/**
 * Detects the kind by the reply's first bytes, or by the content type if they are ambiguous.
 * @returns the kind, and the bytes from their start.
 */
export async function detectReplyKind(
  contentType: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<[kind: ReplyKind, body: AsyncIterable<Uint8Array>]> {
  const reads = bytes[Symbol.asyncIterator]()
  const held: Uint8Array[] = []
  let start = ''
  while (openings.some((opening) => opening.startsWith(start))) {
    const next = await reads.next()
    if (next.done) break
    held.push(next.value)
    start = (start + Buffer.from(next.value).toString('latin1')).replace(/^\u00ef\u00bb\u00bf/, '').trimStart()
  }
  return [kindOfReply(contentType.toLowerCase(), start), resume(held, reads)]
}

function kindOfReply(contentType: string, start: string): ReplyKind {
  // No line of an event stream starts like this.
  if (start.startsWith('{') || start.startsWith('[')) return 'json'
  if (start.startsWith('<')) return 'html'
  if (/^(data|event|id|retry)?:/.test(start)) return 'events'
  if (contentType.includes('html')) return 'html'
  return contentType.includes('json') ? 'json' : 'events'
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

const mebibyte = 1024 * 1024

/**
 * The whole reply as text.
 * @param maxLength In bytes.
 * @throws NetworkError for a longer reply.
 */
export async function readWhole(bytes: AsyncIterable<Uint8Array>, maxLength = 256 * mebibyte): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > maxLength) {
      throw new NetworkError(`the reply is larger than the limit of ${maxLength / mebibyte} MiB`)
    }
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
