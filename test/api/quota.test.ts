/** Decoding of the quota record, from replies and headers. */

import { describe, expect, test } from 'vitest'
import {
  exhaustedBlock,
  type QuotaBlock,
  quotaBlocks,
  quotaOfHeaders,
  requestsLeft,
  timeOfShare,
} from '../../src/api/quota.ts'
import type { Json, JsonObject } from '../../src/io/json/json.ts'
import { quotaLeftText } from '../../src/quota/record.ts'
import { liveReply } from '../helpers/fixtures.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, events, startService } from '../helpers/service.ts'

const liveQuota = liveReply('quota')
const later = '2026-08-19T20:18:11.436Z'
const spent = { subscription: { limit: 500, requests: 500, renewsAt: later } }
const left = { subscription: { limit: 500, requests: 499.5, renewsAt: later } }

describe('a record is used up', () => {
  test.each<[what: string, record: Json, name: string | undefined]>([
    ['when no requests are left', spent, 'subscription'],
    ['when its numbers are texts', { subscription: { limit: '500', requests: '500' } }, 'subscription'],
    ['when the five hours are', { rollingFiveHourLimit: { limited: true, remaining: 0.4 } }, 'rollingFiveHourLimit'],
    ['when the week is', { weeklyTokenLimit: { percentRemaining: 0, nextRegenAt: later } }, 'weeklyTokenLimit'],
    [
      'when the credits are',
      { weeklyTokenLimit: { maxCredits: '$24.00', remainingCredits: '$0.00' } },
      'weeklyTokenLimit',
    ],
    ['not when something is left', left, undefined],
    ['not when it is of requests to no model', { search: { hourly: { limit: 1, requests: 1 } } }, undefined],
  ])('%s', (_what, record, name) => {
    expect(exhaustedBlock(record)?.name).toBe(name)
  })

  test.each<[renewsAt: Json, renewal: unknown]>([
    [later, { text: later, time: Date.UTC(2026, 7, 19, 20, 18, 11, 436), isWhole: true }],
    ['2026-99-19T20:18:11Z', { text: '2026-99-19T20:18:11Z', time: undefined, isWhole: true }],
    [null, undefined],
  ])('and renews: %j', (renewsAt, renewal) => {
    expect(exhaustedBlock({ subscription: { limit: 1, requests: 1, renewsAt } })?.renewal).toEqual(renewal)
  })
})

test('less than one request is nothing only for a request that was refused', () => {
  expect([exhaustedBlock(left)?.name, exhaustedBlock(left, true)?.name]).toEqual([undefined, 'subscription'])
})

describe('what runs out first', () => {
  const rolling = (remaining: number): JsonObject => ({ remaining, max: 500, limited: false })
  const weekly = { percentRemaining: 60, maxCredits: '$24.00', remainingCredits: '$14.40' }
  const unused = { limit: 500, requests: 0 }

  test.each<[record: JsonObject, text: string | undefined, requests: number | undefined]>([
    // Recorded from a real account (test/fixtures/live-quota.json).
    [liveQuota, '3.2 of 500 requests left', 3],
    [{ ...liveQuota, rollingFiveHourLimit: rolling(400) }, '$14.40 of $24.00 credit left', 400],
    [{ subscription: unused, rollingFiveHourLimit: { ...rolling(400), limited: true } }, '0 of 500 requests left', 0],
    [{ weeklyTokenLimit: { ...weekly, percentRemaining: 0 }, subscription: unused }, '$0.00 of $24.00 credit left', 0],
    [{ weeklyTokenLimit: { percentRemaining: 60 } }, '60% of weeklyTokenLimit left', undefined],
    [{ subscription: { limit: 'many', requests: 0 } }, undefined, undefined],
    [{ search: { hourly: { limit: 250, requests: 250 } } }, undefined, undefined],
  ])('of %j: %s', (record, text, requests) => {
    expect([quotaLeftText(record), requestsLeft(record)]).toEqual([text, requests])
  })
})

describe('when a share of a block will be left', () => {
  const tick = Date.parse('2026-08-19T15:27:19.000Z')
  const minutes = 60_000

  test.each<[name: string, percent: number, time: number | undefined]>([
    ['rollingFiveHourLimit', 1, tick],
    ['rollingFiveHourLimit', 10, tick + 15 * minutes],
    ['weeklyTokenLimit', 64, Date.parse('2026-08-19T16:19:42.000Z') + 201.6 * minutes],
    ['subscription', 50, Date.parse('2026-08-19T20:18:11.436Z')],
  ])('%s, %d%%', (name, percent, time) => {
    const block = quotaBlocks(liveQuota).find((one) => one.name === name) as QuotaBlock
    expect(timeOfShare(block, percent)).toBe(time)
  })
})

describe('in the headers of a reply', () => {
  test.each<[headers: Record<string, string>, record: unknown]>([
    [{ 'x-synthetic-quotas': JSON.stringify(left) }, left],
    [{ date: 'x', 'x-other-quotas': '{}' }, {}],
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
