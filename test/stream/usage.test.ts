/** Token counts, under the names of each dialect. */

import { expect, test } from 'vitest'
import { decodeUsage } from '../../src/stream/delta.ts'
import type { Json } from '../../src/io/json/json.ts'

type Count = number | undefined

test.each<[usage: Json, promptTokens: Count, completionTokens: Count]>([
  [{ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }, 3, 2],
  [{ input_tokens: 3, output_tokens: 2 }, 3, 2],
  [{ prompt_tokens: '3', completion_tokens: 2 }, undefined, 2],
  [
    { prompt_tokens: 3, completion_tokens: 2, total_tokens: 9, completion_tokens_details: { reasoning_tokens: 4 } },
    3,
    6,
  ],
  [
    { prompt_tokens: 3, completion_tokens: 6, total_tokens: 9, completion_tokens_details: { reasoning_tokens: 4 } },
    3,
    6,
  ],
  [{ prompt_tokens: 3, completion_tokens: 6, completion_tokens_details: { reasoning_tokens: 4 } }, 3, 6],
  [{ prompt_tokens: 3, completion_tokens: 2, total_tokens: 9 }, 3, 6],
])('%j', (usage, promptTokens, completionTokens) => {
  expect(decodeUsage(usage)).toEqual({ promptTokens, completionTokens })
})

test.each<[usage: Json, promptTokens: Count, cachedTokens: Count, cacheWriteTokens: Count]>([
  [{ prompt_tokens: 18, prompt_tokens_details: { cached_tokens: 17 } }, 18, 17, undefined],
  [{ prompt_tokens: 18, cache_read_input_tokens: 17 }, 18, 17, undefined],
  [{ input_tokens: 1, cache_read_input_tokens: 17 }, 18, 17, undefined],
  [{ input_tokens: 1, cache_creation_input_tokens: 17 }, 18, undefined, 17],
  [{ input_tokens: 2000, cache_creation_input_tokens: 2000 }, 2000, undefined, 2000],
  [{ input_tokens: 20, cache_read_input_tokens: 12, cache_creation_input_tokens: 5 }, 32, 12, 5],
  [{ input_tokens: 1, cache_read_input_tokens: 12, cache_creation_input_tokens: 5 }, 18, 12, 5],
  [{ input_tokens: 1, cache_read_input_tokens: null, cache_creation_input_tokens: 'x' }, 1, undefined, undefined],
  [{ output_tokens: 3, cache_read_input_tokens: 17 }, undefined, 17, undefined],
])('cached tokens are prompt tokens: %j', (usage, promptTokens, cachedTokens, cacheWriteTokens) => {
  expect(decodeUsage(usage)).toMatchObject({ promptTokens, cachedTokens, cacheWriteTokens })
})

test.each([null, [], { total_tokens: 5 }])('nothing in %j', (usage) => {
  expect(decodeUsage(usage)).toBeUndefined()
})

test('cached tokens of a gateway that leaves them out of the prompt come on top', () => {
  const usage = { prompt_tokens: 1, prompt_tokens_details: { cached_tokens: 34 }, cache_read_input_tokens: 34 }
  expect(decodeUsage(usage)).toMatchObject({ promptTokens: 35, cachedTokens: 34 })
})

test('cached tokens that only the total counts are no reasoning', () => {
  const usage = {
    prompt_tokens: 50,
    completion_tokens: 2,
    total_tokens: 92,
    prompt_tokens_details: { cached_tokens: 40 },
  }
  expect(decodeUsage(usage)).toMatchObject({ promptTokens: 50, completionTokens: 2 })
})
