/** On a terminal: the amounts and the renewal of each block. */

import { expect, test } from 'vitest'
import { testNow } from '../../helpers/clock.ts'
import { printed, record } from '../../helpers/quota.ts'

/** The lines of a successful run on a terminal without colors. */
async function lines(answered: unknown, columns = 80, ...argv: string[]): Promise<string[]> {
  const out = await printed(['--no-color', ...argv], answered, { isTerminal: true, columns })
  return out.trimEnd().split('\n')
}

/** A time this many seconds in the future, plus a margin for the run itself. */
function at(seconds: number, now: number): string {
  return new Date(now + seconds * 1000 + 500).toISOString()
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

test.each<[seconds: number, words: string]>([
  [0, 'now'],
  [45, 'in 45 s'],
  [2 * hour + 13 * minute, 'in 2 h 13 min'],
  [6 * day, 'in 6 d'],
  [-3 * minute - 1, '3 min ago'],
])('a renewal in %i seconds is shown as %s', async (seconds, words) => {
  const [, renewal] = await lines({ subscription: { limit: 5, requests: 1, renewsAt: at(seconds, testNow()) } })
  expect(renewal).toMatch(/^ +renews \d{4}-\d\d-\d\d \d\d:\d\d \(.+\)$/)
  expect(renewal).toContain(`(${words})`)
})

test.each<[what: string, record: object, shown: string[]]>([
  ['only a limit of 0', { a: { limit: 0 } }, ['a  no known limit']],
  ['only the remaining amount', { a: { remaining: 7.25 } }, ['a  7.25 left']],
  ['only a limit', { a: { limit: 5 } }, ['a  limit 5']],
  ['only a share', { a: { percentRemaining: 5 } }, ['a  5% left', '   percent remaining 5']],
  ['an invalid time', { a: { limit: 0, renewsAt: 'soon' } }, ['a  no known limit', '   renews soon']],
  ['control characters', { 'a\u001b[2J': '\u001b]0;t\u0007\u202eb\nc\u009b' }, ['a␛[2J  ␛]0;t␇�b c�']],
  ['no subscription', {}, ['no subscription: the service reports no quota']],
])('%s', async (_what, answered, shown) => {
  expect(await lines(answered)).toEqual(shown)
})

test('--block shows only that block', async () => {
  const [first] = await lines(record, 80, '--block', 'search.hourly')
  expect(first).toBe('search.hourly  0 of 250 used')
})
