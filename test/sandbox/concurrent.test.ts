/** How many requests to a model are served at a time. */

import { expect, test } from 'vitest'
import { embedding, smallText, thinking, withSandbox, type Clients } from './clients.ts'

const messages = [{ role: 'user' as const, content: 'Count to 100' }]

/** Begins a slow answer, and returns a way to leave before its end. */
async function begin(clients: Clients, model = smallText): Promise<() => Promise<void>> {
  const body = { model, messages, stream: true }
  const response = await clients.fetch('/openai/v1/chat/completions', { body })
  expect(response.status).toBe(200)
  return () => response.body?.cancel() ?? Promise.resolve()
}

test('one more than the limit waits, for each text model', async () => {
  await withSandbox({ concurrent: 2, rate: 1 }, async (clients) => {
    const leave = await begin(clients)
    await begin(clients)
    const { rollingFiveHourLimit: before } = await clients.quota()
    const ended: string[] = []
    const ask = (name: string, sent: Promise<{ readonly status: number }>): Promise<void> =>
      sent.then(({ status }) => void ended.push(`${name} ${status}`))
    const completion = { model: smallText, prompt: 'a', max_tokens: 1 }
    // The name behind the alias is the same model.
    const message = { model: 'hf:zai-org/GLM-4.7-Flash', max_tokens: 1, messages }
    const waiting = [
      ask('completion', clients.fetch('/openai/v1/completions', { body: completion })),
      ask('message', clients.fetch('/anthropic/v1/messages', { body: message })),
    ]
    expect((await clients.chat({ model: thinking })).status).toBe(200)
    expect((await clients.chat({ temperature: 9 })).status).toBe(400)
    expect((await clients.fetch('/openai/v1/embeddings', { body: { model: embedding, input: 'a' } })).status).toBe(200)
    expect(ended).toEqual([])
    const { rollingFiveHourLimit: meanwhile } = await clients.quota()
    expect(Number(meanwhile.remaining)).toBeCloseTo(Number(before.remaining) - 0.05, 4)
    await leave()
    await Promise.all(waiting)
    expect(ended.toSorted()).toEqual(['completion 200', 'message 200'])
  })
})

test('who leaves the queue holds nobody up', async () => {
  await withSandbox({ concurrent: 1, rate: 1 }, async (clients) => {
    const leave = await begin(clients)
    const leaving = new AbortController()
    const body = { model: smallText, messages }
    const gone = clients.fetch('/openai/v1/chat/completions', { body, signal: leaving.signal })
    const waiting = clients.chat({})
    leaving.abort()
    await expect(gone).rejects.toThrow('aborted')
    await leave()
    expect((await waiting).status).toBe(200)
  })
})
