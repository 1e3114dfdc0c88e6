/** In a pipe: name, used, limit, remaining and renewal of each block, and other values with their paths. */

import { expect, test } from 'vitest'
import { printed, quota } from '../../helpers/quota.ts'
import { json } from '../../helpers/service.ts'

test('a current account', async () => {
  expect(await printed([])).toBe(
    'subscription\t120.5\t500\t379.5\t2026-08-19T20:18:11.436Z\n' +
      'search.hourly\t0\t250\t250\t2026-08-19T16:00:00.000Z\n' +
      'freeToolCalls\t3\t0\t\t2026-08-19T20:18:11.436Z\n' +
      'weeklyTokenLimit\t$0.01\t$24.00\t$23.99\t2026-08-20T00:00:00.000Z\n' +
      'weeklyTokenLimit.percentRemaining\t99.98\n' +
      'weeklyTokenLimit.nextRegenCredits\t$0.48\n' +
      'rollingFiveHourLimit\t1.1\t500\t498.9\t2026-08-19T15:15:00.000Z\n' +
      'rollingFiveHourLimit.tickPercent\t0.05\n' +
      'rollingFiveHourLimit.limited\tfalse\n',
  )
})

test.each<[what: string, record: object, out: string]>([
  ['more used than there was', { subscription: { limit: 1, requests: 2.5 } }, 'subscription\t2.5\t1\t0\t\n'],
  ['less left than nothing', { a: { remaining: -1, max: 4 } }, 'a\t4\t4\t0\t\na.remaining\t-1\n'],
  [
    'credits without $, to the tenth of a cent',
    { a: { maxCredits: '2', remainingCredits: '1.005' } },
    'a\t$0.995\t$2.00\t$1.005\t\n',
  ],
  ['invalid credits', { a: { maxCredits: 'lots', remainingCredits: '$1.00' } }, 'a\t\t\t$1.00\t\na.maxCredits\tlots\n'],
  [
    'an unknown block',
    { images: { limit: 9, requests: 4, size: [1, 'x'] } },
    'images\t4\t9\t5\t\nimages.size\t[1,"x"]\n',
  ],
  ['what would break a line', { 'a\tb': 'c\nd\r\\' }, 'a b\tc d \\\n'],
  ['hostile text, which passes unchanged', { tier: '\u001b[31m\u202e' }, 'tier\t\u001b[31m\u202e\n'],
])('%s', async (_what, record, out) => {
  expect(await printed([], record)).toBe(out)
})

test('--block prints only that block, or a warning that it is not there', async () => {
  expect(await printed(['--block', 'search.hourly'])).toBe('search.hourly\t0\t250\t250\t2026-08-19T16:00:00.000Z\n')
  expect(await quota(['-q', '--block', 'freeToolCalls'], { answer: json({ a: 1, b: { c: 1 } }) })).toMatchObject({
    code: 0,
    out: '',
    err: 'syn: no quota block named "freeToolCalls" (available: a, b)\n',
  })
})

test('no subscription: a notice, and exit status 0', async () => {
  expect(await quota([], { answer: json({}) })).toMatchObject({
    code: 0,
    out: '',
    err: 'syn: no subscription: the service reports no quota\n',
  })
  expect(await quota(['-q'], { answer: json({}) })).toMatchObject({ code: 0, out: '', err: '' })
})
