/** Token counts, under the names of each family. */

import { expect, test } from 'vitest'
import { decodeUsage } from '../../src/stream/delta.ts'
import type { Json } from '../../src/io/json.ts'

test.each<[usage: Json | undefined, promptTokens: number | undefined, completionTokens: number | undefined]>([
  [{ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }, 3, 2],
  [{ input_tokens: 3, output_tokens: 2 }, 3, 2],
  [{ prompt_tokens: 0, completion_tokens: 0 }, 0, 0],
  [{ prompt_tokens: 3 }, 3, undefined],
  [{ prompt_tokens: '3', completion_tokens: 2 }, undefined, 2],
])('%j', (usage, promptTokens, completionTokens) => {
  expect(decodeUsage(usage)).toEqual({ promptTokens, completionTokens })
})

test.each([undefined, null, {}, [], 'none', { total_tokens: 5 }])('nothing in %j', (usage) => {
  expect(decodeUsage(usage)).toBeUndefined()
})
