/** `--watch` in a pipe: each reading is printed. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { InterruptedError } from '../../../src/errors.ts'
import { emptyFolder, type Outcome } from '../../helpers/run-syn.ts'
import { json, startService, type Answer } from '../../helpers/service.ts'
import { watchSyn } from '../../helpers/watched-run.ts'

const used = (requests: number): Answer => json({ subscription: { limit: 20, requests } })
/** Two readings differ. */
const forecast = expect.stringMatching(/^syn: empty at (\d{4}-\d\d-\d\d )?\d\d:\d\d\n$/) as string
const stop = new InterruptedError(2)

/** Stops a run once it has printed this. */
async function watched(argv: string[], last: string, ...answers: Answer[]): Promise<Outcome & { requests: number }> {
  await using service = await startService(...answers)
  const run = watchSyn(['quota', '--watch=1', ...argv], service.env)
  await run.written(last)
  run.stop(stop)
  return { ...(await run.outcome), requests: service.asked.length }
}

test.concurrent.each<[argv: string[], first: string, second: string]>([
  [[], 'subscription\t3\t20\t17\t\n', 'subscription\t4\t20\t16\t\n'],
  [['--json'], '{"subscription":{"limit":20,"requests":3}}\n', '{"subscription":{"limit":20,"requests":4}}\n'],
])('with %j', async (argv, first, second) => {
  expect(await watched(argv, second, used(3), used(4))).toEqual({
    code: 130,
    out: first + second,
    err: forecast,
    requests: 2,
  })
})

test.concurrent('a failed request is reported, not retried, and the watch continues', async () => {
  const outcome = await watched([], '\t3\t', json({ error: 'busy' }, 503), used(3))
  expect(outcome).toEqual({
    code: 130,
    out: 'subscription\t3\t20\t17\t\n',
    err: 'syn: busy (503 Service Unavailable); retrying in 1 s\n',
    requests: 2,
  })
})

test.concurrent.each<[answer: Answer, argv: string[], code: number, err: string]>([
  [
    json({ error: 'bad key' }, 401),
    [],
    3,
    'syn: bad key (401 Unauthorized)\nhint: check the API key, or use syn login to store another\n',
  ],
  [json({}), ['-q', '--strict', '--fail-below', '1'], 8, 'syn: no subscription: the service reports no quota\n'],
  [used(20), ['-q', '--fail-below', '1'], 8, 'syn: subscription is below 1: 0 of 20 left\n'],
])('a permanent failure ends it: exit %3$i', async (answer, argv, code, err) => {
  await using service = await startService(answer)
  const { outcome } = watchSyn(['quota', '--watch', ...argv], service.env)
  expect(await outcome).toEqual({ code, out: '', err })
})

test.concurrent('a guard warns once while the amount is unknown, also with -q', async () => {
  await using service = await startService(json({}), json({}), used(20))
  const { outcome } = watchSyn(['quota', '--watch=1', '-q', '--fail-below', '1'], service.env)
  const warning = 'syn: no subscription: the service reports no quota; assuming enough is left\n'
  expect(await outcome).toEqual({
    code: 8,
    out: '',
    err: `${warning}syn: subscription is below 1: 0 of 20 left\n`,
  })
})

test.concurrent('-o has the last reading', async ({ expect }) => {
  const path = join(emptyFolder(), 'quota')
  await using service = await startService(used(3), used(4))
  const run = watchSyn(['quota', '--watch=1', '-o', path], service.env)
  for (const requests of [3, 4]) {
    await expect.poll(() => contentOf(path)).toBe(`subscription\t${requests}\t20\t${20 - requests}\t\n`)
  }
  run.stop(stop)
  expect(await run.outcome).toEqual({ code: 130, out: '', err: forecast })
})

function contentOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
