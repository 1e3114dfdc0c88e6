/** `-x`: only a code block of the answer. */

import { describe, expect, test } from 'vitest'
import { chat } from '../../helpers/chat.ts'
import { cut, delta, end, streamed } from '../../helpers/chat-chunks.ts'

const text = 'First:\n```sh\nls\n```\nthen\n~~~py\nprint()\n~~~\n'

test.each<[flag: string, out: string]>([
  ['-x', 'ls\n'],
  ['--extract-last', 'print()\n'],
])('%s', async (flag, out) => {
  const pieces = [...text].map((character) => character)
  expect(await chat([flag, 'hi'], { answer: streamed(...pieces, end()) })).toMatchObject({ code: 0, out, err: '' })
})

describe('of several answers those without a block are named', () => {
  const block = delta('```\ntwo\n```', 1)
  const call = { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] }

  test.each<[title: string, other: object]>([['a tool call', delta(call, 0)]])('%s', async (_title, other) => {
    const answer = streamed(other, block, end('stop', 1), end('stop', 0))
    expect(await chat(['-x', '-q', '--n', '2', 'hi'], { answer })).toMatchObject({
      code: 0,
      out: 'two\n',
      err: 'syn: answer 1 has no code block\n',
    })
  })

  test('none has one', async () => {
    const answer = streamed(delta('a', 0), delta('b', 1), end('stop', 1), end('stop', 0))
    expect(await chat(['-x', '--n', '2', 'hi'], { answer })).toMatchObject({
      code: 1,
      out: '',
      err: 'a\n\nb\nsyn: the answer has no fenced code block\n',
    })
  })
})

test('the block of each of several answers is printed', async () => {
  const answer = streamed(delta('```\none\n```', 0), delta('```\ntwo\n```', 1), end('stop', 1), end('stop', 0))
  expect(await chat(['-x', '--n', '2', 'hi'], { answer })).toMatchObject({ code: 0, out: 'one\n\ntwo\n' })
})

test.each([
  ['{"a": 1}', 0],
  ['{"a": "x"}', 1],
])('--schema checks the block: %s', async (json, code) => {
  const schema = '{"properties":{"a":{"type":"integer"}}}'
  const answer = streamed(`Here it is:\n\`\`\`json\n${json}\n\`\`\`\n`, end())
  const out = code === 0 ? `${json}\n` : ''
  expect(await chat(['-x', '--schema', schema, 'hi'], { answer })).toMatchObject({ code, out })
})

describe('nothing to extract: exit 1, and the text is printed', () => {
  test('whole', async () => {
    expect(await chat(['-x', 'hi'], { answer: streamed('No code here.', end()) })).toMatchObject({
      code: 1,
      out: '',
      err: 'No code here.\nsyn: the answer has no fenced code block\n',
    })
  })

  test('cut short', async () => {
    expect(await chat(['-x', 'hi'], { answer: cut('```sh\nrm -r') })).toMatchObject({
      code: 7,
      out: '',
      err: '```sh\nrm -r\nsyn: the answer was cut short: the stream ended before the answer was complete\n',
    })
  })
})
