/** Output formats and options, which are those of `syn chat`. */

import { expect, test } from 'vitest'
import { complete, end, streamed, token } from '../../helpers/complete.ts'

test('text is printed unchanged, with a final newline', async () => {
  const answer = streamed('\n\n  one\t', '\u001b[31mtwo\r\n', 'three', end())
  expect(await complete(['Once'], { answer })).toMatchObject({
    code: 0,
    out: '\n\n  one\t\u001b[31mtwo\r\nthree\n',
    err: '',
  })
})

test("--json prints the service's whole reply, log probabilities unchanged", async () => {
  const { out, err } = await complete(['--json', '--logprobs=1', 'Once'], {
    answer: streamed(token(' a', null), token(' time', -0.5), end('length')),
  })
  expect(err).toBe('syn: the answer was cut off at the token limit; raise it with --max-tokens\n')
  expect(out).toMatch(/^\{.*\}\n$/)
  expect(JSON.parse(out)).toEqual({
    id: 'cmpl-1',
    object: 'text_completion',
    created: 1,
    model: 'served',
    choices: [
      {
        index: 0,
        text: ' a time',
        logprobs: {
          tokens: [' a', ' time'],
          token_logprobs: [null, -0.5],
          top_logprobs: [null, null],
          text_offset: [0, 0],
        },
        finish_reason: 'length',
      },
    ],
  })
})

test('--jsonl prints the chunks unchanged', async () => {
  const { out } = await complete(['--jsonl', 'Once'])
  const texts = [' a', ' time', ''].map((text) => ({ choices: [{ text }] }))
  expect(JSON.parse(`[${out.trimEnd().replaceAll('\n', ',')}]`)).toMatchObject(texts)
})
