/** Output formats and options, which are those of `syn chat`. */

import { expect, test } from 'vitest'
import { complete, end, streamed, token } from '../../helpers/complete.ts'
import { chat } from '../../helpers/chat.ts'
import { fixture } from '../../helpers/fixtures.ts'
import type { Answer } from '../../helpers/service.ts'

test('text is printed unchanged, with a final newline', async () => {
  const answer = streamed('\n\n  one\t', '\u001b[31mtwo\r\n', 'three', end())
  const out = '\n\n  one\t\u001b[31mtwo\r\nthree\n'
  expect(await complete(['Once'], { answer })).toMatchObject({ code: 0, out, err: '' })
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

// Some servers answer both endpoints in the shape of chat, or of text completions.
test.each([
  [complete, 'plain', 'chat', 'Hello there'],
  [complete, 'reasoning-content', 'chat', 'Yes'],
  [chat, 'plain', 'completions', ' there was'],
] as const)('an answer in the shape of the other endpoint is one: %o %s of %s', async (ask, name, family, text) => {
  const answer: Answer = (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(fixture(name, family))
  }
  expect(await ask(['Once'], { answer })).toMatchObject({ code: 0, out: `${text}\n` })
  const { out } = await ask(['Once', '--json'], { answer })
  expect(JSON.parse(out)).toMatchObject({ choices: [ask === complete ? { text } : {}] })
})

const raise = 'raise it with --max-tokens'

test.each<[name: string, code: number, out: string, err: string]>([
  ['plain', 0, ' there was\n', ''],
  ['finish-length', 0, ' there was\n', `the answer was cut off at the token limit; ${raise}`],
  ['finish-length-nothing', 0, '', `the answer is empty: the token limit was reached first; ${raise}`],
  ['finish-length-all-reasoning', 0, '', `the answer is empty: the reasoning used up the token limit; ${raise}`],
  ['finish-abort', 7, ' there', 'the answer was cut short: the service aborted the answer'],
  ['error-string', 6, '', 'Error from inference backend: worker restarted'],
  ['error-object-after-text', 7, ' there', 'the answer was cut short: The model is busy.'],
  ['only-done', 6, '', 'the reply contains no answer'],
  ['whole.json', 0, ' sky\n\n sea\n', `completion 2 was cut off at the token limit; ${raise}`],
])('the recorded reply %s ends with %i', async (name, code, out, message) => {
  const answer: Answer = (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(fixture(name, 'completions'))
  }
  const err = message === '' ? '' : `syn: ${message}\n`
  expect(await complete(['Once', '--retries=0'], { answer })).toMatchObject({ code, out, err })
})
