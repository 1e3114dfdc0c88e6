/** The wait before a retry. */

import { STATUS_CODES } from 'node:http'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { statusFailure } from '../../src/api/failures.ts'
import { operations } from '../../src/api/operations.ts'
import { retryDelay } from '../../src/api/retry-policy.ts'
import { NetworkError, type StatusError } from '../../src/errors.ts'
import { durationText } from '../../src/io/time/time.ts'
import { leapingNow } from '../helpers/clock.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'
import { samples } from '../helpers/samples.ts'

const failure = new NetworkError('gone', { retryable: true })
const now = Date.parse('2026-08-19T20:18:11Z')

function failureWith(headers: Record<string, string>, status = 503, body = ''): StatusError {
  const reply = { url: 'https://api.invalid', status, model: undefined, headers, body, quota: undefined }
  return statusFailure({ operation: operations.chat, ...reply, now })
}

function limits(named: Record<string, [remaining: string, reset: string]>): Record<string, string> {
  const headers = Object.entries(named).flatMap(([name, [remaining, reset]]) => [
    [`x-ratelimit-remaining-${name}`, remaining],
    [`x-ratelimit-reset-${name}`, reset],
  ])
  return Object.fromEntries(headers) as Record<string, string>
}

test.each([
  [0, 0.5, 500],
  [1, 0.5, 1000],
  [0, 0, 375],
  [0, 1, 625],
  [20, 0.5, 30_000],
])('attempt %i, with %d of the jitter, waits %i ms', (attempt, random, wait) => {
  expect(retryDelay(attempt, failure, random)).toBe(wait)
})

test.each([
  ['seconds', '7', 7000],
  ['half a second', '0.5', 500],
  ['less than half a second', '0.499', undefined],
  ['no seconds', '0', undefined],
  ['a negative number', '-5', undefined],
  ['an exponent', '1e400', undefined],
  ['a date that has passed', 'Wed, 19 Aug 2026 20:18:10 GMT', undefined],
  ['a date that has just come', '2026-08-19T20:18:11Z', undefined],
  ['Unix time', String(now / 1000 + 30), 30_000],
  ['Unix time in milliseconds', String(now + 30_000), 30_000],
  ['Unix time that has passed', String(now / 1000 - 30), undefined],
  ['an old format', 'Wednesday, 19-Aug-26 20:18:41 GMT', 30_000],
  ['an ISO 8601 timestamp', '2026-08-19T20:18:41Z', 30_000],
  ['seconds, sent twice', '5,7', 7000],
  ['white space', ' 7 ', 7000],
  ['a negative fraction', '-0.5', undefined],
  ['a number and a word', '5, soon', undefined],
  ['a year', '2027-01', undefined],
])('Retry-After in %s', (_what, header, wait) => {
  const error = failureWith({ 'retry-after': header })
  expect(error.retryAfter).toBe(wait)
  // With jitter, which clients that wait for one renewal need.
  expect(retryDelay(0, error, 0.5)).toBe(wait === undefined ? 500 : wait * 1.01)
})

test.each([
  ['1500', '60', 1500],
  ['soon', '60', 60_000],
  ['0', undefined, undefined],
  ['0', '60', 60_000],
])('retry-after-ms of %s and Retry-After of %s', (exact, header, wait) => {
  const headers = { 'retry-after-ms': exact, ...(header !== undefined && { 'retry-after': header }) }
  expect(failureWith(headers).retryAfter).toBe(wait)
})

test.each<[what: string, headers: Record<string, string>, body: string, wait: number | undefined]>([
  ['in seconds', { 'x-ratelimit-reset': '12' }, '', 12_000],
  ['as Unix time', { 'x-ratelimit-reset': String(now / 1000 + 12) }, '', 12_000],
  ['as a duration', { 'x-ratelimit-reset-requests': '1m30.5s' }, '', 90_500],
  ['in milliseconds', { 'x-ratelimit-reset-tokens': '820ms' }, '', 820],
  ['of the limit that is reached', limits({ requests: ['0', '6m0s'], tokens: ['900', '1s'] }), '', 360_000],
  ['that comes first', limits({ requests: ['5', '6m0s'], tokens: ['900', '1s'] }), '', 1000],
  ['that is over', { 'x-ratelimit-reset': '0' }, '', undefined],
  ['beside Retry-After', { 'x-ratelimit-reset': '12', 'retry-after': '3' }, '', 3000],
  ['in words', { 'x-ratelimit-reset': 'soon' }, '', undefined],
  ["in Google's body", {}, '{"error":{"code":429,"details":[{"@type":"RetryInfo","retryDelay":"3.5s"}]}}', 3500],
])('a reset %s', (_what, headers, body, wait) => {
  expect(failureWith(headers, 429, body).retryAfter).toBe(wait)
  expect(failureWith(headers, 503, body).retryAfter).toBe('retry-after' in headers ? wait : undefined)
})

