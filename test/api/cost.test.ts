/** What an answer costs by the model list: cached tokens have their own prices, and stand within or beside the prompt tokens. */

import { describe, expect, test } from 'vitest'
import { costText } from '../../src/answer/usage-text.ts'
import { costOf, decodeModels, priceNamed } from '../../src/api/models.ts'
import type { Json, JsonObject } from '../../src/io/json/json.ts'
import { decodeUsage } from '../../src/stream/delta.ts'

const pricing = { prompt: '$0.000001', completion: '$0.000003', input_cache_reads: '$0.00000016' }

function cost(usage: JsonObject, prices: JsonObject = pricing): number | undefined {
  const price = priceNamed(decodeModels({ data: [{ id: 'hf:a/b', pricing: prices }] }), ['hf:a/b'])
  return price && costOf(price, decodeUsage(usage) ?? {})
}

describe('cached tokens', () => {
  test.each<[what: string, usage: JsonObject, dollars: number]>([
    [
      'within the prompt tokens',
      { prompt_tokens: 100_000, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 90_000 } },
      0.01 + 0.0144 + 0.00003,
    ],
    [
      'beside the input tokens',
      { input_tokens: 10_000, output_tokens: 10, cache_read_input_tokens: 90_000 },
      0.01 + 0.0144 + 0.00003,
    ],
    [
      'beside prompt tokens that are fewer',
      { prompt_tokens: 10_000, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 90_000 } },
      0.01 + 0.0144 + 0.00003,
    ],
    [
      'that are written, free and within the input tokens',
      { input_tokens: 3000, output_tokens: 0, cache_creation_input_tokens: 2000 },
      0.001,
    ],
  ])('%s', (_what, usage, dollars) => {
    expect(cost(usage, { ...pricing, input_cache_writes: '0' })).toBeCloseTo(dollars, 10)
  })

  test('that are written have their price, which may be 0, and without one that of the prompt', () => {
    const usage = { input_tokens: 1000, output_tokens: 0, cache_creation_input_tokens: 100_000 }
    expect(cost(usage, { ...pricing, input_cache_writes: '$0.00000125' })).toBeCloseTo(0.001 + 0.125, 10)
    expect(cost(usage, { ...pricing, input_cache_writes: '0' })).toBeCloseTo(0.001, 10)
    expect(cost(usage)).toBeCloseTo(0.001 + 0.1, 10)
  })
})

test('is that of the requested model, else of the served one, wherever their rows stand', () => {
  const rows = ['hf:other', 'syn:a', 'hf:a/b'].map((id, index) => ({
    id,
    hugging_face_id: id === 'syn:a' ? 'a/b' : undefined,
    pricing: { prompt: String(index + 1), completion: '0' },
  }))
  const priceOf = (...names: string[]) => priceNamed(decodeModels({ data: rows as Json[] }), names)?.prompt
  expect([priceOf('hf:a/b', 'hf:other'), priceOf('hf:none', 'other'), priceOf('syn:a', 'a/b')]).toEqual([3, 1, 2])
})

describe('recorded replies', () => {
  test.each<[what: string, usage: JsonObject, dollars: number]>([
    // llama.cpp, as in test/fixtures/foreign/.
    [
      'a chat stream',
      { completion_tokens: 4, prompt_tokens: 24, total_tokens: 28, prompt_tokens_details: { cached_tokens: 23 } },
      1e-6 + 23 * 1.6e-7 + 4 * 3e-6,
    ],
    // Portkey, which passes the counts of Anthropic on under the names of OpenAI.
    [
      'a chat through a gateway',
      {
        prompt_tokens: 1,
        completion_tokens: 5,
        total_tokens: 40,
        prompt_tokens_details: { cached_tokens: 34 },
        cache_read_input_tokens: 34,
      },
      1e-6 + 34 * 1.6e-7 + 5 * 3e-6,
    ],
  ])('%s', (_what, usage, dollars) => {
    expect(cost(usage)).toBeCloseTo(dollars, 12)
  })
})

test.each<[what: string, list: Json, names: (string | undefined)[], dollars: number | undefined]>([
  ['as requested', { data: [{ id: 'hf:a/b', pricing }] }, ['hf:a/b'], 0.0013],
  ['as served, without its prefix', { data: [{ id: 'hf:a/b', pricing }] }, ['syn:large:text', 'a/b'], 0.0013],
  [
    'by the name of the model that an alias points to',
    { data: [{ id: 'syn:x', hugging_face_id: 'a/b', pricing }] },
    ['hf:a/b'],
    0.0013,
  ],
  ['not of another model', { data: [{ id: 'hf:a/b', pricing }] }, ['hf:a/c', undefined], undefined],
  ['not with half a price', { data: [{ id: 'hf:a', pricing: { prompt: '1' } }] }, ['hf:a'], undefined],
  ['not without a list', { data: {} }, ['hf:a'], undefined],
])('%s', (_what, list, names, expected) => {
  const price = priceNamed(decodeModels(list), names)
  if (expected === undefined) expect(price).toBeUndefined()
  else expect(price && costOf(price, { promptTokens: 1000, completionTokens: 100 })).toBeCloseTo(expected, 9)
})

test.each([
  [0.001234, '$0.0012'],
  [0.000000123, '$0.00000012'],
  [1234, '$1,234.00'],
  [Infinity, 'an unknown cost'],
  [NaN, 'an unknown cost'],
])('%d is printed as %s', (dollars, text) => {
  expect(costText(dollars)).toBe(text)
})
