/** Decoding of the quota record, from replies and headers. */

import { describe, expect, test } from 'vitest'
import { quotaOfHeaders, exhaustedBlock, subscriptionLeft } from '../../src/api/quota.ts'
import type { Json } from '../../src/io/json/json.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, events, startService } from '../helpers/service.ts'

const later = '2026-08-19T20:18:11.436Z'
const spent = { subscription: { limit: 500, requests: 500, renewsAt: later } }
const left = { subscription: { limit: 500, requests: 499.5, renewsAt: later } }

describe('a record is used up', () => {
  test.each<[what: string, record: Json, name: string | undefined]>([
    ['when no requests are left', spent, 'subscription'],
    ['when more than all were made', { subscription: { limit: 1, requests: 2 } }, 'subscription'],
    ['when the five hours are', { rollingFiveHourLimit: { limited: true, remaining: 0.4 } }, 'rollingFiveHourLimit'],
    ['when the week is', { weeklyTokenLimit: { percentRemaining: 0, nextRegenAt: later } }, 'weeklyTokenLimit'],
    [
      'when the credits are',
      { weeklyTokenLimit: { maxCredits: '$24.00', remainingCredits: '$0.00' } },
      'weeklyTokenLimit',
    ],
    ['not when something is left', left, undefined],
    ['not when the limit is 0', { subscription: { limit: 0, requests: 0, renewsAt: later } }, undefined],
    ['not when there is no limit', { subscription: { requests: 7 } }, undefined],
    [
      'when nothing is left, though its flag is false',
      { rollingFiveHourLimit: { limited: false, remaining: 0, max: 5 } },
      'rollingFiveHourLimit',
    ],
    ['not when its flag is false', { rollingFiveHourLimit: { limited: false } }, undefined],
    ['in keys of two kinds', { subscription: { limit: 5, remaining: 0 } }, 'subscription'],
    ['of which a share was used', { rollingFiveHourLimit: { max: 5, used: 5 } }, 'rollingFiveHourLimit'],
    ['not when it is of requests to no model', { search: { hourly: { limit: 1, requests: 1 } } }, undefined],
    ['not when there is no subscription', {}, undefined],
    [
      'not when it is of another shape',
      { subscription: [1], rollingFiveHourLimit: 'x', weeklyTokenLimit: null },
      undefined,
    ],
    ['not when it is no object', null, undefined],
  ])('%s', (_what, record, name) => {
    expect(exhaustedBlock(record)?.name).toBe(name)
  })

  test.each<[renewsAt: Json, renewal: unknown]>([
    [later, { text: later, time: Date.UTC(2026, 7, 19, 20, 18, 11, 436), isWhole: true }],
    ['soon', { text: 'soon', time: undefined, isWhole: true }],
    ['1', { text: '1', time: undefined, isWhole: true }],
    ['2026-99-19T20:18:11Z', { text: '2026-99-19T20:18:11Z', time: undefined, isWhole: true }],
    [null, undefined],
  ])('and renews: %j', (renewsAt, renewal) => {
    expect(exhaustedBlock({ subscription: { limit: 1, requests: 1, renewsAt } })?.renewal).toEqual(renewal)
  })
})

describe('requests left', () => {
  test.each([
    ['fractions too', left, { left: 0.5, limit: 500 }],
    ['never less than nothing', { subscription: { limit: 1, requests: 2 } }, { left: 0, limit: 1 }],
    ['unknown with a limit of 0', { subscription: { limit: 0, requests: 0 } }, undefined],
    ['unknown with words', { subscription: { limit: 'many', requests: 0 } }, undefined],
    ['unknown without a subscription', {}, undefined],
  ])('%s', (_what, record, expected) => {
    expect(subscriptionLeft(record)).toEqual(expected)
  })
})

describe('in the headers of a reply', () => {
  test.each<[headers: Record<string, string>, record: unknown]>([
    [{ 'x-synthetic-quotas': JSON.stringify(left) }, left],
    [{ date: 'x', 'x-other-quotas': '{}' }, {}],
    [{ 'x-a-quotas': 'none', 'x-b-quotas': '[1]', 'x-c-quotas': '{"a":1}' }, { a: 1 }],
    [{ 'x-quotas-left': '{}' }, undefined],
    [{}, undefined],
  ])('%j', (headers, record) => {
    expect(quotaOfHeaders(headers)).toEqual(record)
  })

  test('it is printed with --usage', async () => {
    await using service = await startService(events(chatAnswer(['Hi']), { 'x-synthetic-quotas': JSON.stringify(left) }))
    const { out, err } = await runSyn(['chat', 'hi', '--usage'], { env: service.env })
    expect(out).toBe('Hi\n')
    expect(err).toContain('0.5 of 500 requests left')
  })
})