test('any Retry-After gives a wait of at least half a second, or none', () => {
  const parts = fc.constantFrom('-', '.', ',', ' ', ':', 'e', '+', 'T', 'Z', 'GMT', 'Wed', 'Aug', '0', '26', '2026')
  const property = fc.property(
    fc.oneof(
      fc.string(),
      fc.array(parts).map((all) => all.join('')),
    ),
    (header) => {
      const wait = failureWith({ 'retry-after': header }).retryAfter
      expect(wait === undefined || wait >= 500).toBe(true)
    },
  )
  fc.assert(property, samples())
})

describe('a Retry-After longer than --timeout', () => {
  test.each([
    [503, 6, ['--timeout', '5'], '5.5', 'retry after 5.5 s; use --timeout 6 to wait that long'],
    [503, 6, [], '9999.5', 'retry after 2 h 46 min; use --timeout 10000 to wait that long'],
    [429, 5, [], '90000', 'retry after 1 d 1 h'],
    [503, 6, ['--timeout', '0', '--retries', '99'], '9'.repeat(400), 'retry after more than a year'],
  ])('%i ends with %i, with %j and %s s', async (status, code, argv, seconds, hint) => {
    await using service = await startService(json({ error: 'Slow down' }, status, { 'retry-after': seconds }))
    const outcome = await runSyn(['chat', 'hi', ...argv], { env: service.env })
    expect({ code: outcome.code, requests: service.asked.length }).toEqual({ code, requests: 1 })
    expect(outcome.err).toBe(`syn: Slow down (${status} ${STATUS_CODES[status]})\nhint: the service asks to ${hint}\n`)
  })
})

describe('a failure that is not retried names the time that the service asks for', () => {
  test.each([
    [429, ['--retries', '0'], '300', 'the service asks to retry after 5 min'],
    [403, [], '90', /^check the API key, .+; the service asks to retry after 1 min 30 s$/],
    [429, ['--retries', '0'], '0', undefined],
  ])('%i with %j and %s s', async (status, argv, seconds, hint) => {
    await using service = await startService(json({ error: 'Slow down' }, status, { 'retry-after': seconds }))
    const { err } = await runSyn(['chat', 'hi', ...argv], { env: service.env })
    const found = /\nhint: (.*)\n$/.exec(err)?.[1]
    if (hint === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(hint)
    expect(service.asked.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })
})

describe('the waits together are not longer than --timeout', () => {
  test('the time that the service asks for', async () => {
    await using service = await startService(json({ error: 'Slow down' }, 503, { 'retry-after': '1' }))
    const argv = ['chat', 'hi', '--timeout', '2.5']
    const { code, err } = await runSyn(argv, { env: service.env, now: leapingNow() })
    expect({ code, requests: service.asked.length }).toEqual({ code: 6, requests: 3 })
    expect(err).toMatch(/\nhint: the service asks to retry after 1\.0 s; use --timeout 3 to wait that long\n$/)
  })

  test('the time that is doubled', async () => {
    await using service = await startService(json({ error: 'Busy' }, 503))
    // Its time without data does not pass, however long the reply takes on a busy machine.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { code, err } = await runSyn(['chat', 'hi', '--timeout', '0.3'], { env: service.env })
    expect({ code, requests: service.asked.length }).toEqual({ code: 6, requests: 1 })
    expect(err).toBe(
      'syn: Busy (503 Service Unavailable)\n' +
        'hint: retries wait at most 0.3 s in all; use --timeout SECONDS to wait longer\n',
    )
  })
})

test.each([
  [5500, '5.5 s'],
  [59_999, '1 min'],
  [125_000, '2 min 5 s'],
  [Infinity, 'more than a year'],
])('%d ms are written as %s', (length, text) => {
  expect(durationText(length)).toBe(text)
})
