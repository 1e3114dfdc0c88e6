/** What is attached: how long, and where it is shown. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chat as dialect } from '../helpers/dialects.ts'
import { realPng } from '../helpers/images.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { json } from '../helpers/service.ts'
import { wide } from '../helpers/terminal.ts'

const hello = dialect.streamed('Hello')
const refused = json({ error: 'no' }, 400)
const { conversation, user, assistant, userWithImage } = dialect

function folder(): string {
  const path = emptyFolder()
  writeFileSync(join(path, 'photo.png'), realPng)
  writeFileSync(join(path, 'notes.txt'), 'remember')
  return path
}

const withNotes = (text: string): object => user(`${text}\n\nnotes.txt:\n\`\`\`txt\nremember\n\`\`\``)

const columns = 40

const list = json({ data: [{ id: 'syn:large:text' }] })

test('a photo outlives a refused request, and goes with the answer', async () => {
  await using chat = await openChat([list, refused, hello], { columns, folder: folder() })
  await chat.enter('/image photo.png')
  await chat.enter('look')
  const shown = chat.textBelow('› look')
  expect(shown).toMatch(/no answer: \/retry sends the message again, a new message replaces it still attached: photo/)
  expect(chat.screen.lines().at(-1)).toBe('[photo.png] ›')
  await chat.enter('what is it?')
  expect(chat.sent()[1]).toMatchObject(conversation({ messages: [userWithImage('what is it?', realPng)] }))
  expect(chat.screen.lines().at(-1)).toBe('›')
  await chat.enter('and now?')
  const asked = userWithImage('what is it?', realPng)
  expect(chat.sent()[2]).toMatchObject(conversation({ messages: [asked, assistant('Hello'), user('and now?')] }))
})

test('the prompt shows the first name, shortened, and how many follow', async () => {
  const path = folder()
  mkdirSync(join(path, 'sub'))
  writeFileSync(join(path, 'sub', 'a very long name of a file.txt'), 'long')
  await using chat = await openChat([hello], { columns, folder: path })
  await chat.enter('/file sub/a very long name of a file.txt')
  expect(chat.screen.lines().at(-1)).toBe('[a very long…] ›')
  await chat.enter('/file ""')
  await chat.enter('/image https://a.example/pictures/1.png?size=2')
  await chat.enter('/image https://b.example')
  await chat.enter('/file notes.txt')
  expect(chat.screen.lines().at(-1)).toBe('[1.png +2] ›')
  expect(chat.screen.cellOf('[1.png').isDim()).toBeTruthy()
  expect(chat.screen.cellOf('1.png +2').isDim()).toBeFalsy()
})

test('/retry sends what is attached then, once, and detaches it', async () => {
  await using chat = await openChat([refused, refused, hello], { folder: folder() })
  await chat.enter('/file notes.txt')
  await chat.enter('look')
  await chat.enter('/retry')
  expect(chat.screen.lines().at(-1)).toBe('[notes.txt] ›')
  await chat.enter('/image photo.png')
  await chat.enter('/file ""')
  await chat.enter('/retry')
  const [first, second, third] = chat.sent()
  expect([first, second]).toMatchObject([1, 2].map(() => conversation({ messages: [withNotes('look')] })))
  expect(third).toMatchObject(conversation({ messages: [userWithImage('look', realPng)] }))
  expect(chat.screen.lines().at(-1)).toBe('›')
})

test('a message that is stopped before any text keeps what is attached, a partial answer does not', async () => {
  const [silent, partial] = [dialect.paced(), dialect.paced()]
  await using chat = await openChat([silent.answer, partial.answer], { folder: folder() })
  await chat.enter('/file notes.txt')
  chat.screen.type('one\r')
  await silent.asked
  chat.screen.type('\u0003')
  await chat.screen.until((lines) => lines.at(-1) === '[notes.txt] ›' && lines.includes('still attached: notes.txt'))
  chat.screen.type('two\r')
  await partial.send('Some text ')
  await chat.screen.until((lines) => lines.includes('Some text'))
  await chat.type('\u0003', '›')
  expect(chat.sent()[1]).toMatchObject(conversation({ messages: [withNotes('two')] }))
})

test.each(['/file ', '/system @'])('%s shows that it waits for a named pipe, and Ctrl-C stops it', async (command) => {
  const path = folder()
  execFileSync('mkfifo', [join(path, 'pipe')])
  await using chat = await openChat([hello], { folder: path })
  chat.screen.type(`${command}pipe\r`)
  await chat.screen.until((lines) => lines.some((line) => line.endsWith('reading pipe')))
  chat.screen.type('\u0003')
  await chat.screen.until((lines) => lines.at(-1) === '›' && lines.includes('stopped'))
})

test('/from asks in the line before it embeds many parts, and sends whole files without', async () => {
  const HOME = emptyFolder()
  writeFileSync(join(HOME, 'many.txt'), Array.from({ length: 20_001 }, (_, at) => `part ${at}\n\n`).join(''))
  writeFileSync(join(HOME, 'keys.md'), 'Turn the key.\n')
  const env = { HOME, SYN_EMBED_MODEL: 'hf:test/embed' }
  await using chat = await openChat([dialect.streamed('Yes [keys.md:9].')], { columns: wide, env })
  await chat.enter(`/from ~/many.txt`)
  chat.screen.type('hello\r')
  await chat.screen.until((lines) => lines.at(-1) === '[y/n]')
  chat.screen.type('n')
  await chat.screen.until((lines) => lines.at(-1) === '› hello')
  expect(chat.screen.lines().join('\n')).toContain('syn: nothing was sent')
  expect(chat.service.asked.filter(({ path }) => path.endsWith('/embeddings'))).toEqual([])
  await chat.clear()
  await chat.enter('/from ""')
  await chat.enter(`/from ~/keys.md`)
  await chat.enter('hello')
  expect(chat.contents()).toEqual([expect.stringMatching(/keys\.md:1-1:\n```md\nTurn the key\.\n```\n\nhello$/)])
  expect(chat.textBelow('Yes')).toContain('not among the parts that were sent: [keys.md:9]')
})
