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

async function waited(argv: string[], ...answers: Answer[]): Promise<Outcome & { requests: number }> {
  await using service = await startService(...answers)
  const outcome = await runSyn(['quota', '--wait', ...argv], { env: service.env })
  return { ...outcome, requests: service.asked.length }
}

/** A run that is stopped as soon as it has printed what it waits for. */
async function stopped(argv: string[], ...answers: Answer[]): Promise<Outcome & { requests: number }> {
  await using service = await startService(...answers)
  const run = watchSyn(['quota', ...argv], service.env, {
    onNotice: () => setImmediate(() => run.stop(new InterruptedError(2))) as unknown as void,
  })
  return { ...(await run.outcome), requests: service.asked.length }
}

describe('returns at once', () => {
  test.each<[argv: string[], record: object]>([
    [[], record],
    [['--block', 'weeklyTokenLimit'], record],
    [['--block', 'search.hourly'], { ...spent(), search: { hourly: { limit: 5, requests: 4 } } }],
  ])('if something is left: %j of %j', async (argv, answered) => {
    const { code, out, err, requests } = await waited(argv, json(answered))
    expect({ code, err, requests, isEmpty: out === '' }).toEqual({ code: 0, err: '', requests: 1, isEmpty: false })
  })

  test('if the amount is unknown', async () => {
    const notice = 'the remaining amount of subscription is unknown: the service sent no limit'
    const { code, err, requests } = await waited([], json(spent({ limit: 0 })))
    expect({ code, err, requests }).toEqual({ code: 0, err: `syn: ${notice}; assuming enough is left\n`, requests: 1 })
  })
})

test('of several blocks it waits for the one that renews last', async () => {
  const { err } = await stopped(['--wait'], (asked, response) => {
    const at = (minutes: number): string => new Date(testNow() + minutes * 60_000).toISOString()
    const rolling = { remaining: 0, max: 5, limited: true, nextTickAt: at(1) }
    return json({ rollingFiveHourLimit: rolling, ...spent({ renewsAt: at(89.5) }) })(asked, response)
  })
  expect(err).toMatch(/^syn: subscription is used up; waiting until .* \(in 1 h 29 min\)\n$/)
})

test('for a request any credit is enough, which the next partial renewal brings', async () => {
  const { err } = await stopped(['--wait'], (asked, response) => {
    const nextRegenAt = new Date(testNow() + 60_500).toISOString()
    const credit = { maxCredits: '$24.00', remainingCredits: '$0.00', nextRegenCredits: '$0.48', nextRegenAt }
    return json({ weeklyTokenLimit: credit })(asked, response)
  })
  expect(err).toMatch(/^syn: weeklyTokenLimit is used up; waiting until .* \(in 1 min\)\n$/)
})

describe('waits for as much as was asked for', () => {
  /** A limit of which 5 % come back at each tick, the next one in a minute. */
  const rolling: Answer = (asked, response) => {
    const nextTickAt = new Date(testNow() + 60_500).toISOString()
    const block = { remaining: 3.2, max: 500, limited: false, tickPercent: 0.05, nextTickAt }
    return json({ subscription: { limit: 500, requests: 0 }, rollingFiveHourLimit: block })(asked, response)
  }

  test('--wait=10%', async () => {
    const notice = /^syn: rollingFiveHourLimit is below 10%: 3.2 of 500 left; waiting until about \d.* \(in 16 min\)\n$/
    expect(await stopped(['--wait=10%'], rolling)).toMatchObject({ code: 130, err: expect.stringMatching(notice) })
  })

  test('with -q prints nothing while parts come back', async () => {
    const at = (left: number): Answer =>
      json({
        rollingFiveHourLimit: { remaining: left, max: 10, tickPercent: 0.05, nextTickAt: '2026-08-19T15:15:00Z' },
      })
    const { code, err, requests } = await waited(['-q'], at(0.6), at(1.1))
    expect({ code, err, requests }).toEqual({ code: 0, err: '', requests: 2 })
  })

  test.each([
    ['0.5', 'expected'],
    ['101%', 'expected'],
    ['501', '501 is more than the limit of subscription, 500'],
  ])('not for %s', async (amount, message) => {
    await using service = await startService(rolling)
    const { code, err } = await runSyn(['quota', `--wait=${amount}`], { env: service.env })
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) })
  })
})

test('--max-wait ends it with status 5, at once if the renewal is later', async () => {
  const late = await waited(['--max-wait', '90m'], spentFor(2.5 * 3_600_000))
  expect(late).toMatchObject({ code: 5, out: '', requests: 1 })
  expect(late.err).toMatch(/^syn: subscription is used up; it renews at .+\nhint: use --max-wait 3h to wait for it\n$/)
  const distant = await waited(['--max-wait', '90m'], spentFor(400 * 86_400_000))
  expect(distant).toMatchObject({
    code: 5,
    err: expect.stringMatching(/^syn: subscription is used up; .+\n$/) as string,
  })
  const spentForever = await waited(['--max-wait', '200ms'], json(spent()))
  expect(spentForever).toMatchObject({ code: 5, requests: 2 })
})

test('requests the quota again after the renewal of its block', async () => {
  const nextTickAt = new Date(testNow() + 600).toISOString()
  const { code, out, err, requests } = await waited(
    ['--block', 'rollingFiveHourLimit'],
    json({ rollingFiveHourLimit: { nextTickAt, remaining: 0.4, max: 5, limited: true } }),
    json({ rollingFiveHourLimit: { remaining: 1, max: 5 } }),
  )
  expect({ code, out, requests }).toEqual({ code: 0, out: 'rollingFiveHourLimit\t4\t5\t1\t\n', requests: 2 })
  expect(err).toMatch(/^syn: rollingFiveHourLimit is used up; waiting until \d{4}-\d\d-\d\d \d\d:\d\d \(now\)\n$/)
})

describe('while it waits', () => {
  test.each<[what: string, answer: Answer, notice: RegExp]>([
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
    const outcome = await stopped(['--wait'], answer)
    expect(outcome).toEqual({ code: 130, out: '', err: expect.stringMatching(notice), requests: 1 })
  })

  test('no timer exceeds the maximum of Node', async () => {
    const warnings: string[] = []
    const note = ({ name }: Error): void => void warnings.push(name)
    process.on('warning', note)
    const { code, err } = await stopped(['--wait'], spentFor(90 * 86_400_000))
    process.off('warning', note)
    expect({ code, err, warnings }).toEqual({
      code: 130,
      err: expect.stringMatching(/\(in (90 d|89 d 23 h)\)\n$/),
      warnings: [],
    })
  })

  test('a refused key ends it', async () => {
    const { code, err } = await waited(['-q'], spentFor(20), json({ error: 'bad key' }, 401))
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('syn: bad key (401 Unauthorized)\n') })
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
})
