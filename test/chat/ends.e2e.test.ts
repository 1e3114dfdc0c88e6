/** Ways to exit the chat. */

import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { chat as dialect } from '../helpers/dialects.ts'
import { conversationFiles } from '../helpers/conversations.ts'
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

test.each<[argv: string[], env: Record<string, string>, shown: string | undefined]>([
  [[], {}, ''],
  [['--sandbox'], {}, ' --sandbox'],
  [['--profile', 'default'], {}, ' --profile default'],
  [[], { SYN_PROFILE: 'default' }, ' --profile default'],
  [['--no-save'], {}, undefined],
  [['-q'], {}, undefined],
])('after a message, %j and %j say how to continue: %s', async (argv, env, shown) => {
  await using chat = await openChat([hello], { argv, env })
  await chat.enter('hi')
  chat.screen.type('\u0004')
  expect(await chat.screen.ended).toBe(0)
  const [log = ''] = conversationFiles(chat.home)
  const line = shown === undefined ? undefined : `to continue: syn chat --session ${basename(log, '.jsonl')}${shown}`
  expect(chat.screen.lines().find((one) => one.startsWith('to continue'))).toBe(line)
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
