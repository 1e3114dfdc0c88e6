/** What a chat saves to disk and continues, and its notices. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chat as dialect } from '../helpers/dialects.ts'
import { homeWithConversations } from '../helpers/conversations.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { environment } from '../helpers/program.ts'
import { synOnTerminal } from '../helpers/terminal.ts'

const hello = dialect.streamed('Hello')

test('with --no-save, /rename fails', async () => {
  await using chat = await openChat([hello], { argv: ['--no-save'] })
  await chat.enter('hi')
  const failure = 'this conversation is not saved hint: use /save FILE to write it to a file'
  await chat.enter('/rename a')
  expect(chat.textBelow('› /rename')).toBe(`syn: /rename: ${failure}`)
  expect(existsSync(join(chat.home, '.local'))).toBe(false)
})

test('/save replaces an existing file only when repeated', async () => {
  const folder = emptyFolder()
  const path = join(folder, 'talk.md')
  writeFileSync(path, 'precious')
  await using chat = await openChat([hello], { folder })
  await chat.enter('hi')
  await chat.enter('/save talk.md')
  expect(chat.textBelow('› /save')).toBe('syn: /save: talk.md already exists hint: repeat the command to replace it')
  expect(readFileSync(path, 'utf8')).toBe('precious')
  await chat.enter('/save talk.md')
  expect(readFileSync(path, 'utf8')).toContain('Hello')
  await chat.enter('/save talk.md')
  expect(chat.textBelow('› /save')).toBe('saved to talk.md')
})

test('two chats in one conversation notice each other, and neither loses anything', async () => {
  await using chat = await openChat([hello], { argv: ['--session', 'two'] })
  await chat.enter('one')
  await using other = await openChat([hello], { argv: ['--session', 'two'], env: { HOME: chat.home } })
  await other.enter('from the other')
  await chat.enter('two')
  expect(chat.textBelow('› two')).toContain('another syn process has written to this conversation')
  await chat.enter('three')
  expect(chat.textBelow('› three')).not.toContain('another syn process')
  const { messages } = chat.sent().at(-1) ?? { messages: [] }
  expect(messages.map(({ content }) => content)).toEqual(['one', 'Hello', 'two', 'Hello', 'three'])
})

test('-c shows the end of the conversation, with rendered answers', async () => {
  const answer = '# Numbers\n\n**un**, `deux`\n\n- trois\n- quatre\n- cinq'
  const home = homeWithConversations({ id: '20261121-101512-4f7a9c', turns: [['count\nin French', answer]] })
  await using chat = await openChat([hello], { argv: ['-c'], env: { HOME: home } })
  expect(chat.linesBelow('continuing')).toEqual([
    '2026-11-21 10:15',
    '› count',
    '  in French',
    '  Numbers',
    '  un, deux',
    '  • trois',
    '  … 2 more lines',
    '',
  ])
})

const id = '20261121-101512-4f7a9c'
const home = (): string => homeWithConversations({ id, name: 'try', service: 'sandbox', turns: [['one', 'un']] })
const warning = /this conversation was held with the sandbox; from now on it goes to http:\/\/127\.0\.0\.1:\d+/

test('/load warns of a conversation that was held with another service', async () => {
  await using chat = await openChat([hello], { env: { HOME: home() } })
  await chat.enter('/load try')
  expect(chat.textBelow('› /load')).toMatch(
    new RegExp(`^continuing: try 2026-11-21 10:15 › one {3}un ${warning.source}$`),
  )
  await chat.enter('two')
  expect(chat.sent()).toHaveLength(1)
  await chat.enter('/load try')
  expect(chat.textBelow('› /load')).not.toMatch(warning)
})

test('-c does not begin with it', async () => {
  const env = { ...environment(), HOME: home(), SYN_BASE_URL: 'https://api.example', SYN_API_KEY: 'sk-test-1234567890' }
  const screen = synOnTerminal(['chat', '-c'], env)
  expect(await screen.ended).toBe(2)
  expect(screen.lines().join(' ')).toContain('no conversation with https://api.example to continue')
})
