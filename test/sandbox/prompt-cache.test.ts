import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/io/json/json.ts'
import { PromptCache } from '../../src/sandbox/prompt-cache.ts'
import { expensive, smallText, withSandbox, type Clients } from './clients.ts'

const system: ChatCompletionMessageParam = { role: 'system', content: 'Answer like a pirate. '.repeat(50) }
const first: ChatCompletionMessageParam = { role: 'user', content: 'Who are you?' }
const second: ChatCompletionMessageParam = { role: 'user', content: 'Where are you?' }

/** All tokens of a prompt, and the cached ones. */
async function tokens(clients: Clients, messages: ChatCompletionMessageParam[], more: object = {}): Promise<number[]> {
  const request = { model: smallText, messages, ...more, stream: false as const }
  const { usage } = await clients.openai.chat.completions.create(request)
  return [usage?.prompt_tokens ?? 0, usage?.prompt_tokens_details?.cached_tokens ?? 0]
}

test('the beginning of a prompt that was sent before is cached, by whole messages', async () => {
  await withSandbox({}, async (clients) => {
    const [all = 0, none] = await tokens(clients, [system, first])
    expect(none).toBe(0)
    expect(await tokens(clients, [system, first])).toEqual([all, all])
    const [, cached = 0] = await tokens(clients, [system, second])
    expect(cached).toBeGreaterThan(200)
    expect(cached).toBeLessThan(all)
    const answer: ChatCompletionMessageParam = { role: 'assistant', content: 'Arr.' }
    expect((await tokens(clients, [system, first, answer, second]))[1]).toBe(all)
    expect((await tokens(clients, [first, system]))[1]).toBe(0)
  })
})

test('the messages dialect counts cached tokens beside the input, and written ones within it', async () => {
  await withSandbox({}, async (clients) => {
    const usage = async (more: object = {}): Promise<JsonObject> => {
      const body = { model: smallText, max_tokens: 1, messages: [first], ...more }
      const response = await clients.fetch('/anthropic/v1/messages', { body })
      return ((await response.json()) as { usage: JsonObject }).usage
    }
    const { input_tokens: all } = await usage()
    expect(await usage()).toEqual({ input_tokens: 0, output_tokens: 1, cache_read_input_tokens: all })
    const control = { cache_control: { type: 'ephemeral' } }
    const other = { messages: [second], ...control }
    expect(await usage(other)).toEqual({ input_tokens: all, output_tokens: 1, cache_creation_input_tokens: all })
    expect(await usage(other)).toEqual({ input_tokens: 0, output_tokens: 1, cache_read_input_tokens: all })
  })
})

test('cached tokens have a price of their own, and written ones are free', async () => {
  await withSandbox({}, async (clients) => {
    const { data } = (await (await clients.fetch('/openai/v1/models')).json()) as { data: JsonObject[] }
    expect(data.find(({ id }) => id === expensive)?.['pricing']).toEqual({
      prompt: '$0.000003',
      completion: '$0.000015',
      input_cache_reads: '$0.00000045',
      input_cache_writes: '0',
      image: '0',
      request: '0',
    })
    const spent = async (more: object): Promise<number> => {
      const before = (await clients.quota()).weeklyTokenLimit.remainingCredits
      const content = 'word '.repeat(100_000)
      const body = { model: expensive, max_tokens: 1, messages: [{ role: 'user', content }], ...more }
      expect((await clients.fetch('/anthropic/v1/messages', { body })).status).toBe(200)
      const after = (await clients.quota()).weeklyTokenLimit.remainingCredits
      return Math.round(100 * (Number(before.slice(1)) - Number(after.slice(1))))
    }
    expect(await spent({})).toBe(30)
    expect(await spent({})).toBe(5)
    expect(await spent({ system: 'Hm.', cache_control: { type: 'ephemeral' } })).toBe(0)
  })
})

test('the memory of the cache is bounded, and the last used prompts stay', () => {
  const cache = new PromptCache()
  const cached = (content: string): number => cache.read('model', [{ content, tokens: 1 }]).cached
  for (let at = 0; at < 10_000; at++) expect(cached(String(at))).toBe(0)
  expect(cached('0')).toBe(1)
  expect(cached('another')).toBe(0)
  expect([cached('0'), cached('1')]).toEqual([1, 0])
})
