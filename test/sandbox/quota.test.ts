import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { Account } from '../../src/sandbox/account.ts'
import { sandboxModel } from '../../src/sandbox/models.ts'
import { embedding, expensive, smallText, thinking, withSandbox, type Clients } from './clients.ts'

const messages = [{ role: 'user' as const, content: 'hi' }]
const start = Date.UTC(2026, 0, 1)
const minute = 60_000
const exceeded = expect.stringContaining("You've exceeded your subscription rate limits.") as string

async function remaining(clients: Clients): Promise<number> {
  return (await clients.quota()).rollingFiveHourLimit.remaining
}

test('only requests to text models count, and the limit refuses the next', async () => {
  await withSandbox({ limit: 3 }, async (clients) => {
    await clients.ask('hi', { model: expensive })
    await clients.openai.completions.create({ model: expensive, prompt: ['a', 'b'], n: 2 })
    expect(await remaining(clients)).toBe(1)
    await clients.openai.embeddings.create({ model: embedding, input: 'a' })
    await clients.anthropic.messages.countTokens({ model: smallText, messages })
    await clients.openai.models.list()
    await clients.fetch('/search', { body: { query: 'chat' } })
    await expect(clients.ask('hi', { temperature: 9 })).rejects.toThrow(OpenAI.BadRequestError)
    expect(await remaining(clients)).toBe(1)
    await clients.anthropic.messages.create({ model: expensive, max_tokens: 1, messages })
    await expect(clients.ask('hi')).rejects.toThrow(OpenAI.RateLimitError)
    const refused = clients.anthropic.messages.create({ model: smallText, max_tokens: 1, messages })
    await expect(refused).rejects.toThrow(Anthropic.RateLimitError)
    const response = await clients.fetch('/openai/v1/chat/completions', { body: { model: smallText, messages } })
    expect(response.headers.get('retry-after')).toBeNull()
    expect(await response.json()).toEqual({ error: exceeded })
    expect(JSON.parse(response.headers.get('x-synthetic-quotas') ?? '')).toMatchObject({
      subscription: { limit: 3, requests: 0 },
      rollingFiveHourLimit: { remaining: 0, max: 3, limited: true },
    })
  })
})

test('a request weighs as much as its model costs, and the rest stays exact', async () => {
  await withSandbox({}, async (clients) => {
    await clients.chat({ model: thinking })
    await clients.chat({ model: smallText })
    await clients.chat({ model: smallText })
    await clients.chat({ model: smallText })
    expect((await clients.quota()).rollingFiveHourLimit).toMatchObject({ remaining: 499.85, max: 500, limited: false })
    await clients.chat({ model: expensive })
    expect(await remaining(clients)).toBe(498.85)
  })
})

test('the weekly credit is refused when it is used up, and comes back in fifty parts', async () => {
  let now = start
  const account = new Account({ now: () => now })
  const model = sandboxModel(expensive, 'text')
  const ask = (): Promise<unknown> => account.countRequest(model, [], new AbortController().signal)
  account.charge(model, { completion: 800_000 })
  expect(account.record().weeklyTokenLimit).toEqual({
    nextRegenAt: '2026-01-01T03:21:36.000Z',
    percentRemaining: 50,
    maxCredits: '$24.00',
    remainingCredits: '$12.00',
    nextRegenCredits: '$0.48',
  })
  account.charge(model, { completion: 800_000 })
  expect(account.record()).toMatchObject({
    weeklyTokenLimit: { remainingCredits: '$0.00', percentRemaining: 0 },
    rollingFiveHourLimit: { limited: false },
  })
  await expect(ask()).rejects.toThrow("You've exceeded your subscription rate limits.")
  now = start + 3.5 * 60 * minute
  expect(account.record().weeklyTokenLimit).toMatchObject({ remainingCredits: '$0.48' })
  await ask()
})

test('an account whose limit is used up recovers by ticks', async () => {
  let now = start
  await withSandbox({ limit: 20, now: () => now }, async (clients) => {
    const key = 'sandbox-key-limited'
    expect(await clients.chat({}, key)).toEqual({ status: 429, json: { error: exceeded } })
    expect((await clients.quota(key)).rollingFiveHourLimit).toMatchObject({ remaining: 0, max: 20, limited: true })
    now = start + 15 * minute
    expect((await clients.chat({ model: expensive }, key)).status).toBe(200)
    expect((await clients.chat({}, key)).status).toBe(429)
    expect(await remaining(clients)).toBe(20)
  })
})

test('an account without a subscription has no quota, and is refused what counts', async () => {
  await withSandbox({}, async (clients) => {
    const key = 'sandbox-key-no-credit'
    expect(await clients.quota(key)).toEqual({})
    expect(await clients.chat({}, key)).toEqual({
      status: 402,
      json: { error: 'Insufficient credits, no active subscription' },
    })
    const embedded = await clients.fetch('/openai/v1/embeddings', { body: { model: embedding, input: 'a' }, key })
    expect(embedded.status).toBe(200)
    expect((await clients.fetch('/v2/quotas', { key: 'sandbox-key-other' })).status).toBe(401)
  })
})

test('an account without a quota record takes requests', async () => {
  await withSandbox({}, async (clients) => {
    const key = 'sandbox-key-no-quota'
    expect(await clients.quota(key)).toEqual({})
    expect((await clients.chat({}, key)).status).toBe(200)
  })
})
