/** Parses bytes as server-sent events. */

import { StringDecoder } from 'node:string_decoder'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { NetworkError } from '../errors.ts'
import type { ReplyBudget } from './reply-budget.ts'

export interface ServerEvent extends EventSourceMessage {
  /** Set when the reply ended without the event's blank line: the event may be incomplete. */
  readonly isOpen?: boolean
}

/** In characters. */
const maxEventLength = 16 * 1024 * 1024

/** In characters, with the line ends and names of fields. */
const maxOpenLength = maxEventLength + 1024 * 1024

/**
 * In bytes: a read is parsed in slices. V8 enlarges its heap by what is in use at each collection, which would be the text of the
 * whole read with all of its events.
 */
const sliceLength = 4 * 1024

/** Comments are keep-alives and are skipped. The last event may lack its blank line. */
export class EventParser {
  readonly #budget: ReplyBudget
  readonly #parser
  // A streaming TextDecoder takes seven times as long on Node 20.
  readonly #decoder = new StringDecoder('utf8')
  #hasText = false
  #isEnd = false
  /** What was read since the last event, in characters. The parser does not count line ends, nor what holds each line. */
  #open = 0
  #hasEvent = false

  /**
   * @param onEvent Called for each event as soon as it is complete. What it throws ends the parsing.
   * @param onRetry Gets the wait before the stream is resumed, in milliseconds.
   */
  constructor(onEvent: (event: ServerEvent) => void, budget: ReplyBudget, onRetry?: (delay: number) => void) {
    this.#budget = budget
    const take = (event: EventSourceMessage): void => {
      this.#hasEvent = true
      onEvent(this.#isEnd ? { ...event, isOpen: true } : event)
    }
    this.#parser = createParser({
      onEvent: take,
      onRetry,
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') throw tooLarge()
        // No fields of the standard: of llama.cpp, and of services that send an error as a line of its own.
        if (error.field === 'error') take({ event: 'error', data: error.value ?? '', id: undefined })
        else if (error.line?.startsWith('{')) take({ data: error.line, event: undefined, id: undefined })
      },
      maxBufferSize: maxEventLength,
    })
  }

  /** @throws NetworkError for an event of over 16 Mi characters. */
  push(read: Uint8Array): void {
    for (let start = 0; start < read.length; start += sliceLength) {
      const text = this.#decoder.write(read.subarray(start, start + sliceLength))
      this.#hasEvent = false
      this.#parser.feed(this.#hasText ? text : text.replace(/^\ufeff/, ''))
      this.#hasText ||= text !== ''
      if (this.#hasEvent) this.release()
      else this.#hold(text.length)
    }
  }

  end(): void {
    this.#isEnd = true
    this.#parser.feed(`${this.#decoder.end()}\n\n`)
  }

  /** Call when nothing more is parsed. */
  release(): void {
    this.#budget.release(this.#open)
    this.#open = 0
  }

  #hold(length: number): void {
    this.#open += length
    this.#budget.add(length)
    if (this.#open > maxOpenLength) throw tooLarge()
  }
}

function tooLarge(): NetworkError {
  return new NetworkError('the service sent an event larger than the limit of 16 MiB')
}
