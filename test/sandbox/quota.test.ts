import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { Account } from '../../src/sandbox/account.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { Clients, embedding, smallText } from './clients.ts'

interface QuotaRecord {
  subscription: { limit: number; requests: number; renewsAt: string }
  rollingFiveHourLimit: { remaining: number; limited: boolean }
  weeklyTokenLimit: { percentRemaining: number; remainingCredits: string }
}

test('only requests to text models count, and the limit refuses the next', async () => {
  const sandbox = await startSandbox({ port: 0, rate: 0, limit: 3 })
  const clients = new Clients(sandbox)
  const requests = async (): Promise<number> => {
    const record = (await (await clients.fetch('/v2/quotas')).json()) as QuotaRecord
    return record.subscription.requests
  }
  try {
    const messages = [{ role: 'user' as const, content: 'hi' }]
    await clients.ask('hi')
    await clients.openai.completions.create({ model: smallText, prompt: ['a', 'b'], n: 2 })
    expect(await requests()).toBe(2)
    await clients.openai.embeddings.create({ model: embedding, input: 'a' })
    await clients.anthropic.messages.countTokens({ model: smallText, messages })
    await clients.openai.models.list()
    await clients.fetch('/search', { body: { query: 'chat' } })
    await expect(clients.ask('hi', { temperature: 9 })).rejects.toThrow(OpenAI.BadRequestError)
    expect(await requests()).toBe(2)
    await clients.anthropic.messages.create({ model: smallText, max_tokens: 1, messages })
    await expect(clients.ask('hi')).rejects.toThrow(OpenAI.RateLimitError)
    const refused = clients.anthropic.messages.create({ model: smallText, max_tokens: 1, messages })
    await expect(refused).rejects.toThrow(Anthropic.RateLimitError)
    expect(await requests()).toBe(3)
    const body = { model: smallText, messages }
    const response = await clients.fetch('/openai/v1/chat/completions', { body })
    expect(response.headers.get('retry-after')).toBeNull()
    expect(await response.json()).toEqual({
      error: expect.stringContaining("You've exceeded your subscription rate limits.") as string,
    })
    const record = JSON.parse(response.headers.get('x-synthetic-quotas') ?? '') as QuotaRecord
    expect(record).toMatchObject({ subscription: { limit: 3, requests: 3 }, rollingFiveHourLimit: { limited: true } })
  } finally {
    await sandbox.close()
  }
})

test('usage is renewed in time', () => {
  let now = Date.UTC(2026, 0, 1)
  const account = new Account(2, () => now)
  const record = (): QuotaRecord => account.record() as unknown as QuotaRecord
  account.countRequest()
  account.countRequest()
  expect(() => account.countRequest()).toThrow('Your limit renews at 2026-01-01T05:00:00.000Z')
  expect(record().rollingFiveHourLimit).toMatchObject({ remaining: 0, limited: true })
  now += 60 * 60_000
  expect(record().rollingFiveHourLimit.remaining).toBe(0.4)
  now += 4 * 60 * 60_000
  expect(record().subscription).toEqual({ limit: 2, requests: 0, renewsAt: '2026-01-01T10:00:00.000Z' })
  expect(record().rollingFiveHourLimit).toMatchObject({ remaining: 2, limited: false })
})
