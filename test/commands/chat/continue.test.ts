/** `syn chat -c` and `--session`: what goes along with a request of a conversation. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cut, delta, end, streamed } from '../../helpers/chat-chunks.ts'
import { said, talk } from '../../helpers/conversations.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { json, type Answer } from '../../helpers/service.ts'

const one = streamed('One.', end())
const two = streamed('Two.', end())
const user = (content: string): object => ({ role: 'user', content })
const assistant = (content: string): object => ({ role: 'assistant', content })
const system = (content: string): object => ({ role: 'system', content })

describe('the request holds', () => {
  test.each<[what: string, lines: string[][], messages: object[]]>([
    [
      'the turns before',
      [
        ['--save', 'a'],
        ['-c', 'b'],
      ],
      [user('a'), assistant('One.'), user('b')],
    ],
    [
      'all turns before',
      [
        ['--save', 'a'],
        ['-c', 'b'],
        ['-c', 'c'],
      ],
      [user('a'), assistant('One.'), user('b'), assistant('Two.'), user('c')],
    ],
    [
      'the instruction that was given',
      [
        ['--save', '-s', 'Be brief', 'a'],
        ['-c', 'b'],
      ],
      [system('Be brief'), user('a'), assistant('One.'), user('b')],
    ],
    [
      'a new instruction in its place',
      [
        ['--save', '-s', 'Be brief', 'a'],
        ['-c', '-s', 'Be long', 'b'],
        ['-c', 'c'],
      ],
      [system('Be long'), user('a'), assistant('One.'), user('b'), assistant('Two.'), user('c')],
    ],
    [
      'one conversation by its name',
      [
        ['--session', 'x', 'a'],
        ['--save', 'b'],
        ['--session', 'x', 'c'],
      ],
      [user('a'), assistant('One.'), user('c')],
    ],
    [
      'the latest, whichever began last',
      [
        ['--session', 'x', 'a'],
        ['--save', 'b'],
        ['--session', 'x', 'c'],
        ['-c', 'd'],
      ],
      [user('a'), assistant('One.'), user('c'), assistant('Two.'), user('d')],
    ],
    [
      'nothing of others',
      [
        ['--save', 'a'],
        ['--save', 'b'],
      ],
      [user('b')],
    ],
    [
      'nothing of what --no-save said',
      [
        ['--save', 'a'],
        ['-c', '--no-save', 'b'],
        ['-c', 'c'],
      ],
      [user('a'), assistant('One.'), user('c')],
    ],
  ])('%s', async (_what, lines, messages) => {
    const { outcomes, last } = await talk(emptyFolder(), [one, two], ...lines)
    expect(outcomes.map(({ code }) => code)).toEqual(lines.map(() => 0))
    expect(last.messages).toEqual(messages)
  })

  test('--messages after the turns before and before the prompt', async () => {
    const home = emptyFolder()
    const path = join(home, 'more.jsonl')
    writeFileSync(path, `${JSON.stringify(user('m'))}\n${JSON.stringify(assistant('n'))}\n`)
    const { last } = await talk(home, [one], ['--save', 'a'], ['-c', '--messages', path, 'b'])
    const [turn] = said(home, 'turn').slice(-1)
    expect(last.messages).toEqual([user('a'), assistant('One.'), user('m'), assistant('n'), user('b')])
    expect(turn).toEqual({ messages: [user('m'), assistant('n'), user('b')] })
  })

  test('pictures as they were sent, and a model that sees them', async () => {
    const { sent } = await talk(
      emptyFolder(),
      [one],
      ['--save', 'a'],
      ['-c', '-i', 'data:image/png;base64,AAAA', 'b'],
      ['-c', 'c'],
    )
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
    expect(sent.map(({ model }) => model)).toEqual(['syn:large:text', 'syn:large:vision', 'syn:large:vision'])
    expect(sent[2]?.messages[2]).toEqual({ role: 'user', content: [{ type: 'text', text: 'b' }, picture] })
  })

  test('no reasoning, which is kept all the same', async () => {
    const home = emptyFolder()
    const thought = streamed(delta({ reasoning_content: 'Hm.' }), 'One.', end())
    const { last } = await talk(home, [thought], ['--save', 'a'], ['-c', 'b'])
    expect(last.messages).toEqual([user('a'), assistant('One.'), user('b')])
    expect(said(home, 'end')[0]).toMatchObject({ choices: [{ message: { reasoning_content: 'Hm.' } }] })
  })

  test('the first of several choices, and all are kept', async () => {
    const home = emptyFolder()
    const several = streamed(delta('B', 1), delta('A', 0), end('stop', 1), end('stop', 0))
    const { last } = await talk(home, [several, one], ['--save', '--n', '2', 'a'], ['-c', 'b'])
    expect(last.messages).toEqual([user('a'), assistant('A'), user('b')])
    expect(said(home, 'end')[0]).toMatchObject({
      choices: [
        { index: 0, message: { content: 'A' } },
        { index: 1, message: { content: 'B' } },
      ],
    })
  })

  test('a refusal as what was said', async () => {
    const { last } = await talk(
      emptyFolder(),
      [streamed(delta({ refusal: 'No.' }), end())],
      ['--save', 'a'],
      ['-c', 'b'],
    )
    expect(last.messages).toEqual([user('a'), assistant('No.'), user('b')])
  })
})

describe('tool calls', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }
  const pieces = [
    { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] },
  ]
  const calling = streamed(...pieces.map((piece) => delta(piece)), end('tool_calls'))
  const result = { role: 'tool', tool_call_id: 'c1', content: '3 degrees' }

  test('go along with their results', async () => {
    const home = emptyFolder()
    const path = join(home, 'results.json')
    writeFileSync(path, JSON.stringify([result]))
    const { last } = await talk(home, [calling, one], ['--save', 'a'], ['-c', '--messages', path, '--no-stdin'])
    expect(last.messages).toEqual([user('a'), { role: 'assistant', content: '', tool_calls: [call] }, result])
  })

  test('without results stay behind', async () => {
    const { last } = await talk(emptyFolder(), [calling, one], ['--save', 'a'], ['-c', 'b'])
    expect(last.messages).toEqual([user('a'), user('b')])
  })
})

describe('a turn that was not answered', () => {
  const failing: [what: string, answer: Answer, code: number][] = [
    ['refused', json({ error: 'no' }, 400), 1],
    ['cut before the first word', cut(), 6],
    ['cut while it was reasoned about', cut(delta({ reasoning_content: 'Hm' })), 6],
  ]

  test.each(failing)('%s: what is said instead takes its place', async (_what, answer, code) => {
    const { outcomes, last } = await talk(
      emptyFolder(),
      [one, answer, two],
      ['--save', 'a'],
      ['-c', '--retries', '0', '-s', 'Be brief', 'b'],
      ['-c', 'c'],
    )
    expect(outcomes[1]?.code).toBe(code)
    expect(outcomes[2]?.err).toBe(
      'syn: the last message got no answer and does not go along; without a prompt it is asked again\n',
    )
    expect(last.messages).toEqual([system('Be brief'), user('a'), assistant('One.'), user('c')])
  })

  test.each(failing)('%s: without a prompt it is asked again', async (_what, answer) => {
    const home = emptyFolder()
    const { outcomes, last } = await talk(
      home,
      [answer, two],
      ['--save', '--retries', '0', '-m', 'hf:x', 'a'],
      ['-c'],
      ['-c', 'b'],
    )
    expect(outcomes[1]).toMatchObject({ code: 0, out: 'Two.\n' })
    expect(last).toMatchObject({ model: 'hf:x', messages: [user('a'), assistant('Two.'), user('b')] })
  })

  test('when it was answered there is nothing to ask', async () => {
    const { outcomes, sent } = await talk(emptyFolder(), [one], ['--save', 'a'], ['-c'])
    expect(outcomes[1]).toMatchObject({ code: 2, err: expect.stringMatching(/^syn: no prompt/) })
    expect(sent).toHaveLength(1)
  })
})

test('an answer that was cut goes along as far as it came', async () => {
  const home = emptyFolder()
  const { outcomes, last } = await talk(home, [cut('On', 'e'), two], ['--save', 'a'], ['-c', 'b'])
  expect(outcomes[0]?.code).toBe(7)
  expect(last.messages).toEqual([user('a'), assistant('One'), user('b')])
  expect(said(home, 'end')[0]).toMatchObject({
    error: 'the answer was cut short: the stream ended before the answer was complete',
  })
})

describe('the model', () => {
  const asked = async (...lines: string[][]): Promise<string | undefined> =>
    (await talk(emptyFolder(), [one], ...lines)).last.model

  test('of the conversation goes on', async () => {
    expect(await asked(['--save', '-m', 'hf:x', 'a'], ['-c', 'b'])).toBe('hf:x')
  })

  test('that is named goes before it, and goes on in its turn', async () => {
    expect(await asked(['--save', '-m', 'hf:x', 'a'], ['-c', '-m', 'hf:y', 'b'], ['-c', 'c'])).toBe('hf:y')
  })

  test('that gave no answer does not go on', async () => {
    const lines = [
      ['--save', '-m', 'hf:x', 'a'],
      ['-c', '-m', 'hf:gone', 'b'],
      ['-c', 'c'],
    ]
    const { last } = await talk(emptyFolder(), [one, json({ error: 'no' }, 400), two], ...lines)
    expect(last.model).toBe('hf:x')
  })
})
