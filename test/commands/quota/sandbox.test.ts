/** `syn quota --sandbox` */

import { expect, test } from 'vitest'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { InterruptedError } from '../../../src/errors.ts'
import { testNow } from '../../helpers/clock.ts'
import { runSyn } from '../../helpers/run-syn.ts'
import { watchSyn } from '../../helpers/watched-run.ts'

test('each request uses up the limit, until the guard fails', async () => {
  const sandbox = await startSandbox({ port: 0, rate: 0, limit: 3, now: testNow })
  const env = { SYN_BASE_URL: sandbox.baseUrl, SYN_API_KEY: sandbox.key }
  try {
    const left: string[] = []
    while ((await runSyn(['quota', '-q', '--fail-below', '1'], { env })).code === 0 && left.length < 9) {
      left.push((await runSyn(['quota', '--remaining'], { env })).out)
      expect((await runSyn(['chat', '-m', 'syn:large:vision', 'hi'], { env })).code).toBe(0)
    }
    expect(left).toEqual(['3\n', '2\n', '1\n'])
    const run = watchSyn(['quota', '--wait', '--block', 'rollingFiveHourLimit'], env, {
      onNotice: () => void setImmediate(() => run.stop(new InterruptedError(2))),
    })
    expect(await run.outcome).toEqual({
      code: 130,
      out: '',
      err: expect.stringMatching(/^syn: rollingFiveHourLimit is used up; waiting until .+\n$/) as string,
    })
  } finally {
    await sandbox.close()
  }
})
