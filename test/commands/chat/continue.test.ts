/** `syn chat -c` and `--session`: what a request of a conversation contains. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cut, delta, end, streamed } from '../../helpers/chat-chunks.ts'
import { conversationFiles, entriesIn, runChats } from '../../helpers/conversations.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { json, type Answer } from '../../helpers/service.ts'

const one = streamed('One.', end())
const two = streamed('Two.', end())
const user = (content: string): object => ({ role: 'user', content })
const assistant = (content: string): object => ({ role: 'assistant', content })
const system = (content: string): object => ({ role: 'system', content })

describe('the request contains', () => {
  test.each<[what: string, lines: string[], messages: object[]]>([
    [
      'all turns before',
      ['--save a', '-c b', '-c c'],
      [user('a'), assistant('One.'), user('b'), assistant('Two.'), user('c')],
    ],
    [
      'a new instruction in its place',
      ['--save -s Brief a', '-c -s Long b', '-c c'],
      [system('Long'), user('a'), assistant('One.'), user('b'), assistant('Two.'), user('c')],
    ],
    [
      'the latest, whichever began last',
      ['--session x a', '--save b', '--session x c', '-c d'],
      [user('a'), assistant('One.'), user('c'), assistant('Two.'), user('d')],
    ],
    ['nothing of a --no-save run', ['--save a', '-c --no-save b', '-c c'], [user('a'), assistant('One.'), user('c')]],
  ])('%s', async (_what, lines, messages) => {
    const { outcomes, last } = await runChats(emptyFolder(), [one, two], ...lines.map((line) => line.split(' ')))
    expect(outcomes.map(({ code }) => code)).toEqual(lines.map(() => 0))
    expect(last.messages).toEqual(messages)
  })

  test('--messages after the history and before the prompt', async () => {
    const home = emptyFolder()
    const path = join(home, 'more.jsonl')
    writeFileSync(path, `${JSON.stringify(user('m'))}\n${JSON.stringify(assistant('n'))}\n`)
    const { last } = await runChats(home, [one], ['--save', 'a'], ['-c', '--messages', path, 'b'])
    const [turn] = entriesIn(home, 'turn').slice(-1)
    expect(last.messages).toEqual([user('a'), assistant('One.'), user('m'), assistant('n'), user('b')])
    expect(turn).toEqual({ messages: [user('m'), assistant('n'), user('b')] })
  })

  test('no reasoning, which is saved though', async () => {
    const home = emptyFolder()
    const thought = streamed(delta({ reasoning_content: 'Hm.' }), 'One.', end())
    const { last } = await runChats(home, [thought], ['--save', 'a'], ['-c', 'b'])
    expect(last.messages).toEqual([user('a'), assistant('One.'), user('b')])
    expect(entriesIn(home, 'end')[0]).toMatchObject({ choices: [{ message: { reasoning_content: 'Hm.' } }] })
  })
})

test('the first of several choices is sent; all are saved', async () => {
  const home = emptyFolder()
  const several = streamed(delta('B', 1), delta('A', 0), end('stop', 1), end('stop', 0))
  const { last } = await runChats(home, [several, one], ['--save', '--n', '2', 'a'], ['-c', 'b'])
  expect(last.messages).toEqual([user('a'), assistant('A'), user('b')])
  const choices = [{ message: { content: 'A' } }, { message: { content: 'B' } }]
  expect(entriesIn(home, 'end')[0]).toMatchObject({ choices })
})

test('a refusal is sent as text', async () => {
  const refused = streamed(delta({ refusal: 'No.' }), end())
  const { last } = await runChats(emptyFolder(), [refused], ['--save', 'a'], ['-c', 'b'])
  expect(last.messages).toEqual([user('a'), assistant('No.'), user('b')])
})

describe('tool calls', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }
  const pieces = [
    { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] },
  ]
  const calling = streamed(...pieces.map((piece) => delta(piece)), end('tool_calls'))
  const result = { role: 'tool', tool_call_id: 'c1', content: '3 degrees' }

  test('are sent with their results', async () => {
    const home = emptyFolder()
    const path = join(home, 'results.json')
    writeFileSync(path, JSON.stringify([result]))
    const { last } = await runChats(home, [calling, one], ['--save', 'a'], ['-c', '--messages', path, '--no-stdin'])
    expect(last.messages).toEqual([user('a'), { role: 'assistant', content: '', tool_calls: [call] }, result])
  })

  test('without results are omitted', async () => {
    const { last } = await runChats(emptyFolder(), [calling, one], ['--save', 'a'], ['-c', 'b'])
    expect(last.messages).toEqual([user('a'), user('b')])
  })
})

describe('an unanswered turn', () => {
  const failing: [what: string, answer: Answer, code: number][] = [
    ['refused', json({ error: 'no' }, 400), 1],
    ['cut before the first word', cut(), 6],
  ]

  test.each(failing)('%s: a new prompt replaces it', async (_what, answer, code) => {
    const { outcomes, last } = await runChats(
      emptyFolder(),
      [one, answer, two],
      ['--save', 'a'],
      ['-c', '--retries', '0', '-s', 'Be brief', 'b'],
      ['-c', 'c'],
    )
    expect(outcomes[1]?.code).toBe(code)
    expect(outcomes[2]?.err).toBe(
      'syn: the last message has no answer: this prompt replaces it; without a prompt it is sent again\n',
    )
    expect(last.messages).toEqual([system('Be brief'), user('a'), assistant('One.'), user('c')])
  })

  test.each(failing)('%s: without a prompt it is asked again', async (_what, answer) => {
    const home = emptyFolder()
    const { outcomes, last } = await runChats(
      home,
      [answer, two],
      ['--save', '--retries', '0', '-m', 'hf:x', 'a'],
      ['-c'],
      ['-c', 'b'],
    )
    expect(outcomes[1]).toMatchObject({ code: 0, out: 'Two.\n' })
    expect(last).toMatchObject({ model: 'hf:x', messages: [user('a'), assistant('Two.'), user('b')] })
  })

  test('once answered there is nothing to send', async () => {
    const { outcomes, sent } = await runChats(emptyFolder(), [one], ['--save', 'a'], ['-c'])
    expect(outcomes[1]).toMatchObject({ code: 2, err: expect.stringMatching(/^syn: no prompt/) })
    expect(sent).toHaveLength(1)
  })
})

test('the received part of an interrupted answer is sent', async () => {
  const home = emptyFolder()
  const { outcomes, last } = await runChats(home, [cut('On', 'e'), two], ['--save', 'a'], ['-c', 'b'])
  expect(outcomes[0]?.code).toBe(7)
  expect(last.messages).toEqual([user('a'), assistant('One'), user('b')])
  expect(entriesIn(home, 'end')[0]).toMatchObject({
    error: 'the answer was cut short: the stream ended before the answer was complete',
  })
})

test('the model of -m overrides that of the conversation, and is used again', async () => {
  const lines = [
    ['--save', '-m', 'hf:x', 'a'],
    ['-c', '-m', 'hf:y', 'b'],
    ['-c', 'c'],
  ]
  expect((await runChats(emptyFolder(), [one], ...lines)).last.model).toBe('hf:y')
})

test('half of a pair of UTF-16 surrogates, as earlier versions saved them, is sent as U+FFFD', async () => {
  const home = emptyFolder()
  await runChats(home, [one], ['--save', 'a'])
  const [path = ''] = conversationFiles(home)
  writeFileSync(path, readFileSync(path, 'utf8').replace('One.', String.raw`One\ud83d.`))
  const { last } = await runChats(home, [two], ['-c', 'b'])
  expect(last.messages).toEqual([user('a'), assistant('One\ufffd.'), user('b')])
})
