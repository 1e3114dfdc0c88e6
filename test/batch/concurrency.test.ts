/** How fast a run is against services with limits, in virtual time: ratios to the best that the service can give. */

import { describe, expect, test } from 'vitest'
import { autoJobs } from '../../src/fields/notations.ts'
import { Pool } from '../../src/batch/sending/pool.ts'
import {
  roundTrip,
  rowRequests,
  simulatedService,
  type SimulatedOptions,
  type SimulatedService,
} from '../helpers/batch.ts'
import { seededRandom } from '../helpers/seed.ts'
import { virtualClock } from '../helpers/virtual-clock.ts'

const second = 1000
const minute = 60 * second

interface Limits extends Omit<SimulatedOptions, 'duration'> {
  /** Milliseconds for one request; each takes from half of it to one and a half. */
  readonly mean: number
  /** Default: more than there is time for. */
  readonly rows?: number
}

interface Simulation {
  readonly service: SimulatedService
  readonly pool: Pool
  /** Lets time pass. @returns the share of what the service could answer at the best fixed number of requests. */
  pass(length: number): Promise<number>
  finish(): Promise<void>
  /** Rows that succeeded. */
  readonly succeeded: () => number
  /** Resolves when all rows have ended. */
  end(): Promise<void>
}

function simulate({ mean, rows = 1_000_000, ...limits }: Limits): Simulation {
  const clock = virtualClock()
  const random = seededRandom()
  const service = simulatedService(clock, { ...limits, duration: () => mean * (0.5 + random()) })
  let succeeded = 0
  const pool = new Pool({
    send: service.send,
    onResult: (_request, { error }) => void (error ?? succeeded++),
    notify: () => Promise.resolve(),
    jobs: autoJobs,
    retries: 3,
    clock,
    random,
    signal: new AbortController().signal,
  })
  const run = pool.run(rowRequests(rows))
  return {
    service,
    pool,
    async pass(length) {
      const before = service.answered
      await clock.runUntil(clock.pause(length))
      return (service.answered - before) / ((service.limit * length) / (mean + roundTrip))
    },
    async finish() {
      pool.drain()
      await clock.runUntil(run)
    },
    succeeded: () => succeeded,
    end: () => clock.runUntil(run),
  }
}

describe('in ten minutes, or the time of 300 requests, at least 0.85 of the best fixed number of requests is answered by a service', () => {
  test.each<[what: string, limits: Limits]>([
    ['that refuses more than 3 at a time', { limit: 3, mean: 3 * second }],
    ['that refuses more than 32, slow', { limit: 32, mean: 8 * second }],
    ['that says when to retry', { limit: 32, retryAfter: 5 * second, mean: 3 * second }],
    ['that lets more than 32 wait', { limit: 32, queues: true, mean: 3 * second }],
    ['that has no limit', { limit: autoJobs.max, mean: 3 * second }],
  ])('%s', async (_what, limits) => {
    const { pass, finish } = simulate(limits)
    expect(await pass(Math.min(10 * minute, 300 * limits.mean))).toBeGreaterThan(0.85)
    await finish()
  })
})

test('within 30 s of a service halving its limit, the run is at the new one', async () => {
  const { service, pool, pass, finish } = simulate({ limit: 32, mean: 3 * second })
  await pass(5 * minute)
  service.limit = 16
  await pass(30 * second)
  expect(pool.limit).toBeLessThanOrEqual(16)
  expect(pool.limit).toBeGreaterThan(8)
  const { refused } = service
  expect(await pass(minute)).toBeGreaterThan(0.8)
  expect(service.refused - refused).toBeLessThan(service.answered / 100)
  await finish()
})

test('a limit that the service raises is found', async () => {
  const { service, pass, finish } = simulate({ limit: 8, mean: second })
  await pass(5 * minute)
  service.limit = 32
  await pass(10 * minute)
  expect(await pass(minute)).toBeGreaterThan(0.9)
  await finish()
})

describe('a service that takes one request at a time', () => {
  const refusals: [how: string, limits: Omit<Limits, 'mean'>][] = [
    ['refuses others at once with 502', { limit: 1, status: 502 }],
    ['refuses others with 502 after a minute', { limit: 1, status: 502, patience: minute }],
  ]

  test('40 rows succeed', async () => {
    const { service, succeeded, end } = simulate({ limit: 1, status: 502, mean: 60, rows: 40 })
    await end()
    expect(succeeded()).toBe(40)
    expect(service.refused).toBeLessThanOrEqual(6)
  })

  test.each(refusals)('and %s: it is hardly ever refused in six hours', async (_how, limits) => {
    const { service, pass, finish } = simulate({ ...limits, mean: 5 * second })
    expect(await pass(60 * minute)).toBeGreaterThan(0.85)
    await pass(5 * 60 * minute)
    expect(service.refused).toBeLessThanOrEqual(20)
    await finish()
  })
})
