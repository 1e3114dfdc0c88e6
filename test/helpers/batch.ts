/** The start of a batch in a store, its requests, and a service in virtual time that answers them. */

import { chat } from '../../src/api/chat/operation.ts'
import { RateLimitError } from '../../src/api/failures.ts'
import type { RunRecord } from '../../src/batch/answers/line.ts'
import type { RowRequest } from '../../src/batch/row.ts'
import type { RowReply, SendRow } from '../../src/batch/sending/sender.ts'
import { StatusError } from '../../src/errors.ts'
import type { JsonObject } from '../../src/io/json/json.ts'
import { testNow } from './clock.ts'
import type { VirtualClock } from './virtual-clock.ts'

export const storedRun: RunRecord = {
  syn: '1.2.3',
  started: new Date(testNow()).toISOString(),
  settings: {},
  base_url: 'https://api.example',
  model: { requested: 'syn:large:text', stands_for: 'hf:large' },
  jobs: 4,
  damaged: 0,
}

export function rowRequest(line: number, { hasOwnModel = false } = {}): RowRequest {
  const record = { line, raw: `${line}`, value: `${line}` }
  const body = { model: 'syn:large:text', messages: [], stream: true }
  return { record, customId: `line-${line}`, operation: chat, body, hash: `${line}`, limit: Infinity, hasOwnModel }
}

/** Rows 1 to `count`, in arrays of at most 64. */
export async function* rowRequests(count: number): AsyncGenerator<RowRequest[], void, undefined> {
  for (let line = 1; line <= count; line += 64) {
    yield Array.from({ length: Math.min(64, count - line + 1) }, (_, index) => rowRequest(line + index))
  }
}

export function reply(wait = 0, quota?: JsonObject): RowReply {
  const response = { status_code: 200, body: {} }
  return { result: { response, error: null, isCutOff: false }, wait, quota }
}

export function refusal(retryAfter?: number, quota?: JsonObject): RateLimitError {
  return new RateLimitError('Too many requests', { status: 429, endpoint: 'POST /', retryAfter }, quota)
}

export function statusError(status: number): StatusError {
  return new StatusError(`the service returned ${status}`, { status, endpoint: 'POST /' })
}

export interface SimulatedService {
  readonly send: SendRow
  /** How many requests it handles at a time. */
  limit: number
  readonly active: number
  readonly answered: number
  readonly refused: number
}

export interface SimulatedOptions {
  readonly limit: number
  /** Milliseconds for one request. */
  duration(): number
  /** Whether requests above the limit wait for their turn instead of being refused. */
  readonly queues?: boolean
  /** In milliseconds, in a refusal. */
  readonly retryAfter?: number
  /** The status of a refusal (default: 429). */
  readonly status?: number
  /** Milliseconds until a refusal (default: 0). */
  readonly patience?: number
}

/** In milliseconds. */
export const roundTrip = 20

export function simulatedService(clock: VirtualClock, options: SimulatedOptions): SimulatedService {
  const { duration, queues = false, retryAfter, status = 429, patience = 0 } = options
  const waiting: (() => void)[] = []
  const service = { limit: options.limit, active: 0, answered: 0, refused: 0, send }
  async function send(): Promise<RowReply> {
    const sent = clock.now()
    await clock.pause(roundTrip)
    if (service.active >= service.limit) {
      if (!queues) {
        service.refused++
        await clock.pause(patience)
        throw status === 429 ? refusal(retryAfter) : statusError(status)
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    service.active++
    const length = duration()
    await clock.pause(length / 4)
    const wait = clock.now() - sent
    await clock.pause((length * 3) / 4)
    service.active--
    service.answered++
    if (service.active < service.limit) waiting.shift()?.()
    return reply(wait)
  }
  return service
}
