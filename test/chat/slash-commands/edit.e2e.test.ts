/** /edit N: a message in the line again, which is sent in its place as long as it is that message. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chat as dialect, dialects } from '../../helpers/dialects.ts'
import { realPng } from '../../helpers/images.ts'
import { openChat, type ChatOptions, type InteractiveChat } from '../../helpers/interactive-chat.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { json, type Answer } from '../../helpers/service.ts'
import { wide } from '../../helpers/terminal.ts'

const hello = dialect.streamed('Hello')
const { conversation, user, assistant, userWithImage } = dialect
const escape = '\u001b[27u'
const withNotes = (text: string): object => user(`${text}\n\nnotes.txt:\n\`\`\`txt\nremember\n\`\`\``)
const ended = (number: number): string => `no longer editing message ${number}: what you send is a new message`

/** After the message one with notes.txt, and two. */
async function withTwoMessages(answers: Answer[] = [hello], options: ChatOptions = {}): Promise<InteractiveChat> {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'notes.txt'), 'remember')
  writeFileSync(join(folder, 'dot.png'), realPng)
  const chat = await openChat(answers, { folder, columns: wide, ...options })
  await chat.enter('/file notes.txt')
  await chat.enter('one')
  await chat.enter('two')
  return chat
}

async function expectSent(chat: InteractiveChat, ...messages: object[]): Promise<void> {
  await chat.screen.until((lines) => /^(\[.*\] )?›/.test(lines.at(-1) ?? ''))
  expect(chat.sent().at(-1)).toMatchObject(conversation({ messages }))
}

test('the message is sent in place of the one with its number, with what was attached', async () => {
  await using chat = await withTwoMessages()
  await chat.type('/edit 1\r', '[notes.txt] › one')
  expect(chat.textBelow('› /edit 1')).toBe(
    'editing message 1: Enter sends it in place of that one and what followed (syn sessions show --all keeps them); Ctrl-C cancels',
  )
  await chat.enter(' more')
  await expectSent(chat, withNotes('one more'))
  await chat.enter('three')
  await expectSent(chat, withNotes('one more'), assistant('Hello'), user('three'))
  await chat.type('/edit 2\r', '› three')
  await chat.enter(' four')
  await expectSent(chat, withNotes('one more'), assistant('Hello'), user('three four'))
  expect(chat.screen.lines()).not.toContain(ended(2))
})

const endings: [name: string, keys: string, last: string][] = [
  ['Ctrl-C', '\u0003', '›'],
  ['Enter on a blank line', '\u0015 \r', '›'],
  ['a command', '\u0001/raw \u000b\r', '›'],
  ['a word that means a command', '\u0001help\u000b\r', '›'],
]

test('what ends it', async () => {
  await using chat = await withTwoMessages()
  for (const [name, keys, last] of endings) {
    await chat.type('/edit 1\r', '[notes.txt] › one')
    const before = chat.screen.lines().filter((line) => line === ended(1)).length
    await chat.type(keys, last)
    await chat.screen.until((lines) => lines.at(-1) === last)
    expect(chat.screen.lines().filter((line) => line === ended(1)).length, name).toBe(before + 1)
    await chat.clear()
  }
  await chat.enter('new')
  await expectSent(chat, withNotes('one'), assistant('Hello'), user('two'), assistant('Hello'), user('new'))
})

/** With what is in the line then. */
const survivors: [name: string, keys: string, text: string][] = [
  ['Backspace and another text', `${'\u007f'.repeat(3)}other`, 'other'],
  ['Up', '\u001b[A\u001b[A', 'two'],
]

test.each(survivors)('%s does not end it', async (_name, keys, text) => {
  await using chat = await withTwoMessages()
  await chat.type('/edit 1\r', '[notes.txt] › one')
  await chat.type(keys, `[notes.txt] › ${text}`)
  await chat.type('\r', '›')
  await expectSent(chat, withNotes(text))
  expect(chat.screen.lines()).not.toContain(ended(1))
})

test('what is attached to the next message is sent too, and stays if it ends', async () => {
  await using chat = await withTwoMessages()
  await chat.enter('/image dot.png')
  await chat.type('/edit 1\r', '[dot.png +1] › one')
  await chat.type('\u0003', '[dot.png] ›')
  await chat.enter('look')
  expect(chat.sent().at(-1)?.messages.at(-1)).toEqual(userWithImage('look', realPng))
})

