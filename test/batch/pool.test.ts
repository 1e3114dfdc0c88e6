/** What the pool sends, when again, and when no more, in virtual time. */

import { describe, expect, test } from 'vitest'
import type { RowRequest } from '../../src/batch/row.ts'
import { CutShortError, FailedError, NetworkError, TimeoutError } from '../../src/errors.ts'
import { refusal, rowRequest, statusError } from '../helpers/batch.ts'
import { seededRandom } from '../helpers/seed.ts'
import { failed, minute, second, trial } from '../helpers/batch-trial.ts'

test('every row is sent once, and a slow one holds up no other', async () => {
  const { clock, results, run, sent } = trial(() => undefined, {
    duration: (line) => (line === 1 ? 10 * minute : second),
  })
  await run()
  expect(results.size).toBe(100)
  expect(sent).toHaveLength(100)
  expect([...results.keys()].at(-1)).toBe(1)
  expect(clock.now()).toBe(10 * minute)
})

test('no more than the limit is sent while results are not taken', async () => {
  let takeAll = (): void => undefined
  const taken = new Promise<void>((resolve) => (takeAll = resolve))
  const { clock, run, sent } = trial(() => undefined, { onResult: () => taken, jobs: { min: 8, max: 8 } })
  clock.startTimer(minute, () => {
    expect(sent).toHaveLength(8)
    takeAll()
  })
  await run()
  expect(sent).toHaveLength(100)
})

test('--rpm spaces the requests', async () => {
  const { run, sent } = trial(() => undefined, { rpm: 120, rows: 50 })
  await run()
  const gaps = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(500)
  expect(Math.max(...gaps)).toBeLessThanOrEqual(501)
})

describe('refusals', () => {
  test('do not count against a row, and other rows are sent meanwhile', async () => {
    const { run, results, sent } = trial((line, attempt) => (line % 3 === 0 && attempt <= 6 ? refusal() : undefined), {
      retries: 0,
    })
    await run()
    expect(failed(results)).toEqual([])
    expect(results.get(3)?.attempts).toBe(7)
    expect(results.get(4)?.attempts).toBe(1)
    expect(sent).toHaveLength(100 + 33 * 6)
  })

  test('of the last row, while others were answered, end with its failure', async () => {
    const { run, results } = trial((line) => (line === 3 ? refusal() : undefined), { retries: 0 })
    await run()
    expect(failed(results)).toEqual([3])
    expect(results.get(3)?.error?.code).toBe('http_429')
  })

  test('of all rows are waited out, however few they are', async () => {
    const refusing = (_line: number, _attempt: number, now: number) => (now < 10 * minute ? refusal() : undefined)
    const { run, results, notices } = trial(refusing, { rows: 3 })
    await run()
    expect(failed(results)).toEqual([])
    expect(notices).toEqual(['rate limit reached; next try in 2.0 s'])
  })

  test('with Retry-After are sent again after it', async () => {
    const refusing = (line: number, attempt: number) => (line === 2 && attempt === 1 ? refusal(30 * second) : undefined)
    const { run, sent, notices } = trial(refusing, { rows: 4 })
    await run()
    expect(notices).toEqual(['rate limit reached; next try in 30 s'])
    expect(sent.filter(({ line }) => line === 2).map(({ at }) => at)).toEqual([0, 30_320])
  })
})

describe('a storm, in which every request is refused for 5 s', () => {
  test.each([
    ['at the start', { min: 1, max: 64 }, 0],
    ['with --jobs 32', { min: 32, max: 32 }, 0],
    ['in between, with --jobs 16', { min: 16, max: 16 }, 2 * second],
  ])('%s, is probed by one row at a time', async (_what, jobs, start) => {
    const isStorm = (now: number): boolean => now >= start && now < start + 5 * second
    const refusing = (_line: number, _attempt: number, now: number) => (isStorm(now) ? refusal() : undefined)
    const { run, results, sent, clock } = trial(refusing, { rows: 300, jobs })
    await run()
    expect(failed(results)).toEqual([])
    expect(sent.length - 300).toBeLessThanOrEqual(40)
    expect(clock.now()).toBeLessThan(40 * second)
  })
})

test.each([5, 20, 100])('20 requests a second, as of nginx, that take %d ms are hardly exceeded', async (duration) => {
  let last = -second
  const limited = (_line: number, _attempt: number, now: number) => {
    if (now - last < 50) return refusal()
    last = now
    return undefined
  }
  const { run, results, sent } = trial(limited, { rows: 300, jobs: { min: 1, max: 64 }, duration: () => duration })
  await run()
  expect(failed(results)).toEqual([])
  expect(sent.length).toBeLessThanOrEqual(330)
})

