/** What a reply to a streaming request really is: services answer `stream: true` with JSON or HTML as well. */

export type ReplyKind = 'events' | 'json' | 'html'

/**
 * Looks at the content type, then at the first character that is not white space.
 * @returns the kind, and the bytes from their start.
 */
export async function replyKind(
  contentType: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<[kind: ReplyKind, body: AsyncIterable<Uint8Array>]> {
  if (contentType.includes('event-stream')) return ['events', bytes]
  const reads = bytes[Symbol.asyncIterator]()
  const held: Uint8Array[] = []
  let start = ''
  while (start === '') {
    const next = await reads.next()
    if (next.done) break
    held.push(next.value)
    start = Buffer.from(next.value)
      .toString('latin1')
      .replace(/^\u00ef\u00bb\u00bf/, '')
      .trimStart()
  }
  return [kindOf(contentType, start), resume(held, reads)]
}

function kindOf(contentType: string, start: string): ReplyKind {
  if (start.startsWith('{') || start.startsWith('[')) return 'json'
  if (start.startsWith('<') || contentType.includes('html')) return 'html'
  const isEvents = /^(data|event|id|retry)?:/.test(start)
  return contentType.includes('json') && !isEvents ? 'json' : 'events'
}

async function* resume(
  held: readonly Uint8Array[],
  reads: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* held
    for (let next = await reads.next(); !next.done; next = await reads.next()) yield next.value
  } finally {
    await reads.return?.()
  }
}
