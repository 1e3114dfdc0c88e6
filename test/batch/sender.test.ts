/** One attempt at the request of a row, against a server. */

import { describe, expect, test } from 'vitest'
import { RateLimitError } from '../../src/api/failures.ts'
import { operations } from '../../src/api/operations.ts'
import type { RowRequest } from '../../src/batch/row.ts'
import { createSender, type SenderOptions, type SendRow } from '../../src/batch/sending/sender.ts'
import { StatusError } from '../../src/errors.ts'
import { Secrets } from '../../src/io/secrets.ts'
import { Catalog } from '../../src/models/catalog.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { rowRequest } from '../helpers/batch.ts'
import { testClient, type TestClientOptions } from '../helpers/client.ts'
import { testIo, unreadInput } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, type Service, startService, testKey } from '../helpers/service.ts'

interface TestSender {
  readonly send: SendRow
  readonly notices: string[]
}

function senderFor(
  service: Service,
  options: Partial<SenderOptions> = {},
  clientOptions: TestClientOptions = {},
): TestSender {
  const notices: string[] = []
  const notify = (text: string): Promise<void> => Promise.resolve(void notices.push(text))
  const client = testClient(service, { retries: 3, onNotice: notify, ...clientOptions })
  const sink = { isTerminal: false as const, columns: () => 80, write: () => Promise.resolve() }
  const io = testIo({ in: unreadInput(), out: sink, err: sink, env: {} })
  const catalog = new Catalog(client, { cacheKey: undefined, anyModel: false } as unknown as Settings, io)
  const secrets = new Secrets()
  secrets.add(testKey)
  const deps = {
    client,
    catalog,
    secrets,
    schema: undefined,
    fallback: false,
    allowsCut: false,
    retries: 3,
    limit: () => 1,
    notify,
    now: Date.now,
  }
  return { send: createSender({ ...deps, ...options }), notices }
}

const hello = events(chatAnswer(['Hel', 'lo']))

const embedding: RowRequest = {
  ...rowRequest(1),
  operation: { ...operations.embeddings },
  body: { model: 'hf:nomic-ai/nomic-embed-text-v1.5', input: 'Hi' },
}

test('embeddings are kept as the service sends them', async () => {
  const body = { object: 'list', model: 'served', data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 2 } }
  await using service = await startService(json(body), json({}))
  const { send } = senderFor(service)
  const { result } = await send(embedding)
  expect(result).toMatchObject({ model: 'served', usage: { promptTokens: 2 }, response: { body } })
  await expect(send(embedding)).rejects.toThrow('the reply contains no embeddings')
})

describe('a failure is thrown after one attempt, without a notice', () => {
  test.each([rowRequest(1), embedding])('a status of the service', async (request) => {
    await using service = await startService(json({ error: { message: 'busy' } }, 503, { 'retry-after': '60' }))
    const { send, notices } = senderFor(service)
    const error = await send(request).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(StatusError)
    expect(error).toMatchObject({ status: 503, retryAfter: 60_000, hint: undefined })
    expect({ requests: service.asked.length, notices }).toEqual({ requests: 1, notices: [] })
  })

  test('a refusal, without a request for the quota', async () => {
    await using service = await startService(json({}, 429))
    await expect(senderFor(service).send(rowRequest(1))).rejects.toBeInstanceOf(RateLimitError)
    expect(service.asked.map(({ path }) => path)).toEqual([operations.chat.path])
  })
})

test('a service that refuses to send usage is asked without it from then on', async () => {
  const refusal = json({ error: { message: 'Unknown field stream_options' } }, 400)
  await using service = await startService(refusal, hello)
  const { send } = senderFor(service)
  for (const line of [1, 2]) expect((await send(rowRequest(line))).result.error).toBeNull()
  const hasOption = service.asked.map(({ json: body }) => 'stream_options' in (body as object))
  expect(hasOption).toEqual([true, false, false])
})
