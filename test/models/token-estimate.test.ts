/** The tokens of a prompt before the service counts them: close enough to say what a run costs. */

import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/io/json/json.ts'
import { estimatedTokens, PromptEstimator } from '../../src/models/token-estimate.ts'
import { countedTexts } from '../helpers/token-counts.ts'

/** The three models differ among each other by up to 37 % in a text, so no estimate is closer to all. */
const bound = 0.15

test.each(countedTexts)(`%s: within ${bound * 100} %% of what models count`, (_name, text, median) => {
  expect(Math.abs(estimatedTokens(text) / median - 1)).toBeLessThan(bound)
})

describe('of a request', () => {
  const text = 'How many words does this sentence have?'
  const tokens = estimatedTokens(text)

  test.each<[what: string, body: JsonObject, tokens: number]>([
    ['a message', { messages: [{ role: 'user', content: text }] }, tokens + 4],
    ['parts of text', { messages: [{ role: 'user', content: [{ type: 'text', text }] }] }, tokens + 4],
    ['a system prompt beside', { system: text, messages: [{ role: 'user', content: text }] }, 2 * tokens + 4],
    ['several prompts', { prompt: [text, text] }, 2 * tokens + 4],
    ['what is no prompt', { model: text, stop: [text], messages: [{ role: 'user', content: text }] }, tokens + 4],
  ])('%s', (_what, body, expected) => {
    expect(new PromptEstimator().tokensOf({ model: 'hf:a/b', ...body })).toBe(expected)
  })

  test('tools are part of the prompt', () => {
    const tools = [{ type: 'function', function: { name: 'weather', description: text, parameters: {} } }]
    const body = { messages: [{ role: 'user', content: text }], tools }
    expect(new PromptEstimator().tokensOf(body)).toBeGreaterThan(2 * tokens + 4)
  })

  test.each<[api: string, part: JsonObject]>([
    ['chat', { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(1000)}` } }],
    ['messages', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(1000) } }],
  ])('the data of an image is no text: %s', (_api, part) => {
    const estimator = new PromptEstimator()
    const body = { messages: [{ role: 'user', content: [{ type: 'text', text }, part] }] }
    expect(estimator.tokensOf(body)).toBe(tokens + 1004)
    expect(estimator.hasImages).toBe(true)
  })
})
