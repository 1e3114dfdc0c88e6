/** Messages and answers in the interactive chat: what is shown, what is sent, what is kept. */

import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cut, delta, end } from '../../helpers/chat-chunks.ts'
import { said } from '../../helpers/conversations.ts'
import { PacedAnswer } from '../../helpers/paced.ts'
import { environment } from '../../helpers/program.ts'
import { chatAnswer, events, json } from '../../helpers/service.ts'
import { synOnTerminal } from '../../helpers/terminal.ts'
import { talk } from '../../helpers/talking.ts'

const hello = events(chatAnswer(['Hel', 'lo']))

test.each([80, 40])('a greeting, an answer and what it took, at %d columns', async (columns) => {
  await using chat = await talk([hello], { columns, argv: ['-m', 'hf:one'] })
  expect(chat.screen.lines().join(' ')).toMatch(/^hf:one · \/help lists the commands, Ctrl-D\s+leaves › *$|leaves ›$/)
  await chat.say('hi')
  expect(chat.below('› hi')).toEqual(['Hello', expect.stringMatching(/^3 \+ 2 tokens · \d\.\d\d s/), ''])
  expect(chat.sent()).toEqual([{ model: 'hf:one', messages: [{ role: 'user', content: 'hi' }], stream: true }])
})

test('the next message goes with all that was said', async () => {
  await using chat = await talk([hello], { argv: ['-s', 'Be brief.', '--temperature', '0'] })
  await chat.say('one')
  await chat.say('two')
  expect(chat.sent().at(-1)).toMatchObject({
    temperature: 0,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'two' },
    ],
  })
  expect(said(chat.home, 'turn')).toEqual([
    { system: 'Be brief.', messages: [{ role: 'user', content: 'one' }] },
    { messages: [{ role: 'user', content: 'two' }] },
  ])
})

test('Ctrl-C stops the answer, what came is kept, and the next message goes with it', async () => {
  const paced = new PacedAnswer()
  await using chat = await talk([paced.answer, hello])
  chat.screen.type('count\r')
  await paced.send('one two ')
  await chat.screen.until((lines) => lines.includes('one two'))
  chat.screen.type('\u0003')
  await chat.screen.until((lines) => lines.at(-1) === '›')
  await paced.closed
  expect(chat.below('› count')).toEqual(['one two', 'stopped; what came is kept', ''])
  await chat.say('go on')
  expect(chat.sent().at(-1)?.messages).toEqual([
    { role: 'user', content: 'count' },
    { role: 'assistant', content: 'one two ' },
    { role: 'user', content: 'go on' },
  ])
  expect(said(chat.home, 'end')[0]).toMatchObject({ error: 'interrupted' })
})

test('Ctrl-C before anything came leaves a message that /retry asks again', async () => {
  const paced = new PacedAnswer()
  await using chat = await talk([paced.answer, hello])
  chat.screen.type('hi\r')
  await paced.asked
  chat.screen.type('\u0003')
  await chat.screen.until((lines) => lines.includes('stopped; /retry asks again') && lines.at(-1) === '›')
  await chat.say('/retry')
  expect(chat.sent().map(({ messages }) => messages)).toEqual([
    [{ role: 'user', content: 'hi' }],
    [{ role: 'user', content: 'hi' }],
  ])
})

test('Ctrl-C stops a command that waits for the service', async () => {
  const paced = new PacedAnswer()
  await using chat = await talk([paced.answer])
  chat.screen.type('/quota\r')
  await paced.asked
  chat.screen.type('\u0003')
  await chat.screen.until((lines) => lines.includes('stopped') && lines.at(-1) === '›')
  await paced.closed
})

