/** Documents of the messages request, checked against section 2.4: what passes, and what is named as wrong. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { refusalOf, sentBy } from '../../helpers/messages.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const folder = emptyFolder()

let files = 0
function fileOf(text: string): string {
  const path = join(folder, `${files++}.json`)
  writeFileSync(path, text)
  return path
}

const base64 = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }

describe('--messages: each type of content passes unchanged', () => {
  test.each<[title: string, role: string, block: object]>([
    ['text', 'user', { type: 'text', text: 'Hi' }],
    ['image, in place', 'user', { type: 'image', source: base64 }],
    ['tool use', 'assistant', { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } }],
    ['tool result', 'user', { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Cold' }],
    ['redacted thinking', 'assistant', { type: 'redacted_thinking', data: 'b3BhcXVl' }],
    ['unknown keys', 'user', { type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }],
  ])('%s', async (_title, role, block) => {
    const message = { role, content: [block] }
    const sent = await sentBy(['--messages', fileOf(JSON.stringify([message])), '-q', 'hi'])
    expect(sent.messages).toEqual([message, { role: 'user', content: 'hi' }])
  })
})

describe('--messages is refused', () => {
  const types = 'text, image, tool_use, tool_result, thinking or redacted_thinking'
  const block = (one: unknown): object => ({ role: 'user', content: [one] })

  test.each<[message: unknown, refusal: string]>([
    [{ role: 'system', content: 'Hi' }, '$[0].role: "system" is not accepted; expected user or assistant'],
    [block({ type: 'txt' }), `$[0].content[0].type: "txt" is not accepted; expected ${types} (did you mean text?)`],
    [block({ type: 'text' }), '$[0].content[0].text is missing; it is required'],
    [
      block({ type: 'image', source: { type: 'file' } }),
      '$[0].content[0].source.type: "file" is not accepted; expected base64 or url',
    ],
    [block({ type: 'tool_use', id: 'a', name: 'b' }), '$[0].content[0].input is missing; it is required'],
    [block({ type: 'tool_result', content: 'a' }), '$[0].content[0].tool_use_id is missing; it is required'],
    [
      block({ type: 'tool_result', tool_use_id: 'a', content: 'b', is_error: 'no' }),
      '$[0].content[0].is_error: "no" is not accepted; expected true or false',
    ],
  ])('%j', async (message, refusal) => {
    const path = fileOf(JSON.stringify([message]))
    expect(await refusalOf(['--messages', path, 'hi'])).toBe(`--messages ${path}: ${refusal}`)
  })
})

describe('flags with JSON are refused', () => {
  test.each<[flag: string, value: string, refusal: string]>([
    ['--tools', '[{"name":"a","input_schema":{}}]', '$[0].input_schema.type is missing; it is required'],
    [
      '--tools',
      '[{"name":"a","input_schema":{"type":"object","required":"city"}}]',
      '$[0].input_schema.required: "city" is not accepted; expected an array',
    ],
    ['--system', '@FOLDER/missing.md', 'cannot read FOLDER/missing.md: no such file'],
  ])('%s %s', async (flag, value, refusal) => {
    const message = await refusalOf([flag, value.replace('FOLDER', folder), 'hi'])
    expect(message.replace(folder, 'FOLDER')).toBe(`${flag}: ${refusal}`)
  })
})

describe('the same check serves --body', () => {
  test.each<[body: object, refusal: string]>([
    [{ messages: [{ role: 'user' }] }, '$.messages[0].content is missing; it is required'],
    [{ system: [{ type: 'image', text: 'a' }] }, '$.system[0].type: "image" is not accepted; expected text'],
    [{ stop_sequences: 'END' }, '$.stop_sequences: "END" is not accepted; expected an array of strings'],
  ])('%j', async (body, refusal) => {
    const path = fileOf(JSON.stringify(body))
    expect(await refusalOf(['--body', path, 'hi'])).toBe(`--body ${path}: ${refusal}`)
  })
})
