/** Parses bytes as server-sent events, one array per network read. */

import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { NetworkError } from '../errors.ts'

export interface ServerEvent extends EventSourceMessage {
  /** Set when the reply ended without the event's blank line: the event may be incomplete. */
  isOpen?: true
}

/** In characters. */
const maxEventLength = 16 * 1024 * 1024

/**
 * Comments are keep-alives and are skipped. The last event may lack its blank line.
 * @throws NetworkError for an event of over 16 Mi characters.
 */
export async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent[], void, undefined> {
  let events: ServerEvent[] = []
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') {
        throw new NetworkError('the service sent an event larger than the limit of 16 MiB')
      }
    },
    maxBufferSize: maxEventLength,
  })
  // A streaming decoder joins characters split across reads, and strips the byte order mark.
  const decoder = new TextDecoder()
  for await (const chunk of bytes) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    if (events.length > 0) {
      yield events
      events = []
    }
  }
  parser.feed(`${decoder.decode()}\n\n`)
  if (events.length > 0) yield events.map((event) => ({ ...event, isOpen: true }))
}
