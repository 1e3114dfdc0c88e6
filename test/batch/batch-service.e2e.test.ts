/** The service that tests of `syn batch` use: what it counts must be right. */

import { expect, test } from 'vitest'
import { batchAnswer, startBatchService, type BatchService } from '../helpers/batch-service.ts'

const hour = 3_600_000

function ask(service: BatchService, content: string, more: object = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(`${service.baseUrl}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.env.SYN_API_KEY}` },
    body: JSON.stringify({ model: 'syn:large:text', messages: [{ role: 'user', content }], ...more }),
    ...(signal && { signal }),
  })
}

async function text(reply: Promise<Response>): Promise<string> {
  const { choices } = (await (await reply).json()) as { choices: [{ message: { content: string } }] }
  return choices[0].message.content
}

test('requests are counted, equal ones as such', async () => {
  await using service = await startBatchService()
  expect(await text(ask(service, 'a'))).toBe(batchAnswer('a'))
  const streamed = await (await ask(service, 'b', { stream: true })).text()
  expect(streamed).toMatch(/^data: .*\n\n$/s)
  expect(streamed).toContain('data: [DONE]')
  await ask(service, 'a', { stream_options: { include_usage: true } })
  await ask(service, 'status 400')
  expect(await service.counts()).toMatchObject({
    statuses: { 200: 3, 400: 1 },
    answered: 3,
    timesAnswered: { 1: 1, 2: 1 },
    inFlight: 0,
  })
  await service.resetCounts()
  expect(await service.counts()).toMatchObject({ statuses: {}, answered: 0, timesAnswered: {} })
})

test('a client that disconnects is not in flight any more, but was answered', async () => {
  await using service = await startBatchService({ latency: [hour, hour] })
  const stopping = new AbortController()
  const leaving = ask(service, 'a', {}, stopping.signal).catch(() => undefined)
  await expect.poll(async () => (await service.counts()).inFlight).toBe(1)
  stopping.abort()
  await leaving
  await expect.poll(async () => (await service.counts()).inFlight).toBe(0)
  expect((await service.counts()).answered).toBe(1)
})
