/** The whole message that recorded streams are accumulated to. */

import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../../src/io/json/json.ts'
import { fixture } from '../../helpers/fixtures.ts'
import { accumulated, readReply } from '../../helpers/reading.ts'

const signature = 'EqQBCg=='
const redacted = { type: 'redacted_thinking', data: 'EmwKAhgB' }
const hello = [text('Hello')]

function text(words: string): JsonObject {
  return { type: 'text', text: words }
}

function thinking(words: string): JsonObject {
  return { type: 'thinking', thinking: words, signature }
}

function toolUse(index: number, name: string, input: Json): JsonObject {
  return { type: 'tool_use', id: `toolu_${index}`, name, input }
}

async function wholeOf(name: string): Promise<JsonObject> {
  const { kept } = await readReply('messages', [fixture(name, 'messages')])
  return kept?.build() ?? {}
}

const whole = {
  id: 'msg_8f2c',
  type: 'message',
  role: 'assistant',
  model: 'zai-org/GLM-4.7',
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 5 },
}

/** The keys of a message that differ from the usual ones. */
const messages: [name: string, content: JsonObject[], others?: object][] = [
  ['plain', [text('Hello there')]],
  [
    'texts-apart',
    [text('Let me see.'), toolUse(1, 'weather', { city: 'Oslo' }), text('Done.')],
    { stop_reason: 'tool_use' },
  ],
  ['thinking', [thinking('Let me think.'), text('Yes')]],
  ['thinking-redacted', [redacted, thinking('Hm.'), redacted, text('Yes')]],
  [
    'tool-use',
    [text('Let me see.'), toolUse(1, 'weather', { city: 'Oslo' }), toolUse(2, 'time', { zone: 'CET' })],
    { stop_reason: 'tool_use' },
  ],
  ['tool-use-input-unfinished', [toolUse(0, 'weather', '{"city":"Os')], { stop_reason: 'max_tokens' }],
  [
    'tool-of-the-service',
    [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'Oslo' } },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
      text('Cold'),
    ],
  ],
  ['start-missing', hello, { id: undefined, model: undefined, usage: { output_tokens: 5 } }],
  ['start-of-odd-shape', hello, { id: undefined, model: undefined, usage: { output_tokens: 5 } }],
  ['index-all-zero', [thinking('Hm.'), text('Yes'), toolUse(0, 'weather', {})], { stop_reason: 'tool_use' }],
  ['unknown-deltas', [{ ...text('Hello'), citations: [{ title: 'A' }] }]],
  [
    'unknown-keys',
    [{ type: 'text', text: 'Hi', citations: null }],
    {
      service_tier: 'standard',
      container: null,
      stop_details: { n: 1 },
      context_management: { applied_edits: [] },
      usage: { input_tokens: 9, output_tokens: 5, cache_read_input_tokens: 4 },
    },
  ],
]

test.each(messages)('%s', async (name, content, others = {}) => {
  expect(await wholeOf(name)).toEqual({ ...whole, content, ...others })
})

const unfinished = { ...whole, stop_reason: null, usage: { input_tokens: 9, output_tokens: 1 } }

test.each<[name: string, content: JsonObject[]]>([
  ['truncated', hello],
  ['truncated-event', hello],
  ['error-after-text', [text('Once upon')]],
  // The number may be the start of 123, so it is not complete JSON.
  ['truncated-tool-use', [toolUse(0, 'weather', '{"city":12')]],
])('%s: the part received', async (name, content) => {
  expect(await wholeOf(name)).toEqual({ ...unfinished, content })
})

test('the keys are in the order of a whole message', async () => {
  expect(Object.keys(await wholeOf('plain'))).toEqual([
    'id',
    'type',
    'role',
    'model',
    'content',
    'stop_reason',
    'stop_sequence',
    'usage',
  ])
})

test('the events are not changed', async () => {
  const { chunks: texts } = await readReply('messages', [fixture('tool-use', 'messages')])
  const chunks = texts.map((text) => JSON.parse(text) as JsonObject)
  const before = structuredClone(chunks)
  accumulated('messages', chunks)
  expect(chunks).toEqual(before)
})

test('input that comes whole, as a string of JSON', () => {
  const input = '{"city":"Oslo"}'
  const start = { type: 'content_block_start', index: 0, content_block: toolUse(0, 'weather', input) }
  const answer = accumulated('messages', [start, { type: 'content_block_stop', index: 0 }])
  expect(answer.content).toEqual([toolUse(0, 'weather', { city: 'Oslo' })])
})
