/** `@FILE` in a message: which files it attaches, what the notice names, and what is never sent. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { homeWithConversations } from '../helpers/conversations.ts'
import { chat as dialect } from '../helpers/dialects.ts'
import { realPng } from '../helpers/images.ts'
import { openChat, type ChatOptions, type InteractiveChat } from '../helpers/interactive-chat.ts'
import { replacingEditor } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { json, type Answer } from '../helpers/service.ts'

const hello = dialect.streamed('Hello')
const refused = json({ error: 'no' }, 400)

const files = ['notes.txt', 'src/a.ts', 'src/b.ts', 'my file.txt', 'say "hi".txt']

/** Each file has its name as its text. */
function folder(): string {
  const path = emptyFolder()
  mkdirSync(join(path, 'src'))
  for (const name of files) writeFileSync(join(path, name), `text of ${name}`)
  writeFileSync(join(path, 'photo.png'), realPng)
  return path
}

function open(options: ChatOptions = {}, answers: Answer[] = [hello]): Promise<InteractiveChat> {
  const path = options.folder ?? folder()
  return openChat(answers, { columns: 100, ...options, folder: path, env: { HOME: path, ...options.env } })
}

/** The words of the last message, and the paths whose text it has. */
function lastSent(chat: InteractiveChat): [words: string, ...attached: string[]] {
  const text = String(chat.sent().at(-1)?.messages.at(-1)?.content)
  const [words = ''] = text.split(/\n\n[^\n]+:\n```/)
  return [words, ...[...text.matchAll(/text of ([^\n]+)\n```/g)].map(([, name = '']) => name)]
}

