/** `--messages` documents, checked against the message table of section 2.1. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { refusalOf, sentBy } from '../../helpers/chat.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const folder = emptyFolder()
const tiny = 'data:image/png;base64,iVBORw0KGgo='
const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }

let files = 0
function fileOf(text: string): string {
  const path = join(folder, `${files++}.json`)
  writeFileSync(path, text)
  return path
}

describe('passes unchanged', () => {
  test.each<[title: string, message: object]>([
    ['a named user', { role: 'user', content: 'Hi', name: 'ann' }],
    ['content null with tool calls', { role: 'assistant', content: null, tool_calls: [call] }],
    ['null where services write it', { role: 'assistant', content: 'Hi', tool_calls: null, function_call: null }],
    ['a function call', { role: 'assistant', content: null, function_call: { name: 'a', arguments: '{}' } }],
    ["a function's answer", { role: 'function', name: 'weather', content: 'Sunny' }],
    [
      'parts',
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'image_url', image_url: { url: tiny } },
        ],
      },
    ],
    ['unknown keys', { role: 'user', content: 'Hi', weight: 1 }],
  ])('%s', async (_title, message) => {
    expect((await sentBy(['--messages', fileOf(JSON.stringify([message]))])).messages).toEqual([message])
  })
})

describe('is refused', () => {
  const roles = 'system, user, assistant, tool or function'
  const address =
    'an http or https URL, or data:FORMAT;base64,DATA with FORMAT one of image/jpeg, image/png, image/gif, image/webp, image/tiff'
  const image = (url: unknown): object => ({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] })

  test.each<[message: unknown, refusal: string]>([
    [{}, `$[0].role is missing; expected ${roles}`],
    [{ role: 'usr', content: 'Hi' }, `$[0].role: "usr" is not accepted; expected ${roles} (did you mean user?)`],
    [{ role: 'user', content: null }, '$[0].content: null is not accepted; expected a string or an array'],
    [{ role: 'user', content: ['Hi'] }, '$[0].content[0]: "Hi" is not accepted; expected an object'],
    [image('photo.jpg'), `$[0].content[0].image_url.url: "photo.jpg" is not accepted; expected ${address}`],
    [
      image('data:image/bmp;base64,Qk0='),
      `$[0].content[0].image_url.url: "data:image/bmp;base64,Qk0=" is not accepted; expected ${address}`,
    ],
    [{ role: 'tool', content: 'Sunny' }, '$[0].tool_call_id is missing; it is required'],
    [{ role: 'assistant', function_call: { arguments: '{}' } }, '$[0].function_call.name is missing; it is required'],
    [
      { role: 'assistant', content: null, tool_calls: [] },
      '$[0].tool_calls: [] is not accepted; expected at least one tool call',
    ],
    [
      { role: 'assistant', tool_calls: [{ ...call, type: 'tool' }] },
      '$[0].tool_calls[0].type: "tool" is not accepted; expected function',
    ],
    [
      { role: 'assistant', tool_calls: [{ ...call, function: { name: 'a' } }] },
      '$[0].tool_calls[0].function.arguments is missing; it is required',
    ],
  ])('%j', async (message, refusal) => {
    const path = fileOf(JSON.stringify([message]))
    expect(await refusalOf(['--messages', path, 'hi'])).toBe(`--messages ${path}: ${refusal}`)
  })

  test('in JSON lines, with the line number', async () => {
    const path = fileOf('{"role":"user","content":"Hi"}\n\n{"role":"user","content":[{"type":"text"}]}\n')
    const refusal = `--messages ${path}, line 3: $.content[0].text is missing; it is required`
    expect(await refusalOf(['--messages', path, 'hi'])).toBe(refusal)
  })

  test('an object instead of an array, on standard input', async () => {
    const stdin = '{"message":[]}'
    const refusal =
      '--messages (standard input), line 1: $.role is missing; expected system, user, assistant, tool or function'
    expect(await refusalOf(['--messages', '-', 'hi'], { stdin })).toBe(refusal)
  })

  test('an empty document', async () => {
    const path = fileOf(' \n')
    expect(await refusalOf(['--messages', path, 'hi'])).toBe(`--messages ${path}: empty; expected JSON`)
  })
})

describe('--body is checked too', () => {
  test.each<[body: object, refusal: string]>([
    [{ messages: [{ role: 'user' }] }, '$.messages[0].content is missing; it is required'],
    [{ messages: 'Hi' }, '$.messages: "Hi" is not accepted; expected an array'],
    [{ model: 'gpt-4o' }, '$.model: "gpt-4o" is not accepted; expected a name that starts with hf:'],
  ])('%j', async (body, refusal) => {
    const path = fileOf(JSON.stringify(body))
    expect(await refusalOf(['--body', path, 'hi'])).toContain(`--body ${path}: ${refusal}`)
  })
})
