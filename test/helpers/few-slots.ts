/** A service that takes few requests at a time, and refuses others at once with status 502, as the live one does. */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../src/io/json/json.ts'
import { pause } from '../../src/io/time/time.ts'
import { chatAnswer, events, json, type Service, startService } from './service.ts'

export interface FewSlots extends Service {
  /** The prompts of the requests that it took, in order. */
  readonly taken: string[]
  readonly refused: string[]
  /** How many requests it takes at a time. */
  slots: number
  /** Milliseconds for an answer. */
  latency: number
  /** Whether requests may be answered now. @param inFlight How many are in flight. */
  until: (inFlight: number) => boolean
  /** Called when a request is taken, before its answer. */
  onTaken: (prompt: string) => void
}

export async function startFewSlots(slots: number, latency: number): Promise<FewSlots> {
  const inFlight = new Set<object>()
  const service: FewSlots = Object.assign(
    await startService(async (asked, response) => {
      if (asked.path !== '/openai/v1/chat/completions')
        return json({ error: 'API route not found' }, 404)(asked, response)
      const prompt = promptOf(asked.json)
      if (inFlight.size >= service.slots) {
        service.refused.push(prompt)
        return json({ error: 'Bad gateway' }, 502)(asked, response)
      }
      inFlight.add(asked)
      response.once('close', () => inFlight.delete(asked))
      service.taken.push(prompt)
      service.onTaken(prompt)
      await pause(service.latency)
      while (inFlight.has(asked) && !service.until(inFlight.size)) await pause(5)
      // Before the client can send the next one.
      inFlight.delete(asked)
      return events(chatAnswer([`re: ${prompt}`]))(asked, response)
    }),
    { taken: [], refused: [], slots, latency, until: () => true, onTaken: () => undefined },
  )
  return service
}

function promptOf(body: unknown): string {
  const messages = isObject(body) && Array.isArray(body.messages) ? body.messages : []
  const last = messages.at(-1)
  return isObject(last) && typeof last.content === 'string' ? last.content : ''
}

/** The paths of files of turns: `slot-` of requests in flight, `one-` and `row-` of those in line, and `count`. */
export function slotFiles(home: string, kind: 'slot-' | 'one-' | 'row-' | 'count'): string[] {
  const cache = join(home, '.cache', 'syn')
  if (!existsSync(cache)) return []
  return readdirSync(cache)
    .filter((name) => name.includes(`.${kind}`))
    .map((name) => join(cache, name))
}
