/** Parses bytes as server-sent events. */

import { StringDecoder } from 'node:string_decoder'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { atEnd } from '../io/at-end.ts'
import { NetworkError } from '../errors.ts'
import { HeldTogether } from './held-size.ts'

export interface ServerEvent extends EventSourceMessage {
  /** Set when the reply ended without the event's blank line: the event may be incomplete. */
  isOpen?: true
}

/** In characters. */
const maxEventLength = 16 * 1024 * 1024

/** In characters, with the line ends and names of fields. */
const maxOpenLength = maxEventLength + 1024 * 1024

/** In bytes. */
const sliceLength = 4 * 1024

/**
 * Comments are keep-alives and are skipped. The last event may lack its blank line.
 *
 * The events of a read are parsed while they are taken, a slice of the read at a time: V8 enlarges its heap by what is in use
 * at each collection, which would be the text of the whole read with all of its events.
 * @throws NetworkError, also while the events of a read are taken, for an event of over 16 Mi characters.
 */
export async function* readEvents(
  reads: AsyncIterable<Uint8Array>,
  together = new HeldTogether(),
): AsyncGenerator<Iterable<ServerEvent>, void, undefined> {
  let events: ServerEvent[] = []
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw tooLarge()
      // No fields of the standard: of llama.cpp, and of services that send an error as a line of its own.
      if (error.field === 'error') events.push({ event: 'error', data: error.value ?? '', id: undefined })
      else if (error.line?.startsWith('{')) events.push({ data: error.line, event: undefined, id: undefined })
    },
    maxBufferSize: maxEventLength,
  })
  // A streaming TextDecoder takes seven times as long on Node 20.
  const decoder = new StringDecoder('utf8')
  let hasText = false
  /** What was read since the last event, in characters. The parser does not count line ends, nor what holds each line. */
  let open = 0

  function* parse(read: Uint8Array): Generator<ServerEvent, void, undefined> {
    for (let start = 0; start < read.length; start += sliceLength) {
      const text = decoder.write(read.subarray(start, start + sliceLength))
      parser.feed(hasText ? text : text.replace(/^\ufeff/, ''))
      hasText ||= text !== ''
      if (events.length === 0) {
        open += text.length
        together.add(text.length)
        if (open > maxOpenLength) throw tooLarge()
      } else if (open > 0) {
        together.release(open)
        open = 0
      }
      for (const event of events) yield event
      events = []
    }
  }

  using _open = atEnd(() => together.release(open))
  for await (const read of reads) yield parse(read)
  parser.feed(`${decoder.end()}\n\n`)
  yield events.map((event) => ({ ...event, isOpen: true }))
}

function tooLarge(): NetworkError {
  return new NetworkError('the service sent an event larger than the limit of 16 MiB')
}
