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

test.each<[title: string, first: object, out: string, err: string]>([
  ['is printed', delta('```\none\n```', 0), 'one\n\ntwo\n', ''],
  ['that has none is named', delta('none', 0), 'two\n', 'syn: answer 1 has no code block\n'],
])('the block of each of several answers: one %s', async (_title, first, out, err) => {
  const answer = streamed(first, delta('```\ntwo\n```', 1), end('stop', 1), end('stop', 0))
  expect(await chat(['-x', '-q', '--n', '2', 'hi'], { answer })).toMatchObject({ code: 0, out, err })
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