describe('status 502', () => {
  const refuse = (): Error => statusError(502)

  test('while other requests are in flight is a refusal: it does not count against the row', async () => {
    const { run, results, sent } = trial((line, attempt) => (line % 200 === 5 && attempt <= 2 ? refuse() : undefined), {
      retries: 0,
      rows: 600,
      jobs: { min: 1, max: 8, start: 8 },
    })
    await run()
    expect(failed(results)).toEqual([])
    expect(results.get(5)?.attempts).toBe(3)
    expect(sent).toHaveLength(600 + 3 * 2)
  })

  test.each([
    ['alone', { min: 1, max: 1 }],
    ['with --jobs 8', { min: 8, max: 8 }],
  ])('%s is a fault', async (_what, jobs) => {
    const { run, results } = trial((line) => (line === 5 ? refuse() : undefined), { jobs })
    await run()
    expect(failed(results)).toEqual([5])
    expect(results.get(5)?.attempts).toBe(4)
  })

  test('of one row in a hundred at random does not slow the others down', async () => {
    const random = seededRandom()
    const { run, results, clock } = trial(() => (random() < 0.01 ? refuse() : undefined), {
      rows: 20_000,
      jobs: { min: 1, max: 64 },
    })
    await run()
    expect(failed(results)).toEqual([])
    expect(clock.now()).toBeLessThan(9 * minute)
  })
})

describe('faults', () => {
  test.each<[what: string, error: Error, code: string]>([
    ['a status of the service', statusError(500), 'http_500'],
    ['a timeout', new TimeoutError('no data for 120 s'), 'timeout'],
    ['an incomplete answer', new CutShortError('the answer was cut short'), 'cut_short'],
  ])('%s is retried, then the row fails', async (_what, error, code) => {
    const { run, results } = trial((line) => (line === 5 || line === 100 ? error : undefined))
    await run()
    expect(failed(results)).toEqual([5, 100])
    const expected = { attempts: 4, response: null, error: { code, message: error.message }, isCutOff: false }
    expect(results.get(5)).toEqual(expected)
    expect(results.get(100)).toEqual(expected)
  })

  test('a row with an error of its own fails at once', async () => {
    const { run, results } = trial((line) => (line === 5 ? statusError(400) : undefined))
    await run()
    expect(results.get(5)).toMatchObject({ attempts: 1, error: { code: 'http_400' } })
    expect(failed(results)).toEqual([5])
  })

  test('a service that dies for a minute costs no row', async () => {
    const isDown = (now: number): boolean => now >= 10 * second && now < 70 * second
    const { run, results, sent, notices, clock, pool } = trial(
      (_line, _attempt, now) => (isDown(now) ? statusError(503) : undefined),
      { rows: 1000 },
    )
    const inOutage: unknown[] = []
    clock.startTimer(60 * second, () => inOutage.push(pool.waiting, pool.inFlight <= 1))
    await run()
    expect(results.size).toBe(1000)
    expect(failed(results)).toEqual([])
    expect(sent.filter(({ at }) => isDown(at)).length).toBeLessThan(30)
    expect(notices).toEqual(['service unavailable: the service returned 503; probing', 'service available again'])
    // Probes are at most 30 s apart.
    expect(Math.min(...sent.filter(({ at }) => at >= 70 * second).map(({ at }) => at))).toBeLessThan(105 * second)
    expect(inOutage).toEqual([expect.stringMatching(/^service unavailable, next try in \d+(\.\d)? s$/), true])
  })

  test('a reply to what was sent before an outage does not end it', async () => {
    const isDown = (now: number): boolean => now >= 10 * second && now < 70 * second
    const { run, notices } = trial((_line, _attempt, now) => (isDown(now) ? statusError(500) : undefined), {
      duration: (line) => (line === 20 ? 30 * second : second),
    })
    await run()
    expect(notices).toEqual(['service unavailable: the service returned 500; probing', 'service available again'])
  })

  test('all models that fail for two minutes cost no row either', async () => {
    const isDown = (now: number): boolean => now >= 10 * second && now < 130 * second
    const { run, results, notices } = trial((_line, _attempt, now) => (isDown(now) ? statusError(529) : undefined), {
      rows: 1000,
      hasFallback: () => true,
    })
    await run()
    expect(failed(results)).toEqual([])
    expect(notices).toEqual(['service unavailable: the service returned 529; probing', 'service available again'])
  })

  test('a service that is down for ten minutes stops the run', async () => {
    const error = statusError(503)
    const { run, results, sent, clock } = trial((line) => (line > 20 ? error : undefined), { rows: 1000 })
    await expect(run()).rejects.toBe(error)
    expect(results.size).toBe(20)
    expect(clock.now()).toBeGreaterThan(10 * minute)
    expect(clock.now()).toBeLessThan(11 * minute)
    expect(sent.length).toBeLessThan(80)
  })

  test('a service that never replies stops the run as soon as a row is out of retries', async () => {
    const error = new NetworkError('could not resolve host')
    const { run, results, clock } = trial(() => error, { rows: 1000 })
    await expect(run()).rejects.toBe(error)
    expect(results.size).toBe(0)
    expect(clock.now()).toBeLessThan(10 * second)
  })
})

