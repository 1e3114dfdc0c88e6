/** Timeouts before the first byte, and between two reads. */

import { setInterval, setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, startService, type Answer } from '../helpers/service.ts'
import { watchSyn } from '../helpers/watched-run.ts'

const [role = '', hel = '', lo = '', end = ''] = chatAnswer(['Hel', 'lo']).split(/(?<=\n\n)/)

/** In seconds: far longer than an immediate reply takes, also on a busy machine. */
const timeout = 2

/** Sends this part of a stream, then nothing more, and keeps the connection open. */
function stallAfter(text: string): Answer {
  return (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(text)
  }
}

const silent: Answer = () => undefined
const onlyHead: Answer = (_asked, response) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()

// Side by side: each waits for its own service.
test.concurrent.each([
  ['before the first byte', silent, 6, '', ''],
  ['after the head', onlyHead, 6, '', ''],
  ['before any text', stallAfter(role), 6, '', ''],
  ['after some text', stallAfter(role + hel), 7, 'Hel', 'the answer was cut short: '],
  ['within an event', stallAfter(role + hel + lo.slice(0, 9)), 7, 'Hel', 'the answer was cut short: '],
])('%s', async (_what, answer, code, out, before) => {
  await using service = await startService(answer)
  const outcome = await runSyn(['chat', 'hi', '--timeout', `${timeout}`], { env: service.env })
  const err = `syn: ${before}${service.baseUrl}: no data for ${timeout} s\nhint: use --timeout SECONDS to wait longer\n`
  expect({ ...outcome, requests: service.asked.length }).toEqual({ code, out, err, requests: 1 })
})

test.concurrent('a timeout after the finish reason does not matter', async () => {
  await using service = await startService(stallAfter(role + hel + lo + end))
  const outcome = await runSyn(['chat', 'hi', '--timeout', `${timeout}`], { env: service.env })
  expect(outcome).toEqual({ code: 0, out: 'Hello\n', err: '' })
})

test.concurrent('comments reset the timeout', async () => {
  await using service = await startService(async (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let left = 25
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

test.concurrent('--timeout 0 sets no limit', async () => {
  await using service = await startService(async (_asked, response) => {
    await pause(50)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(role + hel)
    await pause(50)
    response.end(lo + end)
  })
  const outcome = await runSyn(['chat', 'hi', '--timeout', '0'], { env: service.env })
  expect(outcome).toEqual({ code: 0, out: 'Hello\n', err: '' })
})
