/** The service and the files that tests of `syn batch` use: what they count and compare must be right. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { firstDifference, rowText, writeRows } from '../helpers/batch-files.ts'
import { batchAnswer, forkBatchService, startBatchService, type BatchService } from '../helpers/batch-service.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

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

describe.each([
  ['in this process', startBatchService],
  ['in its own process', forkBatchService],
])('%s', (_where, startService) => {
  test('requests are counted, equal ones as such', async () => {
    await using service = await startService()
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
      mostInFlight: 1,
      inFlight: 0,
    })
    await service.resetCounts()
    expect(await service.counts()).toMatchObject({ statuses: {}, answered: 0, timesAnswered: {} })
  })

  test('a client that disconnects is not in flight any more, but was answered', async () => {
    await using service = await startService({ latency: [hour, hour] })
    const stopping = new AbortController()
    const leaving = ask(service, 'a', {}, stopping.signal).catch(() => undefined)
    await expect.poll(async () => (await service.counts()).inFlight).toBe(1)
    stopping.abort()
    await leaving
    await expect.poll(async () => (await service.counts()).inFlight).toBe(0)
    expect((await service.counts()).answered).toBe(1)
  })
})

test('files of rows', () => {
  const path = join(emptyFolder(), 'rows')
  writeRows(path, 2)
  expect(readFileSync(path, 'utf8')).toBe(
    `{"custom_id":"row-1","prompt":"${rowText(1)}"}\n{"custom_id":"row-2","prompt":"${rowText(2)}"}\n`,
  )
  writeRows(path, 2, 'csv', (row) => `say "${row}"`)
  expect(readFileSync(path, 'utf8')).toBe('title,text\nTitle 1,"say ""1"""\nTitle 2,"say ""2"""\n')
  writeRows(path, 100_000, 'lines')
  expect(readFileSync(path, 'utf8').match(/\n/g)).toHaveLength(100_000)
})

test.each([
  ['a\nb\n', 'a\nb\n', undefined],
  ['a\nb\n', 'a\nc\n', [2, 'b\n', 'c\n']],
  ['a\nb\nc\n', 'a\nb\n', [3, 'c\n', '']],
  ['a\nb', 'a\nb\n', [2, 'b', 'b\n']],
  ['', 'a\n', [1, '', 'a\n']],
])('%j and %j differ in %j', (one, other, difference) => {
  const folder = emptyFolder()
  const [first, second] = [join(folder, 'one'), join(folder, 'other')]
  writeFileSync(first, one)
  writeFileSync(second, other)
  expect(firstDifference(first, second)).toEqual(difference)
})
