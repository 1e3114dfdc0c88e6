/** Slash commands that change the next request, repeat earlier messages, or switch conversations. */

import { describe, expect, test } from 'vitest'
import { homeWithConversations, entriesIn } from '../helpers/conversations.ts'
import { chat as chatFamily, dialects } from '../helpers/dialects.ts'
import { json } from '../helpers/service.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { replacingEditor } from '../helpers/program.ts'

describe.concurrent.each(dialects)('$name', (dialect) => {
  const columns = 40
  const hello = dialect.streamed('Hello')
  const [one, two, three] = [dialect.streamed('One'), dialect.streamed('Two'), dialect.streamed('Three')] as const
  const { user, assistant, conversation } = dialect

  test('model, system prompt and fields apply from the next message on; two slashes send one', async () => {
    await using chat = await openChat([hello], { dialect, columns })
    await chat.enter('//etc is a folder')
    await chat.enter('/model hf:two')
    await chat.enter('/system Be brief.')
    await chat.enter('/set temperature 1')
    await chat.enter('two')
    await chat.enter('/set temperature')
    await chat.enter('three')
    const [first, second, third] = chat.sent()
    expect(first).toMatchObject(conversation({ messages: [user('/etc is a folder')] }))
    expect(second).toEqual({
      model: 'hf:two',
      ...dialect.alwaysSent,
      ...conversation({ system: 'Be brief.', messages: [user('/etc is a folder'), assistant('Hello'), user('two')] }),
      temperature: 1,
    })
    expect(third).not.toHaveProperty('temperature')
  })

  test('/retry sends again, also to another model; /undo, /edit; all survive the chat', async () => {
    const answers = [one, two, dialect.streamed('Other')]
    const env = { EDITOR: replacingEditor('two', 'new') }
    await using chat = await openChat(answers, { dialect, columns, env })
    await chat.enter('one')
    await chat.enter('two')
    await chat.enter('/retry hf:other')
    expect(chat.linesBelow('› /retry').slice(0, -2)).toEqual(['Other'])
    const asked = conversation({ messages: [user('one'), assistant('One'), user('two')] })
    expect(chat.sent().at(-1)).toMatchObject({ model: 'hf:other', ...asked })
    await chat.enter('/retry')
    expect(chat.sent().at(-1)).toMatchObject({ model: 'syn:large:text', ...asked })
    await chat.enter('/edit')
    expect(chat.sent().at(-1)).toMatchObject(conversation({ messages: [user('one'), assistant('One'), user('new')] }))
    await chat.enter('/undo')
    expect(chat.textBelow('› /undo')).toBe('undone: the edit; what it replaced is back')
    await chat.type('/undo\r', '› two')
    expect(chat.textBelow('undone: two')).toBe('')
    await using again = await openChat([hello], { dialect, columns, argv: ['-c'], env: { HOME: chat.home } })
    expect(again.linesBelow('Ctrl-D to exit')).toEqual(['continuing: one', '› one', '  One', ''])
    await again.enter('three')
    expect(again.sent()[0]).toMatchObject(conversation({ messages: [user('one'), assistant('One'), user('three')] }))
  })

  test('/load continues another conversation; /rename names it, /new starts one', async () => {
    const home = homeWithConversations(
      { id: '20261121-101512-4f7a9c', name: 'french', turns: [['one', 'un']] },
      { id: '20261121-101412-4f7a9d', name: 'german', turns: [['one', 'eins']] },
    )
    await using chat = await openChat([hello], { dialect, columns, env: { HOME: home } })
    await chat.enter('/load french')
    expect(chat.linesBelow('› /load')).toEqual(['continuing: french', '2026-11-21 10:15', '› one', '  un', ''])
    await chat.enter('/rename german')
    expect(chat.textBelow('› /rename')).toMatch(/^syn: the name "german" is already taken by conversation/)
    await chat.enter('/rename "my french"')
    expect(chat.textBelow('› /rename "my')).toBe('renamed the conversation to "my french"')
    await chat.enter('two')
    expect(chat.sent()[0]).toMatchObject({
      model: 'hf:one',
      ...conversation({ messages: [user('one'), assistant('un'), user('two')] }),
    })
    await chat.enter('/new')
    expect(chat.textBelow('› /new')).toBe('started a new conversation with syn:large:text')
    await chat.enter('three')
    expect(chat.sent()[1]).toMatchObject(conversation({ messages: [user('three')] }))
    expect(() => entriesIn(home, 'turn')).toThrow('3 conversations')
  })

  test('a retry that fails, or is stopped, keeps the previous answer', async () => {
    const paced = dialect.paced()
    const refused = json({ error: 'no' }, 400)
    await using chat = await openChat([one, two, refused, paced.answer, three], { dialect })
    await chat.enter('one')
    await chat.enter('two')
    await chat.enter('/retry hf:other')
    chat.screen.type('/retry\r')
    await paced.asked
    chat.screen.type('\u0003')
    await chat.screen.until((lines) => lines.includes('stopped; the previous answer is kept') && lines.at(-1) === '›')
    await chat.enter('three')
    const before = [user('one'), assistant('One'), user('two'), assistant('Two'), user('three')]
    expect(chat.sent().at(-1)).toMatchObject({ model: 'syn:large:text', ...conversation({ messages: before }) })
    await using again = await openChat([three], { dialect, argv: ['-c'], env: { HOME: chat.home } })
    await again.enter('four')
    expect(again.sent()[0]).toMatchObject(conversation({ messages: [...before, assistant('Three'), user('four')] }))
  })
})

test('a model that is gone is replaced by its alias for the rest of the chat', async () => {
  const gone = json({ error: 'No such model' }, 404)
  const answers = [gone, chatFamily.streamed('One'), chatFamily.streamed('Two')]
  await using opened = await openChat(answers, { argv: ['--fallback', '-m', 'hf:gone'] })
  await opened.enter('one')
  await opened.enter('two')
  expect(opened.sent().map(({ model }) => model)).toEqual(['hf:gone', 'syn:large:text', 'syn:large:text'])
})

test('a model for one answer is replaced only for that', async () => {
  const gone = json({ error: 'No such model' }, 404)
  const answers = [chatFamily.streamed('One'), gone, chatFamily.streamed('Two'), chatFamily.streamed('Three')]
  await using opened = await openChat(answers, { argv: ['--fallback', '-m', 'hf:own'] })
  await opened.enter('one')
  await opened.enter('/retry hf:gone')
  await opened.enter('two')
  expect(opened.sent().map(({ model }) => model)).toEqual(['hf:own', 'hf:gone', 'syn:large:text', 'hf:own'])
})

test('an image switches the model, with a notice', async () => {
  await using opened = await openChat([chatFamily.streamed('One')])
  await opened.enter('/image https://a.example/1.png')
  await opened.enter('look')
  expect(opened.linesBelow('› look')[0]).toBe('switched to syn:large:vision')
  expect(opened.sent()[0]?.messages).toMatchObject([{ content: [{ text: 'look' }, { type: 'image_url' }] }])
})
