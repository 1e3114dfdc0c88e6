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

test.each<[first: string, second: string, out: string, err: string]>([
  ['```\none\n```', '```\ntwo\n```', 'one\n\ntwo\n', ''],
  ['none', '```\ntwo\n```', 'two\n', 'syn: answer 1 has no code block\n'],
  ['a', 'b', '', 'a\n\nb\nsyn: the answer has no fenced code block\n'],
])('of several answers the block of each is printed, or its lack named: %j %j', async (first, second, out, err) => {
  const answer = streamed(delta(first, 0), delta(second, 1), end('stop', 1), end('stop', 0))
  const code = out === '' ? 1 : 0
  expect(await chat(['-x', '-q', '--n', '2', 'hi'], { answer })).toMatchObject({ code, out, err })
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
