/** The paths of files alone, as terminals paste them for files that are dropped on them. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { droppedFiles } from '../../src/chat/attachments.ts'
import { chat as dialect } from '../helpers/dialects.ts'
import { realPng, refusedImages } from '../helpers/images.ts'
import { openChat, type InteractiveChat } from '../helpers/interactive-chat.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { wide } from '../helpers/terminal.ts'

const { conversation, user, userWithImage } = dialect
const [photo, notes] = ["it's a photo.png", 'notes.txt']

function home(): string {
  const path = emptyFolder()
  writeFileSync(join(path, photo), realPng)
  writeFileSync(join(path, notes), 'remember')
  for (const [name, bytes] of Object.entries(refusedImages)) writeFileSync(join(path, name), bytes)
  return path
}

const escaped = (path: string): string => path.replaceAll(/[ ']/g, String.raw`\$&`)
const quoted = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`

test.each<[title: string, typed: (paths: string[]) => string]>([
  ['with backslashes', (paths) => `${paths.map(escaped).join(' ')} `],
  ['with backslashes before spaces only', (paths) => paths.map((path) => path.replaceAll(' ', '\\ ')).join(' ')],
  ['in single quotes', (paths) => paths.map(quoted).join(' ')],
  ['in double quotes', (paths) => paths.map((path) => `"${path}"`).join(' ')],
  ['as file URLs', (paths) => paths.map((path) => `${pathToFileURL(path).href}\n`).join('')],
  ['line by line', (paths) => paths.join('\n')],
  ['as they are', (paths) => paths.join(' ')],
  ['from home', () => `~/${photo} ~/${notes}`],
  ['each twice', (paths) => [...paths, ...paths].map(quoted).join(' ')],
])('%s', (_title, typed) => {
  const HOME = home()
  const paths = [photo, notes].map((name) => join(HOME, name))
  expect(droppedFiles(typed(paths), { env: { HOME } })).toEqual(paths)
  expect(droppedFiles(typed(paths.slice(0, 1)), { env: { HOME } })[0]).toBe(paths[0])
})

/** Drops files on the chat, and waits for its question. */
async function dropped(names: readonly string[], question: string): Promise<InteractiveChat> {
  const chat = await openChat([dialect.streamed('Hello')], { columns: wide, env: { HOME: home() } })
  chat.screen.type(`\u001b[200~${names.map((name) => `~/${name}`).join(' ')}\u001b[201~`)
  chat.screen.type('\r')
  // No key can answer it for a second, in which the other tests go on.
  await chat.screen.until((lines) => lines.at(-1) === '[y/n]')
  expect(chat.screen.lines().join(' ')).toContain(question)
  expect(chat.sent()).toEqual([])
  return chat
}

test.concurrent('y attaches them to the next message', async () => {
  await using chat = await dropped([photo, notes], "attach it's a photo.png and notes.txt?")
  chat.screen.type('y')
  await chat.screen.until((lines) => /^\[it's a pho.* \+1\] ›$/.test(lines.at(-1) ?? ''))
  await chat.enter('what is it?')
  const sent = userWithImage(`what is it?\n\n${join(chat.home, notes)}:\n\`\`\`txt\nremember\n\`\`\``, realPng)
  expect(chat.sent()).toMatchObject([conversation({ messages: [sent] })])
})

test.concurrent('of several, one that cannot be attached is named, and none is attached', async () => {
  await using chat = await dropped([notes, 'phone.heic', photo], 'attach 3 files (notes.txt, …)?')
  chat.screen.type('y')
  await chat.screen.until((lines) => lines.filter((line) => line.startsWith('› ~/notes.txt')).length === 2)
  const shown = chat.screen.lines().join(' ')
  expect(shown).toContain('phone.heic is a HEIC image; expected')
  expect(shown).toContain('none of the 3 files is attached')
  expect(chat.sent()).toEqual([])
})

test.concurrent('n sends the path as the message', async () => {
  await using chat = await dropped([notes], 'attach notes.txt?')
  chat.screen.type('n')
  await chat.screen.until((lines) => lines.includes('Hello') && lines.at(-1) === '›')
  expect(chat.sent()).toMatchObject([conversation({ messages: [user('~/notes.txt')] })])
})

test.concurrent.each([
  ['Ctrl-C', '\u0003'],
  ['Esc', '\u001b'],
  ['Enter', '\r'],
])('%s returns the path to the line', async (_key, sequence) => {
  await using chat = await dropped([notes], 'attach notes.txt?')
  await chat.type(sequence, '› ~/notes.txt')
  expect(chat.sent()).toEqual([])
})

test('a folder, a missing file, a word, and two slashes are no dropped files', async () => {
  const folder = home()
  await using chat = await openChat([dialect.streamed('Hello')], { folder, env: { HOME: folder } })
  const others = ['./', '~/missing.txt', './notes.txt ./', './notes.txt is short', './notes.txt ./missing.txt']
  for (const text of [...others, `/${join(folder, 'notes.txt')}`]) await chat.enter(text)
  const sent = chat.contents()
  expect(sent).toEqual([...others, join(folder, 'notes.txt')])
})
