/** A first signal that a command handles, such as batch: it ends what it has begun. A second one: `batch/continued.e2e.test.ts`. */

import { expect, test } from 'vitest'
import { BatchProgram, prompts } from '../helpers/batch-program.ts'
import { startBatchService } from '../helpers/batch-service.ts'

test.concurrent.each<[what: string, signals: NodeJS.Signals[], env: Record<string, string>, codes: number[]]>([
  // Two different ones: of two that are the same, the system may deliver one.
  ['two at once, as from timeout or npx, are one', ['SIGTERM', 'SIGINT'], {}, [130, 143]],
  ['a run of nohup goes on without its terminal', ['SIGHUP', 'SIGTERM'], { _: '/usr/bin/nohup' }, [143]],
  ['its status is that of the signal', ['SIGHUP'], {}, [129]],
])('%s', async (_what, signals, env, codes) => {
  await using service = await startBatchService({ workers: 0 })
  const batch = new BatchProgram(service, prompts(4))
  Object.assign(batch.env, env)
  const run = batch.startFile('--jobs', '2')
  await service.untilAsked(2)
  for (const signal of signals) run.child.kill(signal)
  await run.untilErr('stopping when the 2 requests in flight have ended')
  await service.set({ workers: undefined })
  const { code, err } = await run.ended
  expect(codes).toContain(code)
  expect(err).toContain('2 of 4 rows have an answer')
})
