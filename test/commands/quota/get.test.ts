/** `--get PATH` and `--remaining` print one value. */

import { describe, expect, test } from 'vitest'
import { printed, quota, record } from '../../helpers/quota.ts'
import { json } from '../../helpers/service.ts'

test.each<[path: string, record: object, out: string]>([
  ['search', record, '{"hourly":{"limit":250,"requests":0,"renewsAt":"2026-08-19T16:00:00.000Z"}}'],
  ['a.1', { a: [1, 'two'] }, 'two'],
  ['a.b', { a: { c: 1 }, 'a.b': 2 }, '2'],
  ['a', { a: null }, 'null'],
  ['a', { a: 'two\nlines\u001b[31m' }, 'two\nlines\u001b[31m'],
  ['__proto__', JSON.parse('{"__proto__":1}') as object, '1'],
])('--get %s of %j', async (path, answered, out) => {
  expect(await printed(['--get', path], answered)).toBe(`${out}\n`)
})

test.each<[path: string, record: object, message: string, hint: string]>([
  [
    'subscription.requsts',
    record,
    '"subscription.requsts" (did you mean subscription.requests?)',
    'available in subscription: limit, requests, renewsAt',
  ],
  ['constructor', { a: 1 }, '"constructor"', 'available: a'],
])('--get of a missing value names the available keys: %s', async (path, answered, message, hint) => {
  const { code, out, err } = await quota(['--get', path], { answer: json(answered) })
  expect({ code, out, err }).toEqual({
    code: 1,
    out: '',
    err: `syn: --get: no value named ${message}\nhint: ${hint}\n`,
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

  test('fails if it is unknown', async () => {
    const { code, out, err } = await quota(['--remaining', '--block', 'freeToolCalls'])
    const message = 'the remaining amount of freeToolCalls is unknown: the service sent no limit'
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: `syn: ${message}\n` })
  })
})