const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`
const [killLine, yank, up, shiftEnter, escape] = ['\u0015', '\u0019', '\u001b[A', '\u001b\r', '\u001b']

test('what is typed', async () => {
  await using chat = await open()
  const typed: [line: string, words: string, ...attached: string[]][] = [
    ['see @notes.txt', 'see @notes.txt', 'notes.txt'],
    ['(@notes.txt), @src/a.ts.', '(@notes.txt), @src/a.ts.', 'notes.txt', 'src/a.ts'],
    ['@notes.txt:1 @src/a.ts,@src/b.ts', '@notes.txt:1 @src/a.ts,@src/b.ts', 'notes.txt', 'src/a.ts'],
    ['请看@notes.txt和@src/a.ts的内容', '请看@notes.txt和@src/a.ts的内容', 'notes.txt', 'src/a.ts'],
    ['请看@not\tの内容', '请看@notes.txt の内容', 'notes.txt'],
    [paste('请看@notes.txt的内容'), '请看@notes.txt的内容'],
    ['@"my file.txt"!', '@"my file.txt"!', 'my file.txt'],
    [String.raw`@"say \"hi\".txt"`, String.raw`@"say \"hi\".txt"`, 'say "hi".txt'],
    ['@~/notes.txt', '@~/notes.txt', 'notes.txt'],
    ['@notes.txt @./notes.txt @src/../notes.txt', '@notes.txt @./notes.txt @src/../notes.txt', 'notes.txt'],
    ['//see @notes.txt', '/see @notes.txt', 'notes.txt'],
    ['me@notes.txt @nope @ @.. @src @@notes.txt', 'me@notes.txt @nope @ @.. @src @@notes.txt'],
    [paste('see @notes.txt'), 'see @notes.txt'],
    [`${paste('@notes.txt')} @src/a.ts`, '@notes.txt @src/a.ts', 'src/a.ts'],
    [`${paste('@notes.txt')}${killLine}${yank}`, '@notes.txt'],
    [`${paste('@notes.txt')}${killLine}@not\t`, '@notes.txt ', 'notes.txt'],
    [`see${shiftEnter}@src/a.ts ${paste('@notes.txt')}`, 'see\n@src/a.ts @notes.txt', 'src/a.ts'],
  ]
  for (const [line, ...expected] of typed) {
    const count = chat.sent().length
    chat.screen.type(line)
    chat.screen.type('\r')
    await chat.screen.until((lines) => chat.sent().length > count && lines.at(-1) === '›')
    expect(lastSent(chat), line).toEqual(expected)
  }
})

test('a paste stays text in the history, in the queue, after a failure, and after /undo', async () => {
  const paced = dialect.paced()
  const last = dialect.paced()
  await using chat = await open({}, [refused, paced.answer, last.answer, hello])
  chat.screen.type(paste('see @notes.txt'))
  chat.screen.type('\r')
  await chat.screen.until((lines) => lines.at(-1) === '›' && lines.some((line) => line.includes('no answer')))
  chat.screen.type(`${up}\r`)
  await paced.asked
  await chat.type(`${paste('and @src/a.ts')}\r`, '»')
  await paced.send('Hello')
  await paced.finish()
  await last.asked
  expect(lastSent(chat)).toEqual(['and @src/a.ts'])
  await last.send('Hello')
  await last.finish()
  await chat.screen.until((lines) => lines.at(-1) === '›')
  await chat.type('/undo\r', '› and @src/a.ts')
  chat.screen.type(' @src/b.ts\r')
  await chat.screen.until((lines) => lines.at(-1) === '›' && chat.sent().length === 4)
  expect(lastSent(chat)).toEqual(['and @src/a.ts @src/b.ts', 'src/b.ts'])
  expect(chat.contents().slice(0, 3)).toEqual(['see @notes.txt', 'see @notes.txt', 'and @src/a.ts'])
})

test('a paste stays text in an editor that leaves its word as it is', async () => {
  await using chat = await open({ env: { EDITOR: replacingEditor('look', 'see') } })
  await chat.enter('first')
  chat.screen.type(`look, look (${paste('@notes.txt')}, @src/a.ts) ${paste('@"my file.txt"')}\u0007`)
  await chat.screen.until((lines) => lines.at(-1)?.startsWith('› see') ?? false)
  await chat.enter('')
  expect(lastSent(chat)).toEqual(['see, look (@notes.txt, @src/a.ts) @"my file.txt"', 'src/a.ts'])
  await chat.enter('/edit')
  const edited = ['see, see (@notes.txt, @src/a.ts) @"my file.txt"', 'src/a.ts']
  expect(lastSent(chat)).toEqual(edited)
  await chat.type(up, `› ${edited[0]}`)
  await chat.enter('')
  expect(lastSent(chat)).toEqual(edited)
})

test('a notice names each file with its size, and the files belong to this message only', async () => {
  const path = folder()
  writeFileSync(join(path, 'long.txt'), 'x'.repeat(1234))
  await using chat = await open({ folder: path, env: { EDITOR: replacingEditor('look', 'see') } }, [
    refused,
    refused,
    hello,
  ])
  await chat.enter('/file notes.txt')
  await chat.enter('/file ""')
  await chat.enter('look @long.txt @photo.png')
  const notice = `attached long.txt (1.2 kB), photo.png (${realPng.length} B)`
  expect(chat.textBelow('› look')).toContain(notice)
  expect(chat.screen.lines().at(-1)).toBe('›')
  await chat.enter('/retry')
  await chat.enter('/edit')
  const [first, second, third] = chat.sent().map(({ messages }) => messages)
  expect(JSON.stringify(first)).toContain('x'.repeat(1234))
  expect(JSON.stringify(first)).toContain(realPng.toString('base64'))
  expect(second).toEqual(first)
  expect(JSON.stringify(third)).toBe(JSON.stringify(first).replace('look', 'see'))
  await chat.enter('next')
  expect(JSON.stringify(chat.sent().at(-1)?.messages.at(-1))).toBe('{"role":"user","content":"next"}')
})

test('a file that /file attached is sent once, and /undo brings back what mentions it once', async () => {
  await using chat = await open()
  await chat.enter('/file ./notes.txt')
  await chat.enter('see @notes.txt @src/a.ts')
  expect(lastSent(chat)).toEqual(['see @notes.txt @src/a.ts', 'notes.txt', 'src/a.ts'])
  await chat.enter('/retry')
  expect(lastSent(chat)).toEqual(['see @notes.txt @src/a.ts', 'notes.txt', 'src/a.ts'])
  await chat.type('/undo\r', '[notes.txt] › see @notes.txt @src/a.ts')
  await chat.type('\r', '›')
  expect(lastSent(chat)).toEqual(['see @notes.txt @src/a.ts', 'notes.txt', 'src/a.ts'])
})

test('/undo of a message from before this chat attaches nothing that its files mention', async () => {
  const text = 'see\n\nnotes.txt:\n```txt\n@src/a.ts @notes.txt\n```'
  const home = homeWithConversations({ id: '20261121-101512-4f7a9c', name: 'old', turns: [[text, 'Hello']] })
  await using chat = await open({ argv: ['--session', 'old'], env: { HOME: home } })
  chat.screen.type('/undo\r')
  await chat.screen.until((lines) => lines.at(-1)?.endsWith('```') ?? false)
  chat.screen.type('\r')
  await chat.screen.until((lines) => lines.at(-1) === '›' && chat.sent().length === 1)
  expect(chat.sent()[0]?.messages.at(-1)?.content).toBe(text)
})

