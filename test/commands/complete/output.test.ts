/** Output formats and options, which are those of `syn chat`. */

import { describe, expect, test } from 'vitest'
import { complete, cut, end, streamed, token } from '../../helpers/complete.ts'

test('text is printed unchanged, with a final newline', async () => {
  const answer = streamed('\n\n  one\t', '\u001b[31mtwo\r\n', 'three', end())
  expect(await complete(['Once'], { answer })).toMatchObject({
    code: 0,
    out: '\n\n  one\t\u001b[31mtwo\r\nthree\n',
    err: '',
  })
})

describe('--json', () => {
  test("prints the service's whole reply, log probabilities unchanged", async () => {
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

  test('of an interrupted answer it has the part received', async () => {
    const { code, out } = await complete(['--json', 'Once'], { answer: cut(' a', ' time') })
    expect(code).toBe(7)
    expect(JSON.parse(out)).toMatchObject({ choices: [{ text: ' a time', finish_reason: null }] })
  })
})

test('--jsonl prints the chunks unchanged', async () => {
  const { out } = await complete(['--jsonl', 'Once'])
  const texts = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { choices: { text: string }[] })
  expect(texts.map(({ choices }) => choices[0]?.text)).toEqual([' a', ' time', ''])
})

test('--dry-run prints a body that --body accepts, and sends nothing', async () => {
  const argv = ['--prompt', 'Two', '--echo', '--logprobs=2', 'One']
  const { code, out, err, asked } = await complete([...argv, '--dry-run'])
  expect({ code, asked }).toEqual({ code: 0, asked: [] })
  expect(err).toMatch(/^syn: POST http:\S+\/openai\/v1\/completions\n$/)
  const again = await complete(['--body', '-'], { stdin: out })
  expect(again.asked[0]?.json).toEqual(JSON.parse(out))
  expect(JSON.parse(out)).toEqual({
    model: 'syn:large:text',
    prompt: ['One', 'Two'],
    stream: true,
    echo: true,
    logprobs: 2,
  })
})
