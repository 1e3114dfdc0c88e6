/** `--get PATH` and `--remaining` print one value. */

import { describe, expect, test } from 'vitest'
import { printed, quota, record } from '../../helpers/quota.ts'
import { json } from '../../helpers/service.ts'

describe('--get prints', () => {
  test.each<[path: string, out: string]>([
    ['subscription.requests', '120.5'],
    ['search', '{"hourly":{"limit":250,"requests":0,"renewsAt":"2026-08-19T16:00:00.000Z"}}'],
  ])('%s', async (path, out) => {
    expect(await printed(['--get', path])).toBe(`${out}\n`)
  })

  test.each<[path: string, record: object, out: string]>([
    ['a.1', { a: [1, 'two'] }, 'two'],
    ['a.b', { a: { c: 1 }, 'a.b': 2 }, '2'],
    ['a', { a: null }, 'null'],
    ['a', { a: 'two\nlines\u001b[31m' }, 'two\nlines\u001b[31m'],
    ['__proto__', JSON.parse('{"__proto__":1}') as object, '1'],
  ])('%s of %j', async (path, answered, out) => {
    expect(await printed(['--get', path], answered)).toBe(`${out}\n`)
  })
})

describe('--get of a missing value names the available keys', () => {
  test.each<[path: string, record: object, message: string, hint: string]>([
    [
      'subscription.requsts',
      record,
      '"subscription.requsts" (did you mean subscription.requests?)',
      'available in subscription: limit, requests, renewsAt',
    ],
    [
      'Subscription',
      record,
      '"Subscription" (did you mean subscription?)',
      'available: subscription, search, freeToolCalls, weeklyTokenLimit, rollingFiveHourLimit',
    ],
    [
      'subscription.limit.x',
      record,
      '"subscription.limit.x" (did you mean subscription.limit?)',
      'subscription.limit has no keys',
    ],
    ['constructor', { a: 1 }, '"constructor"', 'available: a'],
    ['b', { 'a\u001b': 1 }, '"b"', 'available: a␛'],
  ])('%s', async (path, answered, message, hint) => {
    const { code, out, err } = await quota(['--get', path], { answer: json(answered) })
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: `syn: --get: no value named ${message}\nhint: ${hint}\n`,
    })
  })
})

describe('--remaining prints what is left', () => {
  test.each<[block: string | undefined, out: string]>([
    [undefined, '379'],
    ['weeklyTokenLimit', '23.99'],
    ['rollingFiveHourLimit', '498.9'],
  ])('of %s', async (block, out) => {
    expect(await printed(['--remaining', ...(block === undefined ? [] : ['--block', block])])).toBe(`${out}\n`)
  })

  test.each<[limit: number, requests: number, out: string]>([
    [1_000_000, 999_999.9, '0'],
    [5, 7, '0'],
  ])('%d less %d', async (limit, requests, out) => {
    expect(await printed(['--remaining'], { subscription: { limit, requests } })).toBe(`${out}\n`)
  })

  test.each<[argv: string[], record: object, message: string]>([
    [[], {}, 'no subscription: the service reports no quota'],
    [
      ['--block', 'freeToolCalls'],
      record,
      'the remaining amount of freeToolCalls is unknown: the service sent no limit',
    ],
  ])('fails for %j', async (argv, answered, message) => {
    const { code, out, err } = await quota(['--remaining', ...argv], { answer: json(answered) })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err.startsWith(`syn: ${message}`), err).toBe(true)
    expect(err.split('\n')).toHaveLength(2)
  })
})
