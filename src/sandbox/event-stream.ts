/** Server-sent events, at the pace of a model. */

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '../io/json.ts'

export interface SandboxEvent {
  /** The `event:` line, which only the messages family has. */
  readonly name?: string
  readonly data: Json
  /** Whether the event took the model a moment to make. */
  readonly isToken?: boolean
}

/** What ends a stream of the chat family (section 4, note 5). */
export const streamEnd = '[DONE]'

/** Unpaced events go out in blocks of this many characters. */
const blockSize = 16 * 1024

/**
 * Writes the events until they end or the client leaves.
 * @param rate Tokens a second; 0 for as fast as the client reads.
 */
export async function sendEvents(
  response: ServerResponse,
  events: Iterable<SandboxEvent>,
  rate: number,
): Promise<void> {
  const leaving = new AbortController()
  const leave = (): void => leaving.abort()
  response.once('close', leave)
  try {
    const start = performance.now()
    let tokens = 0
    let block = ''
    for (const event of events) {
      if (leaving.signal.aborted) return
      if (event.isToken) tokens++
      // Counted from the start, since timers are too coarse to add up.
      const wait = rate > 0 && event.isToken ? start + (tokens * 1000) / rate - performance.now() : 0
      if (wait > 0 || block.length > blockSize) {
        await write(response, block, leaving.signal)
        block = ''
      }
      if (wait > 0) await sleep(wait, undefined, { signal: leaving.signal })
      block += eventText(event)
    }
    await write(response, block, leaving.signal)
    response.end()
  } catch (error) {
    if (!leaving.signal.aborted) throw error
  } finally {
    response.off('close', leave)
  }
}

async function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (text !== '' && !response.write(text)) await once(response, 'drain', { signal })
}

function eventText({ name, data }: SandboxEvent): string {
  const line = name === undefined ? '' : `event: ${name}\n`
  return `${line}data: ${data === streamEnd ? data : JSON.stringify(data)}\n\n`
}
