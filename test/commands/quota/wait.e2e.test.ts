/** `--wait`: sleeps until something is left, then returns. */

import { describe, expect, test } from 'vitest'
import { InterruptedError } from '../../../src/errors.ts'
import { testNow } from '../../helpers/clock.ts'
import { record } from '../../helpers/quota.ts'
import { runSyn, type Outcome } from '../../helpers/run-syn.ts'
import { json, startService, type Answer } from '../../helpers/service.ts'
import { watchSyn } from '../../helpers/watched-run.ts'

/** A record that renews this many milliseconds after the request. */
function spentFor(wait: number): Answer {
  return (asked, response) => json(spent({ renewsAt: new Date(testNow() + wait).toISOString() }))(asked, response)
}

function spent(more: object = {}): object {
  return { subscription: { limit: 5, requests: 5, ...more } }
}

const renewed = json({ subscription: { limit: 5, requests: 0 } })

async function waited(argv: string[], ...answers: Answer[]): Promise<Outcome & { requests: number }> {
  await using service = await startService(...answers)
  const outcome = await runSyn(['quota', '--wait', ...argv], { env: service.env })
  return { ...outcome, requests: service.asked.length }
}

/** A run that is stopped as soon as it has printed what it waits for. */
async function stopped(argv: string[], ...answers: Answer[]): Promise<Outcome & { requests: number }> {
  await using service = await startService(...answers)
  const run = watchSyn(['quota', '--wait', ...argv], service.env, {
    onNotice: () => setImmediate(() => run.stop(new InterruptedError(2))) as unknown as void,
  })
  return { ...(await run.outcome), requests: service.asked.length }
}

describe('returns at once if something is left', () => {
  test.each<[argv: string[], record: object]>([
    [[], record],
    [['--block', 'rollingFiveHourLimit'], record],
    [['--block', 'search.hourly'], { ...spent(), search: { hourly: { limit: 5, requests: 4 } } }],
  ])('%j of %j', async (argv, answered) => {
    const { code, out, err, requests } = await waited(argv, json(answered))
    expect({ code, err, requests, isEmpty: out === '' }).toEqual({ code: 0, err: '', requests: 1, isEmpty: false })
  })

  test('prints nothing with -q', async () => {
    expect(await waited(['-q'], json(record))).toEqual({ code: 0, out: '', err: '', requests: 1 })
  })

  test.each<[argv: string[], record: object, notice: string]>([
    [[], spent({ limit: 0 }), 'the remaining amount of subscription is unknown: the service sent no limit'],
  ])('an unknown amount counts as enough, but not with --strict: %j of %j', async (argv, answered, notice) => {
    const { code, err, requests } = await waited(argv, json(answered))
    expect({ code, err, requests }).toEqual({ code: 0, err: `syn: ${notice}; assuming enough is left\n`, requests: 1 })
    expect(await waited(['-q', '--strict', ...argv], json(answered))).toEqual({
      code: 8,
      out: '',
      err: `syn: ${notice}\n`,
      requests: 1,
    })
  })
})

test.each<[name: string, block: object]>([
  ['rollingFiveHourLimit', { remaining: 0.45, max: 500, limited: true }],
  ['images', { limited: true }],
])('waits for each block that limits requests to models: %s', async (name, block) => {
  const { err } = await stopped([], json({ subscription: { limit: 5, requests: 0 }, [name]: block }))
  expect(err).toBe(`syn: ${name} is used up, renewal time unknown; checking every minute\n`)
})

test('of several blocks it waits for the one that renews last', async () => {
  const { err } = await stopped([], (asked, response) => {
    const at = (minutes: number): string => new Date(testNow() + minutes * 60_000).toISOString()
    const rolling = { remaining: 0, max: 5, limited: true, nextTickAt: at(1) }
    return json({ rollingFiveHourLimit: rolling, ...spent({ renewsAt: at(89.5) }) })(asked, response)
  })
  expect(err).toMatch(/^syn: subscription is used up; waiting until .* \(in 1 h 29 min\)\n$/)
})

