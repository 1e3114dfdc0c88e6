/** The same on a real terminal: what libraries draw, what is typed, and the chat. */

import { expect, test } from 'vitest'
import { homeWithConversations } from '../helpers/conversations.ts'
import { harmfulIn, hostile, hostileService } from '../helpers/hostile.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { environment, replacingEditor } from '../helpers/program.ts'
import { synOnTerminal } from '../helpers/terminal.ts'

const id = '20261121-090000-aaaaaa'

function hostileHome(): string {
  return homeWithConversations({ id, name: hostile, turns: [[hostile, hostile]] })
}

/** In a bracketed paste. */
function pasted(text: string): string {
  return `\u001b[200~${text}\u001b[201~`
}

test('the question of sessions rm', async () => {
  const screen = synOnTerminal(['sessions', 'rm', id], { ...environment(), HOME: hostileHome() })
  await screen.until((lines) => lines.at(-1)?.endsWith('[n]o:') ?? false)
  screen.type('n')
  expect(await screen.ended).toBe(0)
  expect(harmfulIn(screen.written(), true)).toEqual([])
  expect(screen.written()).toContain('␛]52;c;')
})

test('what is pasted at a question, and the reason why it is not accepted', async () => {
  const screen = synOnTerminal(['login'], environment())
  await screen.until((lines) => lines.some((line) => line.includes('Base URL')))
  screen.type('x\u009b31m\u202e\u2066y\r')
  await screen.until((lines) => lines.some((line) => /not a|URL.*:|https?/.test(line)))
  screen.type('\u0003')
  await screen.ended
  expect(harmfulIn(screen.written(), true)).toEqual([])
  expect(screen.lines().join('\n')).toContain('x\ufffd31m\ufffd\ufffdy')
})

test('a chat: greeting, lists, paste and answer', async () => {
  const options = { argv: ['--session', id], env: { HOME: hostileHome() } }
  await using chat = await openChat([hostileService], options)
  for (const line of ['/quota', `/load ${id}`, '/retry', '/usage']) {
    await chat.enter(line)
  }
  chat.screen.type('/undo\r')
  await chat.screen.until((lines) => lines.at(-1)?.trim() === 'b␛[2J␈')
  // The message is back, in two lines.
  chat.screen.type('\u0003')
  await chat.screen.until((lines) => lines.at(-1) === '›')
  // A terminal leaves out escapes, which could end the paste.
  await chat.enter(pasted(`hello ${hostile.replaceAll('\u001b', '')}`))
  await chat.enter('/model nope')
  await chat.clear()
  chat.screen.type('/load \t\t')
  await chat.clear()
  expect(harmfulIn(chat.screen.written(), true)).toEqual([])
  expect(chat.screen.written()).toContain('␛]52;c;')
})

test('/edit sends what is left of such a text as it was', async () => {
  const env = { HOME: hostileHome(), EDITOR: replacingEditor('title', 'new') }
  await using chat = await openChat([hostileService], { argv: ['--session', id], env })
  await chat.enter('/edit')
  expect(chat.sent().at(-1)?.messages.at(-1)?.content).toBe(hostile.replace('title', 'new'))
})
