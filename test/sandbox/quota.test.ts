import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
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
    await clients.ask('hi', { model: thinking })
    await clients.openai.completions.create({ model: thinking, prompt: ['a', 'b'], n: 2 })
    expect(await remaining(clients)).toBe(1)
    await clients.openai.embeddings.create({ model: embedding, input: 'a' })
    await clients.anthropic.messages.countTokens({ model: thinking, messages })
    await clients.openai.models.list()
    await clients.fetch('/search', { body: { query: 'chat' } })
    await expect(clients.ask('hi', { temperature: 9 })).rejects.toThrow(OpenAI.BadRequestError)
    expect(await remaining(clients)).toBe(1)
    await clients.anthropic.messages.create({ model: thinking, max_tokens: 1, messages })
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
    expect((await clients.quota()).rollingFiveHourLimit).toMatchObject({ remaining: 498.9, max: 500, limited: false })
    await clients.chat({ model: expensive })
    await clients.chat({ model: 'hf:sandbox/Fjord-70B-Thinking' })
    expect(await remaining(clients)).toBe(494.3)
    for (let count = 0; count < 7; count++) await clients.chat({})
    expect(await remaining(clients)).toBe(493.6)
  })
})

test('what is too little for one model is enough for another', async () => {
  await withSandbox({ limit: 1 }, async (clients) => {
    await clients.chat({})
    expect((await clients.chat({ model: thinking })).status).toBe(429)
    for (let count = 0; count < 9; count++) expect((await clients.chat({})).status).toBe(200)
    expect((await clients.quota()).rollingFiveHourLimit).toMatchObject({ remaining: 0, limited: true })
    expect(await clients.chat({})).toEqual({ status: 429, json: { error: exceeded } })
  })
})

test('the rolling limit is full again after five hours, in twenty parts', async () => {
  let now = start
  await withSandbox({ limit: 2, now: () => now }, async (clients) => {
    await clients.chat({ model: thinking })
    await clients.chat({ model: thinking })
    const { rollingFiveHourLimit: block } = await clients.quota()
    expect(block).toMatchObject({ remaining: 0, nextTickAt: '2026-01-01T00:15:00.000Z', tickPercent: 0.05 })
    now = start + 75 * minute
    expect(await remaining(clients)).toBe(0.5)
    now = start + 299 * minute
    expect(await remaining(clients)).toBe(1.9)
    now = start + 300 * minute
    expect(await remaining(clients)).toBe(2)
  })
})

test('the weekly credit pays for the tokens, refuses when it is used up, and comes back in fifty parts', async () => {
  let now = start
  await withSandbox({ now: () => now }, async (clients) => {
    const request = { model: expensive, messages: [{ role: 'user' as const, content: 'Count to 2000' }], n: 128 }
    const { usage } = await clients.openai.chat.completions.create(request)
    const cost = (usage?.prompt_tokens ?? 0) * 0.000002 + (usage?.completion_tokens ?? 0) * 0.000008
    expect(cost).toBeGreaterThan(1)
    expect((await clients.quota()).weeklyTokenLimit).toEqual({
      nextRegenAt: '2026-01-01T03:21:36.000Z',
      percentRemaining: Math.round((1 - cost / 24) * 10_000) / 100,
      maxCredits: '$24.00',
      remainingCredits: `$${(24 - cost).toFixed(2)}`,
      nextRegenCredits: '$0.48',
    })
    for (let paid = cost; paid < 24; paid += cost) await clients.openai.chat.completions.create(request)
    const used = await clients.quota()
    expect(used.weeklyTokenLimit).toMatchObject({ remainingCredits: '$0.00', percentRemaining: 0 })
    expect(used.rollingFiveHourLimit.limited).toBe(false)
    expect(await clients.chat({})).toEqual({ status: 429, json: { error: exceeded } })
    now = start + 7 * 24 * 60 * minute
    expect((await clients.quota()).weeklyTokenLimit.remainingCredits).not.toBe('$0.00')
    expect((await clients.chat({})).status).toBe(200)
  })
})

test('an account whose limit is used up recovers by ticks', async () => {
  let now = start
  await withSandbox({ limit: 20, now: () => now }, async (clients) => {
    const key = 'sandbox-key-limited'
    expect(await clients.chat({}, key)).toEqual({ status: 429, json: { error: exceeded } })
    expect((await clients.quota(key)).rollingFiveHourLimit).toMatchObject({ remaining: 0, max: 20, limited: true })
    now = start + 15 * minute
    expect((await clients.chat({ model: thinking }, key)).status).toBe(200)
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

test('the key needs its scheme', async () => {
  await withSandbox({}, async ({ sandbox }) => {
    const headers = { authorization: sandbox.key }
    expect((await fetch(`${sandbox.baseUrl}/v2/quotas`, { headers })).status).toBe(401)
  })
})
