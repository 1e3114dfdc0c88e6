/** A service that is slow, fails, and has a quota that renews. */

import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { embedding, expensive, smallText, withSandbox } from './clients.ts'

const messages = [{ role: 'user' as const, content: 'hi' }]
const hour = 3_600_000

test('requests that fail get status 503, and do not count', async () => {
  await withSandbox({ failing: 1, limit: 1 }, async (clients) => {
    await expect(clients.ask('hi')).rejects.toThrow('Service unavailable: the sandbox fails at random')
    await expect(clients.openai.embeddings.create({ model: embedding, input: 'a' })).rejects.toThrow(
      OpenAI.InternalServerError,
    )
    const response = await clients.fetch('/openai/v1/chat/completions', { body: { model: smallText, messages } })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, null])
    expect(await clients.quota()).toMatchObject({ rollingFiveHourLimit: { remaining: 1 } })
    expect((await clients.openai.models.list()).data).not.toEqual([])
  })
})

test('latency comes before an answer begins', async () => {
  await withSandbox({ latency: 50 }, async (clients) => {
    const start = performance.now()
    const body = { model: smallText, messages, stream: true }
    const response = await clients.fetch('/openai/v1/chat/completions', { body })
    expect(performance.now() - start).toBeGreaterThan(45)
    expect(await response.text()).toContain('sandbox')
  })
})

test('only inference waits, a refused request does not, and closing the sandbox ends the wait', async () => {
  let failure: Promise<unknown> | undefined
  await withSandbox({ latency: hour, limit: 1 }, async (clients) => {
    failure = clients.ask('hi', { model: expensive }).catch((error: unknown) => error)
    await expect.poll(() => clients.quota()).toMatchObject({ rollingFiveHourLimit: { remaining: 0 } })
    await expect(clients.ask('hi')).rejects.toThrow(OpenAI.RateLimitError)
    await clients.anthropic.messages.countTokens({ model: smallText, messages })
  })
  expect(await failure).toBeInstanceOf(OpenAI.APIConnectionError)
})

test('the rolling limit comes back in twentieths of the time asked for', async () => {
  const start = Date.UTC(2026, 0, 1)
  let now = start
  await withSandbox({ limit: 2, renewal: 60_000, now: () => now }, async (clients) => {
    const ask = (): Promise<string> => clients.ask('hi', { model: expensive })
    await ask()
    await ask()
    await expect(ask()).rejects.toThrow('Your limit renews in part at 2026-01-01T00:00:03.000Z')
    now = start + 3000
    expect(await clients.quota()).toMatchObject({
      subscription: { requests: 0, renewsAt: '2026-01-01T00:01:00.000Z' },
      rollingFiveHourLimit: { remaining: 0.1, nextTickAt: '2026-01-01T00:00:06.000Z', limited: false },
    })
    now = start + 29_999
    await expect(ask()).rejects.toThrow(OpenAI.RateLimitError)
    now = start + 30_000
    await ask()
    now = start + 24 * hour + 1
    expect(await clients.quota()).toMatchObject({
      subscription: { requests: 0, renewsAt: '2026-01-02T00:01:00.000Z' },
      rollingFiveHourLimit: { remaining: 2 },
    })
  })
})
