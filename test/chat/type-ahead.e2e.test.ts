/** Typing while an answer arrives or a command runs, and at rest. */

import { describe, expect, test } from 'vitest'
import { homeWithConversations } from '../helpers/conversations.ts'
import { PacedAnswer } from '../helpers/paced.ts'
import { environment, replacingEditor } from '../helpers/program.ts'
import { chatAnswer, events, json, startService, type Answer } from '../helpers/service.ts'
import { byHand, synOnTerminal } from '../helpers/terminal.ts'
import { openChat, type Body } from '../helpers/interactive-chat.ts'

const up = '\u001b[A'
const hello = events(chatAnswer(['Hel', 'lo']))

test('entered lines are sent one by one when the turn ends, and the rest stays on the input line', async () => {
  const paced = new PacedAnswer()
  await using chat = await openChat([paced.answer, hello])
  chat.screen.type('one\r')
  await paced.asked
  chat.screen.type(byHand('/model hf:two\rtwo\r\rthree\rfour'))
  // The keys have probably arrived when this is shown; later is fine too.
  await paced.send('First ')
  await chat.screen.until((lines) => lines.includes('First'))
  await paced.finish()
  await chat.screen.until((lines) => lines.at(-1) === '› four')
  expect(chat.contents()).toEqual(['one', 'two', 'three'])
  expect(chat.sent()[1]?.model).toBe('hf:two')
  expect(chat.screen.lines().filter((line) => line.startsWith('›'))).toEqual([
    '› one',
    '› /model hf:two',
    '› two',
    '› three',
    '› four',
  ])
  await chat.enter('!')
  expect(chat.contents().at(-1)).toBe('four!')
  await chat.type('\u001b[A\u001b[A', '› three')
})

test.each([
  ['a request', 'one\r'],
  ['a command', '/quota\r'],
])('nothing is sent when %s fails', async (_what, keys) => {
  let fail: (() => void) | undefined
  const failing = new Promise<Answer>((resolve) => (fail = () => resolve(json({ error: 'no' }, 400))))
  await using chat = await openChat([async (...request) => (await failing)(...request), hello])
  chat.screen.type(byHand(`${keys}two\rthree\r`))
  await chat.screen.until((lines) => lines.includes(`› ${keys.trim()}`))
  fail?.()
  await chat.screen.until((lines) => lines.at(-1) === '› two' && lines.includes('not sent (Up): three'))
  await chat.type(up, '› three')
  expect(chat.service.asked).toHaveLength(1)
})

describe('a text that leaves the line unsent is in the history', () => {
  test.each<[what: string, keys: string]>([
    ['behind an earlier message that is sent', `precious${up}\r`],
    ['behind a match of the search', 'precious\u0012sent\u001b[C\u0003'],
  ])('%s', async (_what, keys) => {
    await using chat = await openChat([hello])
    await chat.enter('sent before')
    chat.screen.type(`${keys}\u0012preci`)
    await chat.screen.until((lines) => lines.at(-2) === '› precious')
  })
})

test('lines entered before the chat has opened are sent', async () => {
  await using service = await startService(hello)
  const screen = synOnTerminal(['chat', '-m', 'hf:one'], environment(service))
  screen.type(byHand('one\rtwo\r'))
  await screen.until((lines) => lines.filter((line) => line === 'Hello').length === 2 && lines.at(-1) === '›')
  const sent = service.asked.filter(({ method }) => method === 'POST').map(({ json }) => json as Body)
  expect(sent.map(({ messages }) => messages.at(-1)?.content)).toEqual(['one', 'two'])
  screen.type('\u0004')
  await screen.ended
})

test('Enter right after Tab waits for the completion', async () => {
  const home = homeWithConversations({ id: '20261121-090000-aaaaaa', name: 'meeting', turns: [['one', 'two']] })
  await using chat = await openChat([hello], { env: { HOME: home } })
  // In one read: the names are still being looked up when Enter arrives.
  chat.screen.type(byHand('/load mee\t\rnext'))
  await chat.screen.until((lines) => lines.includes('continuing: meeting') && lines.at(-1) === '› next')
  expect(chat.screen.lines()).toContain('› /load meeting')
})

test('several lines and a paste of 500 lines', async () => {
  await using opened = await openChat([hello], { columns: 40 })
  const { screen } = opened
  await opened.type(byHand('a\u001b\rb\\\rc'), '  c')
  await opened.enter('')
  await opened.type(byHand('d\\\r\\\r5'), '  5')
  await opened.enter('')
  const lines = Array.from({ length: 500 }, (_, index) => `line ${index + 1}`)
  await opened.type(`\u001b[200~${lines.join('\r')}\u001b[201~`, '  line 500')
  await opened.enter('')
  expect(opened.contents()).toEqual(['a\nb\nc', 'd\n\n5', lines.join('\n')])
  expect(screen.lines().filter((line) => /^(› |  )\S/.test(line))).toEqual([
    '› a',
    '  b',
    '  c',
    '› d',
    '  5',
    '› line 1',
    ...lines.slice(1, 12).map((line) => `  ${line}`),
    '  … 488 more lines',
  ])
})

test('the history is available in the next run; Ctrl-G opens the editor', async () => {
  await using first = await openChat([hello], { columns: 40 })
  await first.enter('first of all')
  await first.enter('second\u001b\rline')
  const env = { HOME: first.home, EDITOR: replacingEditor('all', 'us') }
  await using second = await openChat([hello], { columns: 40, env })
  const { screen } = second
  screen.type('\u001b[A')
  await screen.until((lines) => lines.at(-1) === '  line' && lines.at(-2) === '› second')
  screen.type('\u0015\u0015\u0015\u0012of')
  await screen.until((lines) => lines.at(-1) === 'search: of' && lines.at(-2) === '› first of all')
  screen.type('\u0005\u0007')
  await screen.until((lines) => lines.at(-1) === '› first of us')
  await second.enter('!')
  expect(second.contents()).toEqual(['first of us!'])
})
