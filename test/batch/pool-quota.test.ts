/** What the pool does as the quota runs out and renews, in virtual time. */

import { describe, expect, test } from 'vitest'
import type { PoolOptions } from '../../src/batch/sending/pool.ts'
import type { JsonObject } from '../../src/io/json/json.ts'
import { refusal, reply, statusError } from '../helpers/batch.ts'
import { type Answer, minute, second, trial } from '../helpers/batch-trial.ts'

/** A whole renewal at a time, in milliseconds of the virtual clock. */
function spentUntil(time: number): JsonObject {
  return { subscription: { limit: 100, requests: 100, renewsAt: new Date(time).toISOString() } }
}

describe('the quota', () => {
  const readQuota = (): Promise<JsonObject> => Promise.resolve({})

  test('when a reply says that it is used up, nothing is sent until it renews', async () => {
    const renewal = 20 * minute
    const { run, results, sent, notices, pool, clock } = trial(
      (line, _attempt, now) => {
        if (now >= renewal) return undefined
        return line < 50
          ? reply(100, { subscription: { limit: 100, requests: line } })
          : reply(100, spentUntil(renewal))
      },
      { readQuota },
    )
    const waiting: unknown[] = []
    clock.startTimer(10 * minute, () => waiting.push(pool.waiting, pool.inFlight))
    await run()
    expect(results.size).toBe(100)
    expect(sent.filter(({ at }) => at > 20 * second && at < renewal)).toEqual([])
    expect(notices).toEqual([expect.stringMatching(/^the quota is used up; waiting until TIME \(in 19 min\)$/)])
    expect(waiting).toEqual(['quota used up, renews in 10 min', 0])
  })

  test('after a refusal it is requested, at most every 15 s', async () => {
    const reads: number[] = []
    const { run, results, clock } = trial((_line, _attempt, now) => (now < 5 * minute ? refusal() : undefined), {
      readQuota() {
        reads.push(clock.now())
        return Promise.resolve(clock.now() > minute && clock.now() < 5 * minute ? spentUntil(5 * minute) : {})
      },
      jobs: { min: 2, max: 2 },
    })
    await run()
    expect(results.size).toBe(100)
    expect(reads.slice(1).every((at, index) => at - (reads[index] ?? 0) >= 15 * second)).toBe(true)
    expect(reads.filter((at) => at > 90 * second && at < 5 * minute)).toEqual([])
  })

  test('a failure to request it is silent, and not repeated', async () => {
    let reads = 0
    const { run, notices } = trial(() => undefined, {
      readQuota() {
        reads++
        return Promise.reject(statusError(404))
      },
      jobs: { min: 1, max: 1 },
      rows: 200,
    })
    await run()
    expect({ reads, notices }).toEqual({ reads: 1, notices: [] })
  })

  const spentAt = (renewal: number): Answer => {
    return (line, _attempt, now) => (now < renewal && line >= 50 ? reply(100, spentUntil(renewal)) : undefined)
  }

  test.each<[what: string, renewal: number, onLimit: PoolOptions['onLimit']]>([
    ['later than in an hour', 90 * minute, undefined],
    ['soon, with --on-limit stop', 5 * minute, 'stop'],
  ])('when it renews %s, the run stops', async (_what, renewal, onLimit) => {
    const { run, results, sent } = trial(spentAt(renewal), { readQuota, onLimit })
    await expect(run()).rejects.toMatchObject({
      code: 5,
      message: expect.stringMatching(/^the quota is used up; it renews/),
    })
    expect(results.size).toBe(sent.length)
    expect(results.size).toBeLessThan(60)
  })

  test('--max-wait waits longer', async () => {
    const { run, results, clock } = trial(spentAt(30 * 60 * minute), { readQuota, maxWait: 31 * 60 * minute })
    await run()
    expect(results.size).toBe(100)
    expect(clock.now()).toBeGreaterThan(30 * 60 * minute)
  })

  test('that renews after the end of --max-wait stops the run at once, with one that would do', async () => {
    const { run, clock } = trial(spentAt(7.5 * 60 * minute), { readQuota, onLimit: 'wait', maxWait: 6 * 60 * minute })
    await expect(run()).rejects.toMatchObject({ code: 5, hint: 'use --max-wait 8h to wait for it' })
    expect(clock.now()).toBeLessThan(5 * minute)
  })

  test('--max-wait counts from the last answer: a run of which each part takes an hour is not ended', async () => {
    const hourOf = (time: number): number => Math.floor(time / (60 * minute))
    const answered = new Set<number>()
    const { run, results, clock } = trial(
      (_line, _attempt, now) => {
        const isLeft = !answered.has(hourOf(now))
        answered.add(hourOf(now))
        return isLeft ? undefined : refusal(undefined, spentUntil((hourOf(now) + 1) * 60 * minute))
      },
      { readQuota, onLimit: 'wait', maxWait: 90 * minute, rows: 5 },
    )
    await run()
    expect(results.size).toBe(5)
    expect(clock.now()).toBeGreaterThan(4 * 60 * minute)
  })

  test('that is used up by the last row does not stop the run', async () => {
    const { run, results } = trial((line) => (line === 100 ? reply(100, spentUntil(90 * minute)) : undefined), {
      readQuota,
      duration: (line) => (line === 100 ? minute : second),
    })
    await run()
    expect(results.size).toBe(100)
  })

  test('whose renewal is always just ahead is looked at ever more seldom, and said once', async () => {
    const { run, sent, notices } = trial((_line, _attempt, now) => refusal(undefined, spentUntil(now + 50)), {
      readQuota,
      maxWait: 5 * minute,
    })
    await expect(run()).rejects.toMatchObject({ code: 5 })
    expect(sent.length).toBeLessThan(30)
    expect(notices).toEqual(['the quota is used up, renewal overdue; checking at least every minute'])
  })

  test('does not matter to requests that do not count', async () => {
    const { run, results, clock } = trial(() => reply(100, spentUntil(90 * minute)))
    await run()
    expect(results.size).toBe(100)
    expect(clock.now()).toBeLessThan(minute)
  })

  test('of which the credit is used up is waited for if the record says when something comes back', async () => {
    const renewal = 20 * minute
    let reads = 0
    const { run, results, sent } = trial(
      (_line, _attempt, now) => (now >= renewal || now < second ? undefined : statusError(402)),
      {
        readQuota() {
          reads++
          const rolling = { remaining: 0.3, max: 500, limited: false, nextTickAt: new Date(renewal).toISOString() }
          return Promise.resolve({ rollingFiveHourLimit: rolling })
        },
      },
    )
    await run()
    expect(results.size).toBe(100)
    expect(reads).toBeLessThanOrEqual(2)
    expect(sent.filter(({ at }) => at > 10 * second && at < renewal)).toEqual([])
  })

  test.each<[what: string, readQuota: () => Promise<JsonObject>]>([
    ['does not say that it is', readQuota],
    ['does not say when', () => Promise.resolve({ subscription: { limit: 5, requests: 5 } })],
    ['cannot be read', () => Promise.reject(new Error('no'))],
  ])('of which the credit is used up stops the run if the record %s', async (_what, read) => {
    const { run, sent } = trial(() => statusError(402), { readQuota: read })
    await expect(run()).rejects.toMatchObject({ code: 5 })
    expect(sent.length).toBeLessThanOrEqual(4)
  })
})
