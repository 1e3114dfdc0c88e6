/** The bytes of a reply: what they are, as services answer `stream: true` with JSON or HTML as well, and all of them. */

import { NetworkError } from '../errors.ts'

export type ReplyKind = 'events' | 'json' | 'html'

/** What a stream can begin with, and what can stand before it. A comment is known by its first character. */
const openings = ['\u00ef\u00bb\u00bf', 'data:', 'event:', 'id:', 'retry:']

/**
 * Looks at how the reply begins, however it is cut into reads; where that says nothing, at the content type.
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
  return [kindOf(contentType.toLowerCase(), start), resume(held, reads)]
}

function kindOf(contentType: string, start: string): ReplyKind {
  // No line of a stream begins like this.
  if (start.startsWith('{') || start.startsWith('[')) return 'json'
  if (start.startsWith('<')) return 'html'
  if (/^(data|event|id|retry)?:/.test(start)) return 'events'
  if (contentType.includes('html')) return 'html'
  return contentType.includes('json') ? 'json' : 'events'
}

/** No generator: each read of a whole answer would pass through it. */
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
 * All of a reply, as text.
 * @param longest In bytes; 256 MiB where nothing less is known to be enough.
 * @throws NetworkError beyond that.
 */
export async function readWhole(bytes: AsyncIterable<Uint8Array>, longest = 256 * mebibyte): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > longest) {
      throw new NetworkError(`the reply is longer than ${longest / mebibyte} MiB, which is more than is taken`)
    }
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
