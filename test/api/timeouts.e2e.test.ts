/** What counts as data, and what time does not count. Silence: `test/faults/axes/time.ts`. */

import { setInterval, setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, startService } from '../helpers/service.ts'
import { watchSyn } from '../helpers/watched-run.ts'

const [role = '', hel = '', lo = '', end = ''] = chatAnswer(['Hel', 'lo']).split(/(?<=\n\n)/)

/** In seconds: far longer than an immediate reply takes, also on a busy machine. */
const timeout = 4

test.concurrent('comments reset the timeout', async () => {
  await using service = await startService(async (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let left = 45
    for await (const _ of setInterval(100)) {
      response.write(': keep-alive\n\n')
      if (--left === 0) break
    }
    response.end(chatAnswer(['Hi']))
  })
  const outcome = await runSyn(['chat', 'hi', '--timeout', `${timeout}`], { env: service.env })
  expect(outcome).toEqual({ code: 0, out: 'Hi\n', err: '' })
})

test.concurrent('a slow reader causes no timeout', async () => {
  let sendRest = (): void => undefined
  let isRead = false
  await using service = await startService((_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(role + hel)
    sendRest = () => void response.end(lo + end)
  })
  const onWrite = async (): Promise<void> => {
    if (isRead) return
    isRead = true
    await pause(1500 * timeout)
    sendRest()
  }
  const run = watchSyn(['chat', 'hi', '--timeout', `${timeout}`], service.env, { onWrite })
  expect(await run.outcome).toEqual({ code: 0, out: 'Hello\n', err: '' })
})
