/** Several answers: how many the service sent, and how they are told apart. */

import { describe, expect, test } from 'vitest'
import { chat } from '../helpers/chat.ts'
import { end, head, streamed } from '../helpers/chat-chunks.ts'
import { complete } from '../helpers/complete.ts'
import { json, type Answer } from '../helpers/service.ts'

/** A whole answer with these choices. */
function wholeOf(...choices: { index?: unknown; content: string }[]): Answer {
  return json({
    id: 'chat-1',
    object: 'chat.completion',
    choices: choices.map(({ index, content }) => ({
      index,
      message: { role: 'assistant', content },
      finish_reason: 'stop',
    })),
  })
}

describe('fewer answers than asked for: a warning, and exit status 0', () => {
  const [one, text] = [streamed('[1]', end()), wholeOf({ index: 0, content: '[1]' })]

  test.each<[argv: string[], answer: Answer]>([
    [[], one],
    [['-q'], one],
    [['--json'], one],
    [['--no-stream', '--json'], text],
  ])('chat %j', async (argv, answer) => {
    const { code, out, err } = await chat(['--n', '3', ...argv, 'hi'], { answer })
    expect({ code, err }).toEqual({ code: 0, err: 'syn: the service sent 1 of 3 answers\n' })
    expect(out).toContain('[1]')
  })

  test('several prompts', async () => {
    const answer = json({ choices: [0, 1].map((index) => ({ index, text: `t${index}`, finish_reason: 'stop' })) })
    expect(await complete(['--prompt', 'a', '--prompt', 'b', '--n', '2', '--no-stream'], { answer })).toMatchObject({
      code: 0,
      out: 't0\n\nt1\n',
      err: 'syn: the service sent 2 of 4 answers\n',
    })
  })
})

describe('the indexes of a whole reply', () => {
  test.each<[title: string, indexes: unknown[], out: string]>([
    ['one missing', [1, undefined, 0], 'a\n\nb\n\nc\n'],
    ['repeated', [0, 0, 1], 'a\n\nb\n\nc\n'],
    ['other types', [true, [], {}], 'a\n\nb\n\nc\n'],
    ['text that repeats a number', ['1', 1, 0], 'a\n\nb\n\nc\n'],
    ['from 1', [3, 2, 1], 'c\n\nb\n\na\n'],
  ])('%s', async (_title, indexes, out) => {
    const answer = wholeOf(...indexes.map((index, at) => ({ index, content: 'abc'.charAt(at) })))
    expect(await chat(['--n', '3', '--no-stream', 'hi'], { answer })).toMatchObject({ code: 0, out, err: '' })
  })
})

describe('the indexes of a stream', () => {
  const part = (content: string, index?: unknown, reason: string | null = null): object => ({
    ...head,
    choices: [{ index, delta: { content }, finish_reason: reason }],
  })
  const numbered = streamed(part('S', '1'), part('n', '0'), part('1', '1', 'stop'), part('0', '0', 'stop'))

  test('text', async () => {
    expect(await chat(['--n', '2', 'hi'], { answer: numbered })).toMatchObject({ code: 0, out: 'n0\n\nS1\n', err: '' })
  })

  test('missing: all parts are of the first answer', async () => {
    const answer = streamed(part('a'), part('b', undefined, 'stop'))
    expect(await chat(['hi'], { answer })).toMatchObject({ code: 0, out: 'ab\n', err: '' })
  })
})
