/** `syn chat --api messages`: the same conversation through the other API. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { refusalOf, sentBy } from '../../helpers/chat.ts'
import { end, streamed } from '../../helpers/chat-chunks.ts'
import { runChats } from '../../helpers/conversations.ts'
import * as messages from '../../helpers/messages.ts'
import { events, json } from '../../helpers/service.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'

const dialect = ['--api', 'messages']
const answer = messages.streamed(messages.text(0, 'Hel', 'lo'))
const options = { answer }
const folder = emptyFolder()

function file(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}

const user = (content: unknown): object => ({ role: 'user', content })
const assistant = (content: unknown): object => ({ role: 'assistant', content })

describe('the request', () => {
  const usual = { model: 'syn:large:text', max_tokens: 8192, messages: [user('hi')], stream: true }

  test.each<[argv: string[], changed: object]>([
    [['-s', 'Be brief.', '-s', 'Be kind.'], { system: 'Be brief.\n\nBe kind.' }],
    [['--tool-choice', 'tool:weather'], { tool_choice: { type: 'tool', name: 'weather' } }],
    [['--body', file('body.json', { max_tokens: 7, system: 'Be kind.' })], { max_tokens: 7, system: 'Be kind.' }],
  ])('of %j', async (argv, changed) => {
    expect(await sentBy([...dialect, ...argv, 'hi'], options)).toEqual({ ...usual, ...changed })
  })
})

describe('options of one API are refused with the other', () => {
  test.each([
    [[...dialect, '--seed', '1'], '--seed needs --api chat (use -p seed=VALUE to send it unchecked)'],
    [
      ['--stop-sequences', 'x'],
      '--stop-sequences needs --api messages (use -p stop_sequences=VALUE to send it unchecked)',
    ],
    [[...dialect, '--schema', '{}'], '--schema needs --api chat: the messages API has no response_format'],
  ])('%j', async (argv, message) => {
    expect(await refusalOf([...argv, 'hi'])).toBe(message)
  })
})

test('a conversation continues in either', async () => {
  const home = emptyFolder()
  const { sent } = await runChats(
    home,
    [json({ data: [{ id: 'syn:large:text' }] }), streamed('One.', end()), answer],
    ['--save', '-s', 'Be brief.', '-i', 'https://a.example/1', 'a'],
    ['-c', ...dialect, 'b'],
  )
  const image = { type: 'image', source: { type: 'url', url: 'https://a.example/1' } }
  expect(sent[1]).toMatchObject({
    system: 'Be brief.',
    messages: [user([{ type: 'text', text: 'a' }, image]), assistant('One.'), user('b')],
  })
  const { out } = await runSyn(['chat', '-c', '--dry-run', 'c'], { env: { HOME: home } })
  expect((JSON.parse(out) as { messages: object[] }).messages.slice(2)).toEqual([
    assistant('One.'),
    user('b'),
    assistant('Hello'),
    user('c'),
  ])
})

test('messages of the other API are accepted, and converted', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }
  const use = { type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Oslo' } }
  const ofChat = [
    { role: 'system', content: 'Be brief.' },
    user([
      { type: 'text', text: 'a' },
      { type: 'image_url', image_url: { url: 'https://a.example/1' } },
    ]),
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'rain' },
  ]
  const ofMessages = [
    user([
      { type: 'text', text: 'a' },
      { type: 'image', source: { type: 'url', url: 'https://a.example/1' } },
    ]),
    assistant([use]),
    user([{ type: 'tool_result', tool_use_id: 'c1', content: 'rain' }]),
  ]
  const chatFile = ['--messages', file('chat.json', ofChat)]
  const messagesFile = ['--messages', file('messages.json', ofMessages)]
  expect(await sentBy([...dialect, ...chatFile], options)).toMatchObject({ system: 'Be brief.', messages: ofMessages })
  expect(await sentBy(messagesFile)).toMatchObject({ messages: ofChat.slice(1) })
})

test('thinking before a tool call is sent back with it, unchanged', async () => {
  const thought = { type: 'thinking', thinking: 'Hm. So.', signature: 'c2ln' }
  const sealed = { type: 'redacted_thinking', data: 'b3BhcXVl' }
  const thinking = [messages.thinking(0, 'Hm. ', 'So.'), messages.redacted(1)]
  const blocks = [...thinking, messages.toolUse(2, 'weather', '{"city":', '"Oslo"}')]
  const calling = events(messages.wire(messages.start(), ...blocks.flat(), ...messages.end('tool_use')))
  const use = { type: 'tool_use', id: 'toolu_2', name: 'weather', input: { city: 'Oslo' } }
  const result = { type: 'tool_result', tool_use_id: 'toolu_2', content: 'no station', is_error: true }
  const results = file('results.json', [user([result])])
  const { last } = await runChats(
    emptyFolder(),
    [calling, answer],
    [...dialect, '--save', 'a'],
    ['-c', ...dialect, '--messages', results, '--no-stdin'],
  )
  expect(last.messages).toEqual([user('a'), assistant([thought, sealed, use]), user([result])])
})
