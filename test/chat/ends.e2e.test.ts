/** Ways to exit the chat. */

import { expect, test } from 'vitest'
import { chat as dialect } from '../helpers/dialects.ts'
import { PacedAnswer } from '../helpers/paced.ts'
import { environment } from '../helpers/program.ts'
import { synOnTerminal } from '../helpers/terminal.ts'
import { openChat } from '../helpers/interactive-chat.ts'

const hello = dialect.streamed('Hello')

test('without a key the chat does not open', async () => {
  const screen = synOnTerminal(['chat'], environment())
  expect(await screen.ended).not.toBe(0)
  expect(screen.lines()[0]).toMatch(/^syn: /)
})

test.each([
  ['Ctrl-D', '\u0004'],
  ['/exit', '/exit\r'],
])('%s exits with status 0', async (_title, keys) => {
  await using chat = await openChat([hello])
  chat.screen.type(keys)
  expect(await chat.screen.ended).toBe(0)
})

test('Ctrl-C at an empty line asks once, then exits', async () => {
  await using chat = await openChat([hello])
  await chat.type('text\u0003', '›')
  await chat.type('\u0003', 'press Ctrl-C again to exit')
  expect(chat.screen.lines().at(-2)).toBe('›')
  chat.screen.type('\u0003')
  expect(await chat.screen.ended).toBe(0)
})

test('Ctrl-C stops a command that is waiting for the service', async () => {
  const paced = new PacedAnswer()
  await using chat = await openChat([paced.answer])
  chat.screen.type('/quota\r')
  await paced.asked
  chat.screen.type('\u0003')
  await chat.screen.until((lines) => lines.includes('stopped') && lines.at(-1) === '›')
  await paced.closed
})

test.each(['exit', ' quit '])('%j alone exits', async (word) => {
  await using chat = await openChat([hello])
  await chat.enter(`${word} the shell`)
  chat.screen.type(`${word}\r`)
  expect(await chat.screen.ended).toBe(0)
  expect(chat.contents()).toEqual([`${word} the shell`])
})
