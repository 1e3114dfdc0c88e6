/** The clock of the machine is off: the service says what time it is, in the `Date` header of each reply. */

import { expect, test } from 'vitest'
import { testNow } from '../../helpers/clock.ts'
import { runSyn } from '../../helpers/run-syn.ts'
import { json, startService } from '../../helpers/service.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const time = Math.ceil(testNow() / minute) * minute
const date = new Date(time).toUTCString()

test.each([-2 * hour, 2 * hour])('by %d ms: renewals and dates of Retry-After are right', async (shift) => {
  const now = () => time + shift
  const spent = { subscription: { limit: 5, requests: 5, renewsAt: new Date(time + 14 * minute).toISOString() } }
  await using service = await startService((asked, response) =>
    asked.method === 'GET'
      ? json(spent, 200, { date })(asked, response)
      : json({ error: 'busy' }, 429, { date, 'retry-after': new Date(time + 30 * second).toUTCString() })(
          asked,
          response,
        ),
  )
  const { env } = service
  const guarded = await runSyn(['quota', '-q', '--fail-below', '10%'], { env, now })
  expect(guarded).toMatchObject({ code: 8, err: expect.stringContaining('(in 14 min)') as string })
  const waited = await runSyn(['quota', '-q', '--wait', '--max-wait', '10m'], { env, now })
  expect(waited).toMatchObject({ code: 5, err: expect.stringContaining('(in 14 min)') as string })
  const table = await runSyn(['quota'], { env, now, isTerminal: true })
  expect(table.out).toContain('(in 14 min)')
  const refused = await runSyn(['chat', '--retries', '0', 'Hi'], { env, now })
  expect(refused.err).toContain('the service asks to retry after 30 s')
})

test('an answer from a cache is as old as it says', async () => {
  const spent = { subscription: { limit: 5, requests: 5, renewsAt: new Date(time + 14 * minute).toISOString() } }
  await using service = await startService(json(spent, 200, { date, age: '600' }))
  const { err } = await runSyn(['quota', '-q', '--fail-below', '10%'], { env: service.env, now: () => time })
  expect(err).toContain('(in 4 min)')
})
