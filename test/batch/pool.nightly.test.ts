/** A million rows through the pool, with a sender that answers at once. */

import { setImmediate as tick } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { autoJobs } from '../../src/fields/notations.ts'
import { Pool } from '../../src/batch/sending/pool.ts'
import { refusal, reply, rowRequests } from '../helpers/batch.ts'
import { seededRandom } from '../helpers/seed.ts'

const rows = 1_000_000
/** What stops a timer. */
function stopOf(timer: NodeJS.Timeout): () => void {
  return () => clearTimeout(timer)
}

const mebibyte = 1024 * 1024

test('memory does not grow with the number of rows', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heap = new Map<number, number>()
  let finished = 0
  let sent = 0
  const pool = new Pool({
    async send() {
      await tick()
      // Refused rows wait, and are sent again.
      if (++sent % 50_000 === 0) throw refusal(1)
      return reply(1)
    },
    onResult() {
      finished++
      if (finished !== 100_000 && finished !== rows - 1) return
      collect()
      heap.set(finished, process.memoryUsage().heapUsed)
    },
    notify: () => Promise.resolve(),
    jobs: autoJobs,
    random: seededRandom(),
    retries: 3,
    clock: { now: Date.now, time: Date.now, startTimer: (delay, callback) => stopOf(setTimeout(callback, delay)) },
    signal: new AbortController().signal,
  })
  await pool.run(rowRequests(rows))
  expect(finished).toBe(rows)
  const [early = 0, late = 0] = heap.values()
  expect(late - early).toBeLessThan(mebibyte)
})