describe('is refused, and returns to the line', () => {
  const key = 'sk-live-abCd34ef/h56ij78'.replace('/', '-')
  const cases: [title: string, name: string, error: string, prepare: (path: string) => void][] = [
    ['binary', 'a.bin', '@a.bin: not UTF-8 text', (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0]))],
    ['named pipe', 'pipe', '@pipe: not a regular file', (path) => void execFileSync('mkfifo', [path])],
    ['the key', `${key}.d`, '@[key].d: not UTF-8 text', (path) => writeFileSync(path, Buffer.from([0xff, 0]))],
  ]

  test.each(cases)('%s', async (_title, name, error, prepare) => {
    const path = folder()
    prepare(join(path, name))
    await using chat = await open({ folder: path, env: { SYN_API_KEY: key } })
    chat.screen.type(`see @notes.txt @${name}\r`)
    await chat.screen.until((lines) => lines.at(-1) === `› see @notes.txt @${name}` && lines.join(' ').includes('syn:'))
    expect(chat.textBelow('› see')).toBe('')
    const shown = chat.screen.lines().slice(0, -1).join(' ')
    expect(shown).toContain(error)
    expect(shown).not.toContain('/file')
    expect(chat.sent()).toEqual([])
    await chat.clear()
    await chat.enter('next')
    expect(lastSent(chat)).toEqual(['next'])
  })

  test('a file that was sent and is gone', async () => {
    const path = folder()
    await using chat = await open({ folder: path })
    await chat.enter('see @notes.txt. ok @./src/a.ts')
    rmSync(join(path, 'notes.txt'))
    await chat.type('/undo\r', '› see @notes.txt. ok @./src/a.ts')
    chat.screen.type('\r')
    await chat.screen.until((lines) => lines.join(' ').includes('@notes.txt: no such file'))
    await chat.screen.until((lines) => lines.at(-1) === '› see @notes.txt. ok @./src/a.ts')
    expect(chat.sent()).toHaveLength(1)
  })
})

test('lines of a file have their numbers in the heading, and those that it does not have return to the line', async () => {
  const path = folder()
  writeFileSync(join(path, 'long.ts'), 'one\ntwo\nthree\nfour\n')
  await using chat = await open({ folder: path, rows: 30 })
  await chat.enter('/file long.ts#L4')
  await chat.enter('see @long.ts:2-3, @long.ts:1:5')
  expect(chat.sent()[0]?.messages.at(-1)?.content).toBe(
    'see @long.ts:2-3, @long.ts:1:5\n\n' +
      'long.ts:4:\n```ts\nfour\n```\n\nlong.ts:2-3:\n```ts\ntwo\nthree\n```\n\nlong.ts:1:\n```ts\none\n```',
  )
  expect(chat.linesBelow('› see')[0]).toBe('attached long.ts:2-3 (9 B), long.ts:1 (3 B)')
  chat.screen.type('and @long.ts:4-9\r')
  await chat.screen.until((lines) => lines.join(' ').includes('@long.ts:4-9: no such lines; the last one is 4'))
  await chat.screen.until((lines) => lines.at(-1) === '› and @long.ts:4-9')
  expect(chat.sent()).toHaveLength(1)
})

test('a path that is no file is sent as text, and a notice says so', async () => {
  await using chat = await open()
  await chat.enter('see @src/nope.ts, @src/ and @notes.txt, @alice')
  expect(lastSent(chat)).toEqual(['see @src/nope.ts, @src/ and @notes.txt, @alice', 'notes.txt'])
  expect(chat.linesBelow('› see').slice(0, 2)).toEqual([
    'attached notes.txt (17 B)',
    'not attached: @src/nope.ts (no such file), @src/ (a directory)',
  ])
  await chat.enter(`and ${paste('@src/nope.ts')}`)
  expect(chat.linesBelow('› and')[0]).toBe('Hello')
})

test('Tab takes a file, and a slash command has its own arguments', async () => {
  await using chat = await open()
  await chat.type('see @a.t\t', '› see @src/a.ts')
  chat.screen.type('\r')
  await chat.screen.until((lines) => lines.at(-1) === '›' && chat.sent().length === 1)
  expect(lastSent(chat)).toEqual(['see @src/a.ts ', 'src/a.ts'])
  await chat.enter('/system @notes.txt')
  expect(chat.textBelow('› /system')).toBe('system prompt: text of notes.txt')
  await chat.enter('/rename @notes.txt')
  expect(chat.sent()).toHaveLength(1)
  await chat.type(`/rename @sr\t${escape}`, '› /rename @sr')
})

test('without room for the list, Tab takes the first file and names those that fit', async () => {
  const path = folder()
  writeFileSync(join(path, 'mya.txt'), '')
  await using chat = await open({ folder: path, rows: 9 })
  chat.screen.type('@my\t')
  await chat.screen.until((lines) => lines.includes('› @mya.txt') && lines.includes('mya.txt  my file.txt'))
})
