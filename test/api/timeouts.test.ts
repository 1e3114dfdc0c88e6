/** What counts as data, and what time does not count. Silence: `test/faults/axes/time.ts`. */

import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { operations } from '../../src/api/operations.ts'
import { testClient } from '../helpers/client.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, startService } from '../helpers/service.ts'
import { watchSyn } from '../helpers/watched-run.ts'

const [role = '', hel = '', lo = '', end = ''] = chatAnswer(['Hel', 'lo']).split(/(?<=\n\n)/)

/** In seconds. */
const timeout = 4

const argv = ['chat', 'hi', '--timeout', `${timeout}`]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(globalThis, 'setTimeout')
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** How often the time without data began. */
function waits(): number {
  return vi.mocked(setTimeout).mock.calls.filter(([, delay]) => delay === timeout * 1000).length
}

test('comments reset the timeout', async () => {
  let open: (response: ServerResponse) => void
  const opened = new Promise<ServerResponse>((resolve) => (open = resolve))
  await using service = await startService((_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    open(response)
  })
  const run = runSyn(argv, { env: service.env })
  const response = await opened
  // For the headers, and for the first byte.
  await expect.poll(waits, { interval: 5 }).toBe(2)
  for (let comments = 1; comments <= 3; comments++) {
    response.write(': keep-alive\n\n')
    await expect.poll(waits, { interval: 5 }).toBe(2 + comments)
    vi.advanceTimersByTime(timeout * 900)
  }
  response.end(chatAnswer(['Hi']))
  expect(await run).toEqual({ code: 0, out: 'Hi\n', err: '' })
})

test('a slow reader causes no timeout', async () => {
  let sendRest = (): void => undefined
  let isRead = false
  await using service = await startService((_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(role + hel)
    sendRest = () => void response.end(lo + end)
  })
  const onWrite = (): void => {
    if (isRead) return
    isRead = true
    vi.advanceTimersByTime(1500 * timeout)
    sendRest()
  }
  const run = watchSyn(argv, service.env, { onWrite })
  expect(await run.outcome).toEqual({ code: 0, out: 'Hello\n', err: '' })
})

test('a request that was stopped before it was sent leaves no timer, which would delay the exit', async () => {
  await using service = await startService()
  const client = testClient(service)
  const stopped = new Error('stopped')
  const request = client.send(operations.models, undefined, { signal: AbortSignal.abort(stopped) })
  await expect(request).rejects.toBe(stopped)
  await client.close()
  expect(vi.getTimerCount()).toBe(0)
})