describe('the run stops', () => {
  test.each<[what: string, limit: string, failures: (line: number) => boolean, expected: number]>([
    ['after more failures than --max-errors', '3', (line) => line > 10, 14],
    ['at the first one', '0', (line) => line === 30, 30],
    ['at a share of the finished rows, once there are enough', '10%', (line) => line % 5 === 0, 100],
  ])('%s', async (_what, limit, isFailure, expected) => {
    const { run, results } = trial((line) => (isFailure(line) ? statusError(400) : undefined), {
      maxErrors: { text: limit, value: Number.parseInt(limit, 10), isPercent: limit.endsWith('%') },
      jobs: { min: 1, max: 1 },
      rows: 1000,
    })
    await expect(run()).rejects.toMatchObject({ code: 1, message: expect.stringContaining('the last one with') })
    expect(results.size).toBe(expected)
  })

  test('when the first 25 rows all fail, with the exit status of the failure', async () => {
    const { run, results } = trial(() => statusError(403), { jobs: { min: 1, max: 1 } })
    await expect(run()).rejects.toMatchObject({
      code: 3,
      message: 'the first 25 rows failed, the last one with: the service returned 403',
    })
    expect(results.size).toBe(25)
  })

  test('not when the rest fails', async () => {
    const { run, results } = trial((line) => (line === 1 ? undefined : statusError(400)))
    await run()
    expect(failed(results)).toHaveLength(99)
  })

  test.each([401, 404])('at status %d, after the requests in flight', async (status) => {
    const { run, results, sent } = trial((line) => (line === 20 ? statusError(status) : undefined))
    await expect(run()).rejects.toMatchObject({ status })
    expect(results.size).toBe(sent.length - 1)
    expect(results.has(20)).toBe(false)
    expect(results.size).toBeLessThan(40)
  })

  test("not at a 404 of a row's own model", async () => {
    async function* rows(): AsyncGenerator<RowRequest[], void, undefined> {
      yield await Promise.resolve([rowRequest(1, { hasOwnModel: true }), rowRequest(2)])
    }
    const { run, results } = trial((line) => (line === 1 ? statusError(404) : undefined))
    await run(rows())
    expect(failed(results)).toEqual([1])
  })

  test('at once when a result cannot be stored', async () => {
    const error = new FailedError('cannot write out.jsonl.partial: no space left on device')
    let taken = 0
    const { run, sent } = trial(() => undefined, {
      onResult() {
        if (++taken === 6) throw error
        expect(taken).toBeLessThan(6)
      },
    })
    await expect(run()).rejects.toBe(error)
    expect(sent.length).toBeLessThan(20)
  })

  test('at once when it is aborted, also while it waits', async () => {
    const controller = new AbortController()
    const { run, results, clock } = trial(() => statusError(503), { signal: controller.signal, retries: 100 })
    clock.startTimer(minute, () => controller.abort(new FailedError('stopped')))
    await expect(run()).rejects.toThrow('stopped')
    expect(clock.now()).toBe(minute)
    expect(results.size).toBe(0)
  })

  test('when it is drained: requests in flight finish, and rows that wait are left', async () => {
    const { run, results, sent, clock, pool } = trial((line) => (line === 3 ? refusal(30 * minute) : undefined))
    clock.startTimer(5500, () => pool.drain())
    await run()
    expect(clock.now()).toBeLessThanOrEqual(6500)
    expect(results.size).toBe(sent.length - 1)
    expect(pool.inFlight).toBe(0)
  })
})

test('a run that is drained when its last rows are in flight is done', async () => {
  const { run, clock, pool } = trial(() => undefined, { rows: 4, jobs: { min: 4, max: 4 } })
  clock.startTimer(500, () => pool.drain())
  await run()
  expect(pool.isDone).toBe(true)
})

test.each([
  ['as fast as possible', {}],
  ['at a rate', { rpm: 600 }],
  ['after refusals', {}, 10],
])('a clock that is set back by an hour holds nothing back: %s', async (_what, options, refused = 0) => {
  const { run, results, clock } = trial(
    (line, attempt) => (line < refused && attempt === 1 ? refusal() : undefined),
    options,
  )
  clock.startTimer(1, () => clock.set(-60 * minute))
  await run()
  expect({ rows: results.size, isFast: clock.now() < minute }).toEqual({ rows: 100, isFast: true })
})
