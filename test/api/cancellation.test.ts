/** When the user or the reader stops, the request to the service is aborted too. */

import { EventEmitter, once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { chat } from '../../src/api/chat/operation.ts'
import { operations } from '../../src/api/operations.ts'
import { InterruptedError, BrokenPipeError } from '../../src/errors.ts'
import { testClient } from '../helpers/client.ts'
import { chatAnswer, json, startService, type Answer, type Service } from '../helpers/service.ts'
import { watchSyn } from '../helpers/watched-run.ts'

const [role = '', hel = ''] = chatAnswer(['Hel', 'lo']).split(/(?<=\n\n)/)

interface Watched {
  service: Service
  /** Resolves when the request has arrived. */
  arrived: Promise<unknown>
  /** Resolves when its connection is closed before the answer has ended. */
  ended: Promise<unknown>
}

async function watched(answer: Answer): Promise<Watched> {
  const happenings = new EventEmitter()
  const [arrived, ended] = ['arrived', 'ended'].map((name) => once(happenings, name)) as [
    Promise<unknown>,
    Promise<unknown>,
  ]
  const service = await startService((asked, response) => {
    response.on('close', () => {
      if (!response.writableFinished) happenings.emit('ended')
    })
    happenings.emit('arrived')
    return answer(asked, response)
  })
  return { service, arrived, ended }
}

const silent: Answer = () => undefined
const begun: Answer = (_asked, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(role + hel)
}

test('a reply may end after its answer: the connection is used again', async () => {
  const sockets: unknown[] = []
  const service = await startService((_asked, response) => {
    sockets.push(response.socket)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chatAnswer(['Hello']))
    setTimeout(() => response.end(), 20)
  })
  await using _ = service
  const client = testClient(service)
  await expect
    .poll(async () => {
      for await (const _deltas of client.stream(chat, { model: 'hf:test/one', messages: [], stream: true }));
      return sockets.length - new Set(sockets).size
    })
    .toBeGreaterThan(0)
  await client.close()
})

test('an interrupt before the answer ends the request', async () => {
  const { service, arrived, ended } = await watched(silent)
  await using _ = service
  const run = watchSyn(['chat', 'hi'], service.env)
  await arrived
  run.stop(new InterruptedError(2))
  expect(await run.outcome).toEqual({ code: 130, out: '', err: '' })
  await ended
})

test('an interrupt during the answer ends the request and keeps the text', async () => {
  const { service, ended } = await watched(begun)
  await using _ = service
  const run = watchSyn(['chat', 'hi'], service.env)
  await run.written('Hel')
  run.stop(new InterruptedError(2))
  expect(await run.outcome).toEqual({ code: 130, out: 'Hel', err: '' })
  await ended
})

test('EPIPE on a write ends the request', async () => {
  const { service, ended } = await watched(begun)
  await using _ = service
  const onWrite = (): Promise<void> => Promise.reject(new BrokenPipeError())
  expect((await watchSyn(['chat', 'hi'], service.env, { onWrite }).outcome).code).toBe(141)
  await ended
})

test('an interrupt ends the wait before a retry', async () => {
  await using service = await startService(json({ error: 'Busy' }, 503, { 'retry-after': '200' }))
  const run = watchSyn(['chat', 'hi'], service.env, { onNotice: () => run.stop(new InterruptedError(2)) })
  const { code, err } = await run.outcome
  expect({ code, requests: service.asked.length }).toEqual({ code: 130, requests: 1 })
  expect(err).toMatch(/retrying in 3 min 20 s \(1 of 3\)\n$/)
})

test('leaving the loop ends the request after a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { service, ended } = await watched(begun)
  await using _ = service
  const client = testClient(service)
  let text = ''
  for await (const deltas of client.stream(chat, { model: 'hf:a', messages: [], stream: true })) {
    for (const delta of deltas) if (delta.type === 'text') text += delta.text
    break
  }
  expect(text).toBe('Hel')
  vi.advanceTimersByTime(1000)
  await ended
  await client.close()
})

test('closing the client aborts a request', async () => {
  const { service, arrived, ended } = await watched(silent)
  await using _ = service
  const client = testClient(service, { retries: 3 })
  const closing = arrived.then(() => client.close())
  await expect(client.send(operations.models)).rejects.toThrow('the connection was closed')
  await closing
  await ended
  expect(service.asked).toHaveLength(1)
})

test('[DONE] ends the run, though the connection stays open', async () => {
  const { service, ended } = await watched((_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chatAnswer(['Hel', 'lo']))
  })
  await using _ = service
  expect(await watchSyn(['chat', 'hi'], service.env).outcome).toEqual({ code: 0, out: 'Hello\n', err: '' })
  await ended
})
