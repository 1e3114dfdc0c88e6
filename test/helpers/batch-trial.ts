/** A run of the pool in virtual time, with answers given by the test. */

import { expect } from 'vitest'
import { Pool, type PoolOptions } from '../../src/batch/sending/pool.ts'
import type { RowRequest, RowResult } from '../../src/batch/row.ts'
import type { RowReply } from '../../src/batch/sending/sender.ts'
import { reply, rowRequests } from './batch.ts'
import { virtualClock } from './virtual-clock.ts'

export const second = 1000
export const minute = 60 * second

export type Answer = (line: number, attempt: number, now: number) => Error | RowReply | undefined

interface TrialOptions extends Partial<PoolOptions> {
  readonly rows?: number
  /** Milliseconds for a request. */
  readonly duration?: (line: number) => number
}

/** @param answer A success unless it returns something else. */
export function trial(answer: Answer, { rows = 100, duration = () => second, ...options }: TrialOptions = {}) {
  const clock = virtualClock()
  const results = new Map<number, RowResult>()
  /** When each request was sent, and for which line. */
  const sent: { line: number; at: number }[] = []
  const notices: string[] = []
  const attempts = new Map<number, number>()
  const pool = new Pool({
    async send({ record: { line } }) {
      const attempt = (attempts.get(line) ?? 0) + 1
      attempts.set(line, attempt)
      sent.push({ line, at: clock.now() })
      const outcome = answer(line, attempt, clock.now())
      await clock.pause(outcome instanceof Error ? 20 : duration(line))
      if (outcome instanceof Error) throw outcome
      return outcome ?? reply(100)
    },
    onResult({ record: { line } }, result) {
      expect(results.has(line)).toBe(false)
      results.set(line, result)
    },
    notify(text) {
      notices.push(text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'TIME'))
      return Promise.resolve()
    },
    jobs: { min: 1, max: 8, start: 4 },
    retries: 3,
    clock,
    random: () => 0.5,
    signal: new AbortController().signal,
    ...options,
  })
  const run = (given = rowRequests(rows) as AsyncIterable<readonly RowRequest[]>): Promise<void> =>
    clock.runUntil(pool.run(given))
  return { clock, pool, results, notices, sent, run }
}

export function failed(results: ReadonlyMap<number, RowResult>): number[] {
  return [...results].filter(([, { error }]) => error).map(([line]) => line)
}
