/** Two runs with the same `--output`. Each test waits for seconds, as a lock is held by a run that may still live. */

import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BatchProgram, prompts } from '../helpers/batch-program.ts'
import { startBatchService } from '../helpers/batch-service.ts'
import type { Ended } from '../helpers/program.ts'

test('a second run is refused while the first one runs, and waits for the lock of one that was killed', async () => {
  await using service = await startBatchService({ workers: 0 })
  const batch = new BatchProgram(service, prompts(9))
  const state = async (): Promise<string> => {
    const { out }: Ended = await batch.start(['status', '--json', batch.output]).ended
    return (JSON.parse(out) as { state: string }).state
  }
  const first = batch.startFile('--jobs', '8')
  await service.untilAsked(8)
  const second = await batch.file()
  expect(second.code).toBe(1)
  expect(second.err).toContain(`syn: ${batch.output} is locked by another syn process\n`)
  expect(await state()).toBe('running')
  expect((await service.counts()).statuses).toEqual({ 200: 8 })

  first.child.kill('SIGKILL')
  await first.ended
  await service.set({ workers: undefined })
  const third = await batch.file()
  expect(third).toMatchObject({ code: 0, err: expect.stringContaining('up to 8 requests in flight then') as string })
  expect(await state()).toBe('complete')
  expect(existsSync(`${batch.output}.lock`)).toBe(false)
})
