/** What a chat saves to disk, and its notices. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chat as family } from '../helpers/families.ts'
import { homeWithConversations } from '../helpers/conversations.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { openChat } from '../helpers/interactive-chat.ts'

const hello = family.streamed('Hello')

test('with --no-save, /rename and /fork fail', async () => {
  await using chat = await openChat([hello], { argv: ['--no-save'] })
  await chat.enter('hi')
  const failure = 'this conversation is not saved hint: use /save FILE to write it to a file'
  await chat.enter('/rename a')
  expect(chat.textBelow('› /rename')).toBe(`syn: /rename: ${failure}`)
  await chat.enter('/fork a')
  expect(chat.textBelow('› /fork')).toBe(`syn: /fork: ${failure}`)
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
    '› count',
    '  in French',
    '  Numbers',
    '  un, deux',
    '  • trois',
    '  … 2 more lines',
    '',
  ])
})

test('-c breaks no address in it', async () => {
  const address = `https://a.bc/${'0123456789'.repeat(4)}`
  const home = homeWithConversations({
    id: '20261121-101512-4f7a9c',
    turns: [
      ['one', `${address} is it`],
      ['two', `Or ${address}${'0123456789'.repeat(9)}\n\nor not`],
    ],
  })
  await using chat = await openChat([hello], { argv: ['-c'], columns: 40, env: { HOME: home } })
  expect(chat.linesBelow('continuing')).toEqual([
    '› one',
    '  https://a.bc/0123456789012345678901234',
    '567890123456789 is it',
    '› two',
    '  Or',
    '  … 5 more lines',
    '',
  ])
})
