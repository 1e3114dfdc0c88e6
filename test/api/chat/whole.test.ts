/** The whole answer that recorded streams are accumulated to. */

import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../../src/io/json/json.ts'
import { fixture } from '../../helpers/fixtures.ts'
import { accumulated, readChat } from '../../helpers/reading.ts'

const head = { id: 'chatcmpl-8f2c', object: 'chat.completion', created: 1766361600, model: 'zai-org/GLM-4.7' }
const usage = { prompt_tokens: 9, total_tokens: 14, completion_tokens: 5 }
const weather = call('call_a', 'weather', '{"city":"Oslo"}')

function call(id: string, name: string, given: string): JsonObject {
  return { id, type: 'function', function: { name, arguments: given } }
}

/** The keys of an answer that differ from the usual ones. */
const answers: [name: string, message: JsonObject, finish?: Json, choice?: JsonObject, answer?: object][] = [
  ['plain', { content: 'Hello there' }],
  ['reasoning-content', { content: 'Yes', reasoning_content: 'Let me think.' }],
  ['reasoning-twice', { content: 'Yes', reasoning: 'Let me think.', reasoning_content: 'Let me think.' }],
  ['tools-by-index', { content: null, tool_calls: [weather, call('call_b', 'time', '{"zone":"CET"}')] }, 'tool_calls'],
  [
    'tools-index-same',
    { content: null, tool_calls: [weather, call('call_b', 'time', '{"zone":"CET"}'), call('call_c', 'time', '{}')] },
    'tool_calls',
  ],
  [
    'tools-arguments-object',
    { content: null, tool_calls: [call('call_a', 'weather', '{"city":"Oslo","id":12345678901234567890}')] },
    'tool_calls',
  ],
  [
    'tools-head-index-of-other',
    { content: null, tool_calls: [weather, call('call_b', 'time', '{"zone":"CET"}')] },
    'tool_calls',
  ],
  ['finish-length-then-stop', { content: 'Once upon' }, 'length'],
  ['another-answer', { content: 'Hello' }, 'stop', {}, { id: 'chatcmpl-9a00' }],
  ['content-parts-then-text', { content: [{ type: 'text', text: 'Hi you two' }] }],
  ['surrogates-cut', { content: 'A😀 end', reasoning_content: 'Hm 😀' }],
  [
    'logprobs',
    { content: 'Hi!' },
    'stop',
    {
      logprobs: {
        content: [
          {
            token: 'Hi',
            logprob: -0.1,
            bytes: [72, 105],
            top_logprobs: [{ token: 'Hi', logprob: -0.1, bytes: [72, 105] }],
          },
          { token: '!', logprob: -0.5, bytes: [33], top_logprobs: [] },
        ],
      },
    },
  ],
  [
    'unknown-keys',
    { content: 'Hi!', audio: null, annotations: [{ n: 1 }, { n: 2 }] },
    'stop',
    { stop_reason: 151336 },
    {
      service_tier: 'default',
      system_fingerprint: 'fp_1',
      usage: { ...usage, prompt_tokens_details: { cached_tokens: 4 } },
    },
  ],
]

test.each(answers)('%s', async (name, message, finish = 'stop', choice = {}, answer = {}) => {
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish, ...choice }]
  expect((await readChat([fixture(name)])).kept?.build()).toEqual({ ...head, choices, usage, ...answer })
})

test('choices-interleaved', async () => {
  const { kept } = await readChat([fixture('choices-interleaved')])
  expect(kept?.build().choices).toEqual([
    { index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'length' },
    { index: 1, message: { role: 'assistant', content: 'Good day' }, finish_reason: 'stop' },
  ])
})

test('keys are in the order of a whole answer', async () => {
  const { kept } = await readChat([fixture('usage-in-last-chunk')])
  const answer = kept?.build() ?? {}
  expect(Object.keys(answer)).toEqual(['id', 'object', 'created', 'model', 'choices', 'usage'])
  expect(Object.keys((answer.choices as JsonObject[])[0] ?? {})).toEqual(['index', 'message', 'finish_reason'])
})

test('hostile keys and numbers change only the answer', () => {
  const delta = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"content":"Hi"}'
  const calls = '[{"index":4294967296,"id":"a"},{"index":-1,"id":"b"},{"index":0.5,"id":"c"},null,7]'
  const chunk = `{"__proto__":{"polluted":1},"toString":null,"choices":[{"delta":${delta},"__proto__":{"polluted":1}}]}`
  const callChunk = `{"choices":[{"delta":{"tool_calls":${calls}}}]}`
  const chunks = [chunk, chunk, callChunk].map((text) => JSON.parse(text) as JsonObject)
  const answer = accumulated('chat', chunks)
  expect(({} as JsonObject).polluted).toBeUndefined()
  expect(answer.toString).toBeNull()
  const message = (answer.choices as JsonObject[])[0]?.message as JsonObject
  expect(message.content).toBe('HiHi')
  expect((message.tool_calls as JsonObject[]).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})

test('the chunks stay as they are, also where a key changes its type', () => {
  const deltas = [{ extra: 'text' }, { extra: { list: [1] } }, { extra: { list: [2] } }]
  const chunks = deltas.map((delta) => ({ choices: [{ index: 0, delta }] }))
  const before = structuredClone(chunks)
  const answer = accumulated('chat', chunks)
  expect((answer.choices as JsonObject[])[0]?.message).toMatchObject({ extra: { list: [1, 2] } })
  expect(chunks).toEqual(before)
})
