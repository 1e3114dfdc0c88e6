/** Two runs with the same `--output`. Each test waits for seconds, as a lock is held by a run that may still live. */

import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BatchProgram, prompts } from '../helpers/batch-program.ts'
import { batchAnswer, startBatchService } from '../helpers/batch-service.ts'

test.concurrent('a second run is refused while the first one runs, and waits for the lock of one that was killed', async () => {
  await using service = await startBatchService({ workers: 0 })
  const batch = new BatchProgram(service, prompts(9))
  const first = batch.startFile('--jobs', '8')
  await service.untilAsked(8)
  const second = await batch.file()
  expect(second.code).toBe(1)
  expect(second.err).toContain(`syn: ${batch.output} is locked by another syn process\n`)
  expect((await service.counts()).statuses).toEqual({ 200: 8 })

  first.child.kill('SIGKILL')
  await first.ended
  await service.set({ workers: undefined })
  const third = await batch.file()
  expect(third).toMatchObject({ code: 0, err: expect.stringContaining('up to 8 requests in flight then') as string })
  expect(existsSync(`${batch.output}.lock`)).toBe(false)
})

test.concurrent('a run that was suspended while another one continued it writes nothing more', async () => {
  await using service = await startBatchService({ workers: 0 })
  const lines = prompts(30)
  const batch = new BatchProgram(service, lines)
  const first = batch.startFile('--jobs', '10')
  await service.untilAsked(10)
  first.child.kill('SIGSTOP')
  // Its answers wait for it.
  await service.set({ workers: undefined })
  await service.set({ workers: 0 })
  // The second run starts when the lock is stale.
  const second = batch.startFile('--jobs', '4')
  await service.untilAsked(14)
  first.child.kill('SIGCONT')
  const suspended = await first.ended
  expect(suspended.code).toBe(1)
  expect(suspended.err).toMatch(
    /^syn: (cannot write .*\.answers: another run writes it, or it was removed|the lock .* was lost: .*)$/m,
  )
  expect(existsSync(`${batch.output}.lock`)).toBe(true)

  await service.set({ workers: undefined })
  const { code, err } = await second.ended
  expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('30 rows') as string })
  expect(batch.rows()).toMatchObject(lines.map((line) => ({ text: batchAnswer(line) })))
  expect(readdirSync(batch.folder).sort()).toEqual(['in.txt', 'out.jsonl', 'out.jsonl.answers'])
})
