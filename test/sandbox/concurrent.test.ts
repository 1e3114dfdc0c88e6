/** How many requests to a model are served at a time. */

import { expect, test } from 'vitest'
import { embedding, smallText, thinking, withSandbox, type Clients } from './clients.ts'

const messages = [{ role: 'user' as const, content: 'Count to 100' }]
const refusal = {
  status: 502,
  json: { error: 'Bad gateway: too many requests to this model at a time, see --concurrent.' },
}

/** Begins a slow answer, and returns a way to leave before its end. */
async function begin(clients: Clients, model = smallText): Promise<() => Promise<void>> {
  const body = { model, messages, stream: true }
  const response = await clients.fetch('/openai/v1/chat/completions', { body })
  expect(response.status).toBe(200)
  return () => response.body?.cancel() ?? Promise.resolve()
}

test('one more than the limit is refused at once, for each text model', async () => {
  await withSandbox({ concurrent: 2, rate: 1 }, async (clients) => {
    const leave = await begin(clients)
    await begin(clients)
    const { rollingFiveHourLimit: before } = await clients.quota()
    expect(await clients.chat({})).toEqual(refusal)
    expect((await clients.fetch('/openai/v1/completions', { body: { model: smallText, prompt: 'a' } })).status).toBe(
      502,
    )
    const message = { model: smallText, max_tokens: 1, messages }
    const response = await clients.fetch('/anthropic/v1/messages', { body: message })
    expect([response.status, await response.json()]).toEqual([502, expect.objectContaining({ type: 'error' })])
    expect((await clients.quota()).rollingFiveHourLimit).toEqual(before)
    // The name behind the alias is the same model.
    expect(await clients.chat({ model: 'hf:sandbox/Ember-12B' })).toEqual(refusal)
    expect((await clients.chat({ model: thinking })).status).toBe(200)
    expect((await clients.chat({ temperature: 9 })).status).toBe(400)
    expect((await clients.fetch('/openai/v1/embeddings', { body: { model: embedding, input: 'a' } })).status).toBe(200)
    await leave()
    await expect.poll(async () => (await clients.chat({})).status).toBe(200)
  })
})

test('a request runs until the end of its reply, of a delayed one too', async () => {
  await withSandbox({ concurrent: 1, latency: 300 }, async (clients) => {
    const running = clients.chat({})
    await expect.poll(async () => (await clients.quota()).rollingFiveHourLimit.remaining).toBe(499.9)
    expect(await clients.chat({})).toEqual(refusal)
    expect((await running).status).toBe(200)
    expect((await clients.chat({})).status).toBe(200)
  })
})
