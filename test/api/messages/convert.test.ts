/** Conversion of conversations between the API dialects. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromChat, toChat } from '../../../src/api/messages/convert.ts'
import type { Json, JsonObject } from '../../../src/io/json/json.ts'
import { samples } from '../../helpers/samples.ts'

const text = fc.string({ minLength: 1 })
const textBlock = fc.record({ type: fc.constant('text'), text })
const cachedBlock = fc.record({
  type: fc.constant('text'),
  text,
  cache_control: fc.constant({ type: 'ephemeral' }),
})
// Without `fc.webUrl()`, which takes a second for a table of all characters.
const url = fc.string().map((path) => `https://example.com/${encodeURIComponent(path)}`)
const source = fc.oneof(
  fc.record({ type: fc.constant('url'), url }),
  fc.record({
    type: fc.constant('base64'),
    media_type: fc.constantFrom('image/png', 'image/webp'),
    data: fc.base64String(),
  }),
)
const image = fc.record({ type: fc.constant('image'), source })
const result = fc.record(
  {
    type: fc.constant('tool_result'),
    tool_use_id: text,
    content: fc.string(),
    is_error: fc.boolean(),
  },
  { requiredKeys: ['type', 'tool_use_id', 'content'] },
)
const thinking = fc.oneof(
  fc.record({ type: fc.constant('thinking'), thinking: text, signature: text }),
  fc.record({ type: fc.constant('redacted_thinking'), data: text }),
)
// Without values that JSON itself changes, such as -0.
const input = fc.dictionary(text, fc.oneof(fc.string(), fc.integer(), fc.boolean()), { noNullPrototype: true })
const call = fc.record({ type: fc.constant('tool_use'), id: text, name: text, input })
const userBlocks = fc.array(fc.oneof(textBlock, cachedBlock, image), { minLength: 1 })
const ofUser = fc.record({ role: fc.constant('user'), content: fc.oneof(fc.string(), userBlocks) })
const results = fc
  .tuple(fc.array(result, { minLength: 1 }), fc.oneof(userBlocks, fc.constant([])))
  .map(([first, then]) => ({ role: 'user', content: [...first, ...then] }))
const ofAssistant = fc.oneof(
  fc.record({ role: fc.constant('assistant'), content: fc.string() }),
  fc
    .tuple(
      fc.array(thinking),
      fc.array(fc.oneof(textBlock, cachedBlock), { minLength: 1 }),
      fc.array(call, { maxLength: 3 }),
    )
    .map(([first, then, last]) => ({ role: 'assistant', content: [...first, ...then, ...last] })),
)
const conversation = fc
  .array(fc.tuple(fc.oneof(ofUser, results), ofAssistant))
  .map((pairs) => pairs.flat() as unknown as Json[])

test('messages survive the conversion to chat messages and back', () => {
  fc.assert(
    fc.property(conversation, (messages) => {
      expect(fromChat(toChat(messages))).toEqual({ messages })
    }),
    samples(),
  )
})

describe('a chat message becomes', () => {
  const user = (content: Json): JsonObject => ({ role: 'user', content })
  const calling = (given: string): JsonObject => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: given } }],
  })
  const using = (given: Json): JsonObject => ({
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: given }],
  })

  test.each<[what: string, chat: Json[], messages: object]>([
    [
      'several system prompts, in any position',
      [{ role: 'system', content: 'One.' }, user('hi'), { role: 'developer', content: 'Two.' }],
      {
        system: [
          { type: 'text', text: 'One.' },
          { type: 'text', text: 'Two.' },
        ],
        messages: [user('hi')],
      },
    ],
    ['a tool use', [calling('{"city":"Oslo"}')], { messages: [using({ city: 'Oslo' })] }],
    ['a tool use without input', [calling('')], { messages: [using({})] }],
    ['a tool use whose input was cut', [calling('{"city":"Os')], { messages: [using('{"city":"Os')] }],
    [
      'an image URL',
      [user([{ type: 'image_url', image_url: { url: 'https://a.example/1' } }])],
      { messages: [user([{ type: 'image', source: { type: 'url', url: 'https://a.example/1' } }])] },
    ],
    ['empty text for null', [{ role: 'assistant', content: null }], { messages: [{ role: 'assistant', content: '' }] }],
  ])('%s', (_what, chat, messages) => {
    expect(fromChat(chat)).toEqual(messages)
  })
})
