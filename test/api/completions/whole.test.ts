/** The whole answer that recorded text completions are accumulated to. */

import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../../src/io/json/json.ts'
import { fixture } from '../../helpers/fixtures.ts'
import { readReply } from '../../helpers/reading.ts'

const head = { id: 'cmpl-5d1a', object: 'text_completion', created: 1766361600, model: 'zai-org/GLM-4.7' }
const usage = { prompt_tokens: 4, total_tokens: 7, completion_tokens: 3 }

async function wholeOf(name: string): Promise<JsonObject> {
  const { kept } = await readReply('completions', [fixture(name, 'completions')])
  return kept?.build() ?? {}
}

/** The keys of an answer that differ from the usual ones. */
const answers: [name: string, choice: JsonObject, finish?: Json, answer?: object][] = [
  ['plain', { text: ' there was' }],
  ['reasoning', { text: ' there', reasoning: 'Which story?' }],
  ['truncated', { text: ' there' }, null, { usage: undefined }],
  [
    'logprobs',
    {
      text: ' there was',
      logprobs: {
        tokens: [' there', ' was'],
        token_logprobs: [-0.25, -2.5],
        top_logprobs: [
          { ' there': -0.25, ' a': -1.5 },
          { ' lived': -0.5, ' was': -2.5 },
        ],
        text_offset: [0, 6],
      },
    },
  ],
  [
    'unknown-keys',
    { text: ' there', stop_reason: 151336, prompt_token_ids: [1, 2] },
    'stop',
    {
      system_fingerprint: 'fp_1',
      service_tier: 'default',
      usage: { ...usage, prompt_tokens_details: { cached_tokens: 2 } },
    },
  ],
]

test.each(answers)('%s', async (name, choice, finish = 'stop', answer = {}) => {
  const choices = [{ index: 0, logprobs: null, ...choice, finish_reason: finish }]
  expect(await wholeOf(name)).toEqual({ ...head, choices, usage, ...answer })
})

test('choices-interleaved', async () => {
  expect((await wholeOf('choices-interleaved')).choices).toEqual([
    { index: 0, text: ' sky is blue', logprobs: null, finish_reason: 'stop' },
    { index: 1, text: ' sea', logprobs: null, finish_reason: 'length' },
  ])
})

test('keys are in the order of a whole answer', async () => {
  const answer = await wholeOf('usage-in-last-chunk')
  expect(Object.keys(answer)).toEqual(['id', 'object', 'created', 'model', 'choices', 'usage'])
  expect(Object.keys((answer.choices as JsonObject[])[0] ?? {})).toEqual(['index', 'text', 'logprobs', 'finish_reason'])
})
