/** Sends server-sent events, optionally at the speed of a model. */

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { pause } from '../io/time/timer.ts'

export interface SandboxEvent {
  /** For the `event:` line, which only the messages family has. */
  readonly name?: string
  /** JSON text, or `streamEnd`. */
  readonly data: string
  /** Whether the event counts as a token for pacing. */
  readonly isToken?: boolean
}

/** Ends a stream of the chat family (section 4, note 5). */
export const streamEnd = '[DONE]'

/** In characters. Events without pacing are written in blocks. */
const blockSize = 64 * 1024

/**
 * Writes the events until they end or the client disconnects.
 * @param rate Tokens per second; 0 for no delay.
 */
export async function sendEvents(
  response: ServerResponse,
  events: Iterable<SandboxEvent>,
  rate: number,
): Promise<void> {
  const disconnect = new AbortController()
  const onClose = (): void => disconnect.abort()
  response.once('close', onClose)
  try {
    const start = performance.now()
    let tokens = 0
    let block = ''
    for (const event of events) {
      if (disconnect.signal.aborted) return
      if (event.isToken) tokens++
      // Relative to the start: the errors of coarse timers would add up.
      const wait = rate > 0 && event.isToken ? start + (tokens * 1000) / rate - performance.now() : 0
      if (wait > 0 || block.length > blockSize) {
        await write(response, block, disconnect.signal)
        block = ''
      }
      if (wait > 0) await pause(wait, { signal: disconnect.signal })
      block += eventText(event)
    }
    // Together with the last block, so that a short answer is a single write.
    response.end(block)
  } catch (error) {
    if (!disconnect.signal.aborted) throw error
  } finally {
    response.off('close', onClose)
  }
}

async function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (text !== '' && !response.write(text)) await once(response, 'drain', { signal })
}

function eventText({ name, data }: SandboxEvent): string {
  const line = name === undefined ? '' : `event: ${name}\n`
  return `${line}data: ${data}\n\n`
}
