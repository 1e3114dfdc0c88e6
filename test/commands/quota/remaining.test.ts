/** `--remaining` prints one number. */

import { describe, expect, test } from 'vitest'
import { printed, quota } from '../../helpers/quota.ts'

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
