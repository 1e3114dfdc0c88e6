/** The interactive chat says when a conversation was held with another service. */

import { expect, test } from 'vitest'
import { streamed, end } from '../helpers/chat-chunks.ts'
import { homeWithConversations } from '../helpers/conversations.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { environment } from '../helpers/program.ts'
import { synOnTerminal } from '../helpers/terminal.ts'

const id = '20261121-101512-4f7a9c'
const home = (): string => homeWithConversations({ id, name: 'try', service: 'sandbox', turns: [['one', 'un']] })
const warning = /this conversation was held with the sandbox; from now on it goes to http:\/\/127\.0\.0\.1:\d+/

test('/load warns', async () => {
  await using chat = await openChat([streamed('Hello', end())], { env: { HOME: home() } })
  await chat.enter('/load try')
  expect(chat.textBelow('› /load')).toMatch(new RegExp(`^continuing: try › one {3}un ${warning.source}$`))
  await chat.enter('two')
  expect(chat.sent()).toHaveLength(1)
  await chat.enter('/load try')
  expect(chat.textBelow('› /load')).not.toMatch(warning)
})

test('--session warns above the conversation', async () => {
  await using chat = await openChat([streamed('Hello', end())], { argv: ['--session', 'try'], env: { HOME: home() } })
  expect(chat.screen.lines().join(' ')).toMatch(new RegExp(`^syn: ${warning.source} .*continuing: try`))
})

test('-c does not begin', async () => {
  const env = { ...environment(), HOME: home(), SYN_BASE_URL: 'https://api.example', SYN_API_KEY: 'sk-test-1234567890' }
  const screen = synOnTerminal(['chat', '-c'], env)
  expect(await screen.ended).toBe(2)
  expect(screen.lines().join(' ')).toContain('no conversation with https://api.example to continue')
})