test('queued, it does not begin while something is typed, and returns unsent with what was queued after it', async () => {
  const paced = dialect.paced()
  await using chat = await withTwoMessages([hello, hello, paced.answer, hello])
  chat.screen.type('three\r')
  await paced.asked
  chat.screen.type('/edit 1\r')
  await chat.screen.until((lines) => lines.includes('» /edit 1') && lines.at(-1) === '»')
  chat.screen.type('four\r')
  await chat.screen.until((lines) => lines.includes('» four') && lines.at(-1) === '»')
  await chat.type('draft', '» draft')
  await paced.finish()
  await chat.type('', '› draft')
  await chat.screen.until((lines) => lines.includes('not sent (Up): /edit 1'))
  expect(chat.screen.lines()).toContain('not sent (Up): four')
  expect(chat.screen.lines()).toContain(ended(1))
  await chat.type('\u001b[A', '› /edit 1')
  await chat.type('\u001b[A', '› four')
})

test('an edit without an answer can be edited again, and a refused one keeps the attachments', async () => {
  await using chat = await withTwoMessages([hello, hello, json({ error: 'no' }, 400), hello])
  await chat.type('/edit 1\r', '[notes.txt] › one')
  await chat.enter('!')
  expect(chat.textBelow('› one!')).toMatch(/no answer: .* still attached: notes.txt$/)
  await chat.type('/edit 1\r', '[notes.txt] › one!')
  await chat.enter('!')
  await expectSent(chat, withNotes('one!!'))
  expect(chat.screen.lines().at(-1)).toBe('›')
})

test('/undo brings back what it replaced, also after a failure, a retry, or in the next chat', async () => {
  const HOME = emptyFolder()
  const undone = 'undone: the edit; what it replaced is back'
  const before = [withNotes('one'), assistant('Hello'), user('two'), assistant('Hello')]
  {
    await using chat = await withTwoMessages([hello, hello, json({ error: 'no' }, 400), hello], { env: { HOME } })
    await chat.type('/edit 1\r', '[notes.txt] › one')
    await chat.enter('!')
    await chat.enter('/undo')
    expect(chat.textBelow('› /undo')).toBe(`${undone} still attached: notes.txt`)
    await chat.enter('/file ""')
    await chat.enter('three')
    await expectSent(chat, ...before, user('three'))
    await chat.type('/undo\r', '› three')
    await chat.clear()
    await chat.type('/edit 1\r', '[notes.txt] › one')
    await chat.enter('!')
    await chat.enter('/retry')
    await expectSent(chat, withNotes('one!'))
    await chat.enter('/rename edited')
  }
  await using chat = await openChat([hello], { argv: ['--session', 'edited'], columns: wide, env: { HOME } })
  await chat.enter('/undo')
  expect(chat.textBelow('› /undo')).toBe(undone)
  await chat.enter('four')
  await expectSent(chat, ...before, user('four'))
})

const note = 'press Esc again to edit the last message'

test('Esc twice on an empty line edits the last message; once, it says so', async () => {
  await using chat = await withTwoMessages()
  await chat.type(escape, note)
  await chat.type(escape, '› two')
  expect(chat.screen.lines()).toContain('› /edit 2')
  await chat.enter('!')
  await expectSent(chat, withNotes('one'), assistant('Hello'), user('two!'))
  await chat.type('\u001b[A', '› two!')
})

test('Esc twice does not without a message, nor right after the Esc that stopped an answer', async () => {
  const paced = dialect.paced()
  await using chat = await openChat([paced.answer])
  chat.screen.type(escape.repeat(2))
  await chat.type('one', '› one')
  chat.screen.type('\r')
  await paced.send('Some text ')
  await chat.screen.until((lines) => lines.includes('Some text'))
  chat.screen.type(escape.repeat(4))
  await chat.screen.until((lines) => lines.some((line) => line.startsWith('stopped')) && lines.at(-1) === '›')
  await chat.enter('/raw')
  expect(chat.screen.lines().filter((line) => line === note || line === '› one')).toEqual(['› one'])
})

test('a number without a message is refused', async () => {
  await using chat = await withTwoMessages()
  await chat.enter('/edit 3')
  expect(chat.textBelow('› /edit 3')).toBe('syn: /edit 3: the conversation has 2 messages')
})

test.each(dialects)('$name: the system prompt that was set last stays', async (dialect) => {
  await using chat = await openChat([dialect.streamed('Hello')], { dialect, argv: ['-s', 'First'] })
  await chat.enter('one')
  await chat.enter('/system Second')
  await chat.enter('two')
  await chat.type('/edit 1\r', '› one')
  await chat.enter('!')
  const messages = [dialect.user('one!')]
  expect(chat.sent().at(-1)).toMatchObject(dialect.conversation({ system: 'Second', messages }))
})
