/** No wait that a service names, however odd, makes syn flood it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environment, startSyn } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'

const second = 1000
const dateIn = (wait: number): string => new Date(Date.now() + wait).toUTCString()

const waits: readonly (readonly [what: string, header: string])[] = [
  ['nothing', '0'],
  ['almost nothing', '0.0001'],
  ['less than nothing', '-1'],
  ['a date that has passed', dateIn(-2 * second)],
  ['a date of long ago', dateIn(-1e12)],
  ['a date in a century', dateIn(3e12)],
  ['Unix time', String(Math.floor(Date.now() / second))],
  ['Unix time in milliseconds', String(Date.now())],
  ['an exponent', '1e400'],
  ['twenty digits', '9'.repeat(20)],
]

// All at once: each is stopped after four seconds.
test.concurrent.each(waits)('%s', async (_what, header) => {
  await using service = await startService((asked, response) => {
    if (asked.method === 'GET') return json({})(asked, response)
    return json({ error: 'slow down' }, 429, { 'retry-after': header })(asked, response)
  })
  const env = environment(service)
  const folder = emptyFolder()
  writeFileSync(join(folder, 'in.txt'), 'row\n')
  for (const argv of [
    ['chat', '--retries', '99', 'hi'],
    ['batch', join(folder, 'in.txt'), '-o', join(folder, 'out.jsonl')],
  ]) {
    const before = service.asked.length
    const run = startSyn(argv, env)
    const timer = setTimeout(() => run.child.kill(), 4 * second)
    const { err } = await run.ended
    clearTimeout(timer)
    expect(service.asked.length - before).toBeLessThanOrEqual(20)
    expect(err).not.toMatch(/NaN|Invalid/)
  }
})