describe('waits for as much as was asked for', () => {
  /** A limit of which 5 % come back at each tick, the next one in a minute. */
  const rolling: Answer = (asked, response) => {
    const nextTickAt = new Date(testNow() + 60_500).toISOString()
    const block = { remaining: 3.2, max: 500, limited: false, tickPercent: 0.05, nextTickAt }
    return json({ subscription: { limit: 500, requests: 0 }, rollingFiveHourLimit: block })(asked, response)
  }

  test.each<[argv: string[], state: string, end: string]>([
    [['--wait=10%'], 'is below 10%: 3.2 of 500 left', 'in 16 min'],
    [['--wait', '50'], 'is below 50: 3.2 of 500 left', 'in 16 min'],
  ])('%j', async (argv, state, end) => {
    await using service = await startService(rolling)
    const run = watchSyn(['quota', ...argv], service.env, {
      onNotice: () => setImmediate(() => run.stop(new InterruptedError(2))) as unknown as void,
    })
    const { code, err } = await run.outcome
    expect({ code, err }).toEqual({
      code: 130,
      err: expect.stringMatching(
        `^syn: rollingFiveHourLimit ${state}; waiting until ${end === 'in 1 min' ? '' : 'about '}\\d.* \\(${end}\\)\n$`,
      ),
    })
  })

  test('not for more than the limit', async () => {
    await using service = await startService(rolling)
    expect(await runSyn(['quota', '--wait', '501'], { env: service.env })).toEqual({
      code: 2,
      out: '',
      err: 'syn: --wait: 501 is more than the limit of subscription, 500\n',
    })
  })

  test('with -q prints nothing while parts come back', async () => {
    const at = (left: number): Answer =>
      json({
        rollingFiveHourLimit: { remaining: left, max: 10, tickPercent: 0.05, nextTickAt: '2026-08-19T15:15:00Z' },
      })
    const { code, err, requests } = await waited(['-q'], at(0.6), at(1.1))
    expect({ code, err, requests }).toEqual({ code: 0, err: '', requests: 2 })
  })

  test('--fail-below says when', async () => {
    await using service = await startService(rolling)
    const { code, err } = await runSyn(['quota', '-q', '--fail-below', '10%'], { env: service.env })
    const text = 'syn: rollingFiveHourLimit is below 10%: 3.2 of 500 left; 10% will be left at about '
    expect({ code, err: err.replace(/\d{4}-.*/, 'TIME') }).toEqual({ code: 8, err: `${text}TIME\n` })
  })

  test.each(['0.5', '101%'])('not for %s', async (amount) => {
    const { code, err } = await runSyn(['quota', `--wait=${amount}`])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('--wait') })
  })
})

describe('requests the quota again after the renewal', () => {
  test('prints the new quota', async () => {
    const { code, out, err, requests } = await waited([], spentFor(50), renewed)
    expect({ code, out, requests }).toEqual({ code: 0, out: 'subscription\t0\t5\t5\t\n', requests: 2 })
    expect(err).toMatch(/^syn: subscription is used up; waiting until \d{4}-\d\d-\d\d \d\d:\d\d \(now\)\n$/)
  })

  test('repeats until something is left', async () => {
    expect(await waited(['-q'], spentFor(30), spentFor(20), spentFor(10), renewed)).toEqual({
      code: 0,
      out: '',
      err: '',
      requests: 4,
    })
  })

  test.each<[block: string, spent: (time: string) => object, left: object]>([
    [
      'rollingFiveHourLimit',
      (nextTickAt) => ({ nextTickAt, remaining: 0.4, max: 5, limited: true }),
      { remaining: 1, max: 5, limited: false },
    ],
    ['weeklyTokenLimit', (nextRegenAt) => ({ nextRegenAt, percentRemaining: 0 }), { percentRemaining: 2 }],
  ])('--block %s', async (block, exhaustedBlock, left) => {
    const { code, err, requests } = await waited(
      ['--block', block],
      (asked, response) => json({ [block]: exhaustedBlock(new Date(testNow() + 50).toISOString()) })(asked, response),
      json({ [block]: left }),
    )
    expect({ code, err, requests }).toEqual({
      code: 0,
      err: expect.stringMatching(`^syn: ${block} is used up; waiting until `),
      requests: 2,
    })
  })
})

describe('while it waits', () => {
  test.each<[what: string, answer: Answer, notice: RegExp]>([
    [
      'for hours',
      spentFor(2 * 3_600_000 + 500),
      /^syn: subscription is used up; waiting until .+ \((in 2 h|in 1 h 59 min)\)\n$/,
    ],
    [
      'for what tells no renewal',
      json(spent()),
      /^syn: subscription is used up, renewal time unknown; checking every minute\n$/,
    ],
    [
      'for what should have renewed',
      spentFor(-1000),
      /^syn: subscription is used up, renewal overdue; checking at least every minute\n$/,
    ],
  ])('%s: prints a notice; Ctrl-C exits with 130', async (_what, answer, notice) => {
    const outcome = await stopped([], answer)
    expect(outcome).toEqual({ code: 130, out: '', err: expect.stringMatching(notice), requests: 1 })
  })

  test('no timer exceeds the maximum of Node', async () => {
    const warnings: string[] = []
    const note = ({ name }: Error): void => void warnings.push(name)
    process.on('warning', note)
    const { code, err } = await stopped([], spentFor(90 * 86_400_000))
    process.off('warning', note)
    expect({ code, err, warnings }).toEqual({
      code: 130,
      err: expect.stringMatching(/\(in (90 d|89 d 23 h)\)\n$/),
      warnings: [],
    })
  })

  test('a network failure does not end it', async () => {
    let notices = 0
    await using service = await startService(spentFor(20), json({ error: 'busy' }, 503))
    const run = watchSyn(['quota', '--wait', '--retries=0'], service.env, {
      onNotice: () => void (++notices === 2 && setImmediate(() => run.stop(new InterruptedError(2)))),
    })
    const { code, err } = await run.outcome
    expect(code).toBe(130)
    expect(err).toMatch(/\nsyn: busy \(503 Service Unavailable\); retrying in a minute\n$/)
  })

  test('a rejected key ends it', async () => {
    const { code, out, requests } = await waited([], spentFor(20), json({ error: 'bad key' }, 401))
    expect({ code, out, requests }).toEqual({ code: 3, out: '', requests: 2 })
  })
})
