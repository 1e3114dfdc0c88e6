/** Invalid replies: exit 6 with one line, and nothing is written. */

import { describe, expect, test } from 'vitest'
import { changed, embed, linesOf, replyTo, vectorOf } from '../../helpers/embed.ts'
import { json, type Answer } from '../../helpers/service.ts'

type Reply = ReturnType<typeof replyTo>

const texts = ['one', 'three', 'seventeen']

/** Answers with other data. */
function data(change: (items: Reply['data']) => unknown): Answer {
  return changed((reply) => ({ ...reply, data: change(reply.data) }))
}

test('other dimensions than asked for are a warning, once', async () => {
  const argv = ['-q', '--batch-size', '1', '--dimensions', '8', ...texts]
  const answer = data((items) => items.map((item) => ({ ...item, embedding: [1, 2, 3] })))
  const { code, out, err } = await embed(argv, { answer: () => answer })
  const warning = 'syn: the service sent embeddings of 3 dimensions, not 8\n'
  expect({ code, lines: linesOf(out).length, err }).toEqual({ code: 0, lines: 3, err: warning })
})

test.each<[title: string, answer: Answer]>([
  ['rotated', data(([first, ...others]) => [...others, first])],
  ['without any index, in their order', data((items) => items.map(({ embedding }) => ({ embedding })))],
  ['without anything that is not needed', changed(({ data: items }) => ({ data: items }))],
])('is ordered by index, not by position: %s', async (_title, answer) => {
  const { code, out, err } = await embed(texts, { answer: () => answer })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(linesOf(out)).toEqual(texts.map((text, index) => ({ index, embedding: vectorOf(text) })))
})

describe('is refused', () => {
  const embedding = (value: unknown): Answer =>
    data((items) => items.map((item, at) => (at === 1 ? { ...item, embedding: value } : item)))
  const index = (value: unknown): Answer =>
    data((items) => items.map((item, at) => (at === 1 ? { ...item, index: value } : item)))
  const noNumbers = 'the service sent an embedding that is not a list of numbers:'

  test.each<[title: string, answer: Answer, message: string]>([
    ['one too few', data((items) => items.slice(1)), 'the service sent no embedding with index 0 for 3 texts'],
    [
      'one too many, unnumbered',
      data((items) => [...items, ...items].map(({ embedding: vector }) => ({ embedding: vector }))),
      'the service sent an embedding with index 3 for 3 texts',
    ],
    ['one twice', index(0), 'the service sent two embeddings with index 0'],
    ['a negative index', index(-1), 'the service sent an embedding with index -1 for 3 texts'],
    ['an index missing', index(undefined), 'the service sent an embedding with index nothing for 3 texts'],
    ['text', embedding('AAAA'), `${noNumbers} "AAAA"`],
    ['a hole', embedding([1, null, 2]), `${noNumbers} [1,null,2]`],
    ['another length', embedding([1, 2]), 'the service sent embeddings of different lengths: 3 and 2 dimensions'],
    ['items that are not objects', data(() => [1, 2, 3]), 'the service sent 1 instead of an embedding'],
    ['no data', json({ object: 'list' }), 'the service sent a reply without embeddings'],
    ['a number that overflows', json('{"data":[{"embedding":[1e999]},{},{}]}'), `${noNumbers} [null]`],
    ['an error at 200', json({ error: 'the backend is gone' }), 'the backend is gone'],
    ['no JSON', json('hello'), 'the service sent text instead of JSON: hello'],
  ])('%s', async (_title, answer, message) => {
    const { code, out, err } = await embed(['--retries', '0', ...texts], { answer: () => answer })
    expect({ code, out, err }).toEqual({ code: 6, out: '', err: `syn: ${message}\n` })
  })

  test('base64 that is not an array of floats', async () => {
    const bytes = Buffer.alloc(3 * 4 + 1).toString('base64')
    const { code, err } = await embed(['-p', 'encoding_format=base64', ...texts], { answer: () => embedding(bytes) })
    expect({ code, err }).toEqual({ code: 6, err: `syn: ${noNumbers} "${bytes}"\n` })
  })

  test('another length in another request', async () => {
    const answer = (request: number): Answer =>
      data((items) => items.map((item) => ({ ...item, embedding: Array.from({ length: request }, () => 1) })))
    expect(await embed(['--batch-size', '1', 'a', 'b'], { answer })).toMatchObject({
      code: 7,
      err: 'syn: cut short after 1 of 2 texts: the service sent embeddings of different lengths: 1 and 2 dimensions\n',
    })
  })
})
