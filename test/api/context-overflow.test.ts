/** A prompt that exceeds the model's context: the hint is to count its tokens. */

import { expect, test } from 'vitest'
import { playBack } from '../helpers/foreign.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { json, startService, type Answer } from '../helpers/service.ts'

async function errorOf(answer: Answer): Promise<string> {
  await using service = await startService(answer)
  const { code, err } = await runSyn(['chat', '-m', 'hf:a/b', 'hi'], { env: service.env })
  expect(code).toBe(1)
  return err
}

const hint = '\nhint: use syn count-tokens to count the tokens of the prompt\n'

test.each<[words: string, status?: number]>([
  [
    'Requested token count exceeds the model: the input (9 tokens) is longer than the model’s context length (8 tokens).',
  ],
  ["This model's maximum context length is 4097 tokens. However, you requested 5000 tokens."],
  ['prompt is too long: 205000 tokens > 200000 maximum'],
  ['input length and `max_tokens` exceed context limit: 195000 + 8192 > 200000'],
  ['Your input exceeds the context window of this model.', 422],
  ['Context size has been exceeded.', 413],
])('%s', async (words, status = 400) => {
  expect(await errorOf(json({ error: words }, status))).toContain(hint)
})

test('as a foreign server says it', async () => {
  expect(await errorOf(playBack('llama-400-context'))).toBe(
    'syn: request (15019 tokens) exceeds the available context size (1024 tokens), try increasing it (400 Bad Request)' +
      hint,
  )
})

test('by its code', async () => {
  const error = { message: 'Reduce the length.', code: 'context_length_exceeded' }
  expect(await errorOf(json({ error }, 400))).toBe(`syn: Reduce the length. (400 Bad Request)${hint}`)
})

test.each([
  ['The context of this request is unclear.', 400],
  ['temperature is too high', 400],
  ['The session has expired with its context window.', 409],
])('not with "%s" (%i)', async (words, status) => {
  expect(await errorOf(json({ error: words }, status))).not.toContain('count-tokens')
})
