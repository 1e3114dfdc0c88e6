/** `--fail-below`: exit status 8 if less is left. */

import { describe, expect, test } from 'vitest'
import { json } from '../../helpers/service.ts'
import { printed, quota, record, refusalOf } from '../../helpers/quota.ts'

const left = (remaining: number, limit = 500): object => ({ subscription: { limit, requests: limit - remaining } })

test.each<[argv: string[], record: object, code: number]>([
  [['10'], left(10), 0],
  [['10'], left(9), 8],
  [['1'], { subscription: { limit: 5, requests: 9 } }, 8],
  [['10%'], left(50), 0],
  [['10%'], left(49), 8],
  [['57%'], left(57, 100), 0],
  [['500.5'], left(500), 8],
  [['99.98%', '--block', 'weeklyTokenLimit'], record, 0],
  [['99.99%', '--block', 'weeklyTokenLimit'], record, 8],
  [['24', '--block', 'weeklyTokenLimit'], record, 8],
  [['499', '--block', 'rollingFiveHourLimit'], record, 8],
])('--fail-below %j of %j: exit %i', async (argv, answered, code) => {
  expect(await quota(['-q', '--fail-below', ...argv], { answer: json(answered) })).toMatchObject({ code, out: '' })
})

test.each<[argv: string[], record: object, line: RegExp]>([
  [['400'], record, /^subscription is below 400: 379\.5 of 500 left; it renews at \d{4}-\d\d-\d\d \d\d:\d\d \(.+\)$/],
  [
    ['24', '--block', 'weeklyTokenLimit'],
    record,
    /^weeklyTokenLimit is below 24: \$23\.99 of \$24\.00 left; 24 will be left at /,
  ],
  [['5%', '--block', 'a'], { a: { percentRemaining: 4.5 } }, /^a is below 5%: 4\.5% left$/],
  [['5', '--block', 'a'], { a: { remaining: 4 } }, /^a is below 5: 4 left$/],
])('prints one line: %j', async (argv, answered, line) => {
  const { code, err } = await quota(['-q', '--fail-below', ...argv], { answer: json(answered) })
  expect({ code, err }).toEqual({ code: 8, err: expect.stringMatching(/^syn: .+\n$/) })
  expect(err.slice('syn: '.length, -1)).toMatch(line)
})

describe('without --block, of each block that limits requests to models', () => {
  const rolling = (remaining: number, limited = false): object => ({
    ...left(400),
    rollingFiveHourLimit: { remaining, max: 500, limited, nextTickAt: '2026-08-19T15:15:00.000Z' },
  })
  const weekly = (percentRemaining: number): object => ({ ...left(400), weeklyTokenLimit: { percentRemaining } })
  const other = (block: object): object => ({ ...left(400), images: block })

  test.each<[threshold: string, record: object, block: string | undefined]>([
    ['10%', rolling(49), 'rollingFiveHourLimit'],
    ['10', rolling(400, true), 'rollingFiveHourLimit'],
    ['10%', weekly(9), 'weeklyTokenLimit'],
    // Dollars count no requests.
    ['10', { ...left(400), weeklyTokenLimit: { remainingCredits: '$5.00', maxCredits: '$24.00' } }, undefined],
    ['10', weekly(0), 'weeklyTokenLimit'],
    ['10%', other({ limited: true }), 'images'],
    ['10%', other({ limit: 500, requests: 500 }), undefined],
    ['10%', { ...left(400), search: { hourly: { remaining: 0, max: 5, limited: true } } }, undefined],
  ])('%s of %j: %s', async (threshold, answered, block) => {
    const { code, err } = await quota(['-q', '--fail-below', threshold], { answer: json(answered) })
    expect({ code, block: /^syn: (\S+) is /.exec(err)?.[1] }).toEqual({ code: block === undefined ? 0 : 8, block })
  })
})

test.each<[argv: string[], record: object, notice: string]>([
  [['10%'], {}, 'no subscription: the service reports no quota'],
  [
    ['1'],
    { subscription: { limit: 0, requests: 5 } },
    'the remaining amount of subscription is unknown: the service sent no limit',
  ],
  [
    ['1', '--block', 'a'],
    { a: { percentRemaining: 3 } },
    'the remaining amount of a is unknown: the service sent only a percentage',
  ],
])(
  'an unknown amount passes with a warning, and --remaining fails: --fail-below %j',
  async (argv, answered, notice) => {
    const { code, err } = await quota(['--fail-below', ...argv], { answer: json(answered) })
    expect({ code, err }).toEqual({ code: 0, err: `syn: ${notice}; assuming enough is left\n` })
    // Said with -q, too: an unknown quota must not look like a sufficient one.
    expect(await quota(['-q', '--fail-below', ...argv], { answer: json(answered) })).toMatchObject({
      code: 0,
      out: '',
      err,
    })
    expect(await quota(['--remaining', ...argv.slice(1)], { answer: json(answered) })).toMatchObject({
      code: 1,
      out: '',
      err: `syn: ${notice}\n`,
    })
  },
)

describe('an unknown block is a usage error, and nothing is printed', () => {
  const known = 'subscription, search.hourly, freeToolCalls, weeklyTokenLimit, rollingFiveHourLimit'

  test.each<[name: string, record: object, suggestion: string, names: string]>([
    ['credits', record, '', known],
    ['search', record, ' (did you mean search.hourly?)', known],
    ['imges', { images: { limit: 1 } }, ' (did you mean images?)', `${known}, images`],
  ])('%s', async (name, answered, suggestion, names) => {
    const err = `syn: --block: no quota block named "${name}"${suggestion}\nhint: known blocks: ${names}\n`
    for (const argv of [['--fail-below', '10%', '--json'], ['--wait'], ['-q']]) {
      const outcome = await quota([...argv, '--block', name], { answer: json(answered) })
      expect({ ...outcome, asked: outcome.asked.map(({ path }) => path) }, argv.join(' ')).toEqual({
        code: 2,
        out: '',
        err,
        asked: ['/v2/quotas'],
      })
    }
  })
})

test.each<[block: object]>([[{ max: 500, remaining: 3, limited: true }], [{ percentRemaining: 0 }]])(
  'a block that the service calls used up is below any threshold: %j',
  async (block) => {
    for (const threshold of ['1', '0.1%']) {
      const outcome = await quota(['-q', '--block', 'a', '--fail-below', threshold], { answer: json({ a: block }) })
      expect(outcome, threshold).toMatchObject({ code: 8, out: '', err: expect.stringMatching(/^syn: a is /) })
    }
  },
)

test('standard output has the quota, whether or not enough is left; with -q only what was asked for', async () => {
  const plain = await printed([])
  expect(await quota(['--fail-below', '1'])).toMatchObject({ code: 0, out: plain, err: '' })
  expect(await quota(['--fail-below', '400'])).toMatchObject({ code: 8, out: plain })
  expect(await quota(['-q', '--fail-below', '400', '--remaining'])).toMatchObject({ code: 8, out: '379\n' })
})

test.each(['', '10 %', '-1', '1e3', '101%', '$5'])(
  '--fail-below=%s is refused before anything is sent',
  async (threshold) => {
    expect(await refusalOf([`--fail-below=${threshold}`])).toBe(
      `--fail-below: ${JSON.stringify(threshold)} is not accepted; expected a count such as 50, or a percentage from 0% to 100%`,
    )
  },
)
