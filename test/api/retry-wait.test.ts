/** The wait before a retry. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { statusFailure } from '../../src/api/failures.ts'
import { waitBefore } from '../../src/api/retry.ts'
import { NetworkError } from '../../src/errors.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'

const failure = new NetworkError('gone', { retryable: true })
const now = Date.parse('2026-08-19T20:18:11Z')

test.each([
  [0, 0.5, 500],
  [1, 0.5, 1000],
  [2, 0.5, 2000],
  [0, 0, 375],
  [0, 1, 625],
  [20, 0.5, 30_000],
])('attempt %i, with %d of the jitter, waits %i ms', (attempt, random, wait) => {
  expect(waitBefore(attempt, failure, random)).toBe(wait)
})

test('no wait is longer than 30 s plus jitter', () => {
  const property = fc.property(fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
    const wait = waitBefore(attempt, failure, random)
    expect(wait).toBeGreaterThanOrEqual(375)
    expect(wait).toBeLessThanOrEqual(37_500)
  })
  fc.assert(property)
})

test.each([
  ['seconds', '7', 7000],
  ['seconds with a fraction', '0.5', 500],
  ['none', '0', 0],
  ['an HTTP date', 'Wed, 19 Aug 2026 20:18:41 GMT', 30_000],
  ['a date that has passed', 'Wed, 19 Aug 2026 20:00:00 GMT', 0],
  ['nonsense', 'soon', undefined],
])('Retry-After in %s', (_what, header, wait) => {
  const error = statusFailure(503, { 'retry-after': header }, '', now)
  expect(error.retryAfter).toBe(wait)
  expect(waitBefore(0, error, 0.5)).toBe(wait ?? 500)
})

describe('a Retry-After longer than --timeout', () => {
  test.each([
    [
      'is not waited for',
      ['--timeout', '5'],
      '60',
      'hint: the service asks to wait 60 s; use --timeout 60 to wait that long',
    ],
    [
      'is not waited for by default either',
      [],
      '86400',
      'hint: the service asks to wait 86400 s; use --timeout 86400 to wait that long',
    ],
  ])('%s', async (_what, argv, seconds, hint) => {
    await using service = await startService(json({ error: 'Slow down' }, 429, { 'retry-after': seconds }))
    const { code, err } = await runSyn(['chat', 'hi', ...argv], { env: service.env })
    expect({ code, requests: service.asked.length }).toEqual({ code: 5, requests: 1 })
    expect(err).toBe(`syn: Slow down (429 Too Many Requests)\n${hint}\n`)
  })
})