test.each<[title: string, status: number, message: RegExp]>([
  ['a key that is refused', 401, /^syn: no such key \(401 .*\)$/],
  ['a model that is gone', 404, /^syn: no such key \(404 .*\)$/],
  ['a quota that is spent', 429, /^syn: no such key \(429 .*\)$/],
  ['a fault of the service', 500, /^syn: no such key \(500 .*\)$/],
])('%s is said, and the chat goes on', async (_title, status, message) => {
  const answers = [json({ error: 'no such key' }, status), ...(status === 429 ? [json({})] : [])]
  const list = status === 404 ? [json({ data: [] })] : []
  await using chat = await talk([...answers, ...list, hello], { argv: ['--retries', '0'] })
  await chat.say('hi')
  expect(chat.below('› hi')[0]).toMatch(message)
  await chat.say('again')
  expect(chat.below('› again')[0]).toBe('Hello')
  expect(chat.sent().at(-1)?.messages).toEqual([{ role: 'user', content: 'again' }])
})

test('a service that is gone is said, and the chat goes on', async () => {
  await using chat = await talk([hello], { argv: ['--retries', '0'] })
  await chat.service.close()
  await chat.say('hi')
  expect(chat.below('› hi')[0]).toMatch(/^syn: /)
})

test('an answer that breaks off is kept as far as it came, and the chat goes on', async () => {
  await using chat = await talk([cut('one two '), hello])
  await chat.say('count')
  expect(chat.below('› count').slice(0, 2)).toEqual([
    'one two',
    expect.stringMatching(/^syn: the answer was cut short/),
  ])
  await chat.say('go on')
  expect(chat.sent()[1]?.messages[1]).toEqual({ role: 'assistant', content: 'one two ' })
})

test('what to do about a model that is gone is said in words of the chat', async () => {
  const gone = json({ error: 'gone' }, 404)
  await using chat = await talk([gone, json({ data: [{ id: 'hf:two' }] })], { columns: 200, argv: ['-m', 'hf:twe'] })
  await chat.say('hi')
  expect(chat.below('› hi')[1]).toBe(
    'hint: the model may have been rotated out; listed are hf:two; /model syn:large:text stays current',
  )
})

test('reasoning is summed up in one line, and /reasoning on shows it', async () => {
  const thinking = [delta({ reasoning_content: 'let me see' }), delta('4'), end()]
  const paced = [new PacedAnswer(), new PacedAnswer()] as const
  await using chat = await talk(paced.map(({ answer }) => answer))
  chat.screen.type('2+2\r')
  await paced[0].send(thinking[0] as object)
  await chat.screen.until((lines) => lines.at(-1)?.endsWith('thinking · let me see') ?? false)
  await paced[0].finish(...thinking.slice(1))
  await chat.screen.until((lines) => lines.at(-1) === '›')
  expect(chat.below('› 2+2').slice(0, 2)).toEqual([
    expect.stringMatching(/^thought for \d+\.\d s; \/reasoning on shows it$/),
    '4',
  ])
  await chat.say('/reasoning on')
  void paced[1].finish(...thinking)
  await chat.say('3+1')
  expect(chat.below('› 3+1').slice(0, 3)).toEqual(['let me see', '', '4'])
})

test('without a key nothing opens', async () => {
  const screen = synOnTerminal(['chat'], environment())
  expect(await screen.ended).not.toBe(0)
  expect(screen.lines()[0]).toMatch(/^syn: /)
})

test.each([
  ['Ctrl-D', '\u0004'],
  ['Ctrl-C twice', '\u0003\u0003'],
  ['/exit', '/exit\r'],
  ['/quit', '/quit\r'],
])('%s leaves, and all is well', async (_title, keys) => {
  await using chat = await talk([hello])
  chat.screen.type(keys)
  expect(await chat.screen.ended).toBe(0)
})

test('with --no-save nothing is left on the disk', async () => {
  await using chat = await talk([hello], { argv: ['--no-save'] })
  await chat.say('hi')
  chat.screen.type('\u0004')
  await chat.screen.ended
  expect(existsSync(`${chat.home}/.local`)).toBe(false)
})
