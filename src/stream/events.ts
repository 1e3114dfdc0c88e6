/** From bytes to server-sent events, an array for each network read. */

import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { NetworkError } from '../errors.ts'

export interface ServerEvent extends EventSourceMessage {
  /** Whether the reply ended before the event did: all of it may be there, or not. */
  isOpen?: true
}

/** The longest event that is read, in characters. */
const longestEvent = 16 * 1024 * 1024

/**
 * Comments are liveness only and yield nothing. The last event may lack its blank line.
 * @throws NetworkError for an event of over 16 Mi characters.
 */
export async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent[], void, undefined> {
  let events: ServerEvent[] = []
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') {
        throw new NetworkError('the service sent an event of more than 16 MiB, which is more than is taken')
      }
    },
    maxBufferSize: longestEvent,
  })
  // A streaming decoder joins characters cut across reads, and strips the byte order mark.
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
