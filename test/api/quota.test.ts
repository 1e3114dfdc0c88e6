/** The quota record: where it is found, and what it says. */

import { describe, expect, test } from 'vitest'
import { quotaOfHeaders, spentUntil, subscriptionLeft } from '../../src/api/quota.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, events, startService } from '../helpers/service.ts'

const later = '2026-08-19T20:18:11.436Z'
const spent = { subscription: { limit: 500, requests: 500, renewsAt: later } }
const left = { subscription: { limit: 500, requests: 499.5, renewsAt: later } }

describe('a record is spent', () => {
  test.each([
    ['when no requests are left', spent, later],
    ['when more than all were made', { subscription: { limit: 1, requests: 2 } }, ''],
    ['when the five hours are', { rollingFiveHourLimit: { limited: true, nextTickAt: later } }, later],
    ['when the week is', { weeklyTokenLimit: { percentRemaining: 0, nextRegenAt: later } }, later],
    ['not when something is left', left, undefined],
    ['not when the limit is 0', { subscription: { limit: 0, requests: 0, renewsAt: later } }, undefined],
    ['not when there is no limit', { subscription: { requests: 7 } }, undefined],
    ['not when there is no subscription', {}, undefined],
    [
      'not when it is of another shape',
      { subscription: [1], rollingFiveHourLimit: 'x', weeklyTokenLimit: null },
      undefined,
    ],
    ['not when it is no object', null, undefined],
  ])('%s', (_what, record, expected) => {
    expect(spentUntil(record)).toBe(expected)
  })
})

describe('what is left', () => {
  test.each([
    ['fractions too', left, { left: 0.5, limit: 500 }],
    ['never less than nothing', { subscription: { limit: 1, requests: 2 } }, { left: 0, limit: 1 }],
    ['unknown with a limit of 0', { subscription: { limit: 0, requests: 0 } }, undefined],
    ['unknown with text', { subscription: { limit: '500', requests: 0 } }, undefined],
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

  test('it is told with --usage', async () => {
    await using service = await startService(events(chatAnswer(['Hi']), { 'x-synthetic-quotas': JSON.stringify(left) }))
    const { out, err } = await runSyn(['chat', 'hi', '--usage'], { env: service.env })
    expect(out).toBe('Hi\n')
    expect(err).toContain('0.5 of 500 requests left')
  })
})
