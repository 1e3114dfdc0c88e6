/** `syn batch --max-cost` in a process that is killed: what was in flight is all that is paid beyond the amount. */

import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BatchProgram, prompts } from '../helpers/batch-program.ts'
import { answerPrice, promptPrice, startPaidService } from '../helpers/paid-service.ts'
import { isRecord } from '../helpers/recorded-run.ts'
import { seededRandom } from '../helpers/seed.ts'

/** Tokens of answers, which differ. */
const [least, most] = [20, 60]
const longest = 6 * promptPrice + most * answerPrice
const amount = 4

const random = seededRandom()

test.concurrent.each([1, 6, 20])('killed three times, with %d jobs', async (jobs) => {
  let kill = (): void => undefined
  let killAt = 0
  await using service = await startPaidService(({ before }) => {
    if (before === killAt) kill()
    return { prompt: 6, completion: least + Math.round((most - least) * random()) }
  })
  const batch = new BatchProgram(service, prompts(200))
  const argv = ['-m', 'hf:a/one', '--jobs', String(jobs), '--max-cost', String(amount)]
  const recorded = (): number => {
    const path = `${batch.output}.answers`
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(isRecord).length : 0
  }
  for (let run = 1; run <= 3; run++) {
    killAt = service.rows + 1 + Math.floor(8 * random())
    const { child, ended } = batch.startFile(...argv)
    kill = () => void child.kill('SIGKILL')
    expect(await ended).toMatchObject({ signal: 'SIGKILL' })
    expect(service.rows - recorded()).toBeLessThanOrEqual(run * jobs)
  }
  killAt = Infinity
  const { code, err } = await batch.startFile(...argv).ended
  expect({ code, err }).toMatchObject({ code: 8, err: expect.stringContaining('stopped at --max-cost $4: ') as string })
  const lost = service.rows - recorded()
  expect(lost).toBeLessThanOrEqual(3 * jobs)
  // The answers in flight at the end may be longer than the mean, by which they were expected.
  const inFlight = (jobs * (most - least) * answerPrice) / 2
  expect(service.spent).toBeLessThanOrEqual(amount + lost * longest + inFlight)
  expect(service.spent).toBeGreaterThan(amount / 2)
  const sent = service.rows
  expect(await batch.startFile(...argv).ended).toMatchObject({ code: 8 })
  expect(service.rows).toBe(sent)
})
