/** Slash commands that change the next request, repeat earlier messages, or switch conversations. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { homeWithConversations, said } from '../helpers/conversations.ts'
import { families } from '../helpers/families.ts'
import { realPng } from '../helpers/images.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { talk } from '../helpers/talking.ts'

const widths = families.flatMap((family) => [80, 40].map((columns) => ({ name: family.name, columns, family })))

describe.each(widths)('$name at $columns columns', ({ family, columns }) => {
  const hello = family.streamed('Hello')
  const { user, assistant, conversation } = family

  test('model, system prompt and fields apply from the next message on; two slashes send one', async () => {
    await using chat = await talk([hello], { family, columns })
    await chat.say('//etc is a folder')
    await chat.say('/model hf:two')
    await chat.say('/system Be brief.')
    await chat.say('/set temperature 1')
    await chat.say('two')
    await chat.say('/set temperature')
    await chat.say('three')
    const [first, second, third] = chat.sent()
    expect(first).toMatchObject(conversation({ messages: [user('/etc is a folder')] }))
    expect(second).toEqual({
      model: 'hf:two',
      ...family.always,
      ...conversation({ system: 'Be brief.', messages: [user('/etc is a folder'), assistant('Hello'), user('two')] }),
      temperature: 1,
    })
    expect(third).not.toHaveProperty('temperature')
  })

  test('files and images are sent with the next message only', async () => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'notes.txt'), 'remember')
    writeFileSync(join(folder, 'dot.png'), realPng)
    await using chat = await talk([hello], { family, columns, folder })
    await chat.say('/file notes.txt')
    expect(chat.told('› /file')).toBe('attached to the next message: notes.txt')
    await chat.say('/image dot.png')
    await chat.say('look')
    await chat.say('and now?')
    const look = family.userWithImage('look\n\nnotes.txt:\n```txt\nremember\n```', realPng)
    expect(chat.sent()[0]).toMatchObject({ model: 'syn:large:vision', ...conversation({ messages: [look] }) })
    expect(chat.sent()[1]).toMatchObject(conversation({ messages: [look, assistant('Hello'), user('and now?')] }))
  })

  test('/retry sends again, also to another model; /undo, /edit; all survive the chat', async () => {
    const answers = [family.streamed('One'), family.streamed('Two'), family.streamed('Other')]
    const env = { EDITOR: 'sed -i s/two/new/' }
    await using chat = await talk(answers, { family, columns, env })
    await chat.say('one')
    await chat.say('two')
    await chat.say('/retry hf:other')
    expect(chat.below('› /retry').slice(0, -2)).toEqual(['Other'])
    const asked = conversation({ messages: [user('one'), assistant('One'), user('two')] })
    expect(chat.sent().at(-1)).toMatchObject({ model: 'hf:other', ...asked })
    await chat.say('/retry')
    expect(chat.sent().at(-1)).toMatchObject({ model: 'syn:large:text', ...asked })
    await chat.say('/edit')
    expect(chat.sent().at(-1)).toMatchObject(conversation({ messages: [user('one'), assistant('One'), user('new')] }))
    await chat.say('/undo')
    expect(chat.told('› /undo')).toBe('undone: new')
    await using again = await talk([hello], { family, columns, argv: ['-c'], env: { HOME: chat.home } })
    expect(again.below('Ctrl-D to exit')).toEqual(['continuing: one', '› one', '  One'])
    await again.say('three')
    expect(again.sent()[0]).toMatchObject(conversation({ messages: [user('one'), assistant('One'), user('three')] }))
  })

  test('/load continues another conversation, /fork a copy; /rename names it, /new starts one', async () => {
    const home = homeWithConversations({ id: '20261121-101512-4f7a9c', name: 'french', turns: [['one', 'un']] })
    await using chat = await talk([hello], { family, columns, env: { HOME: home } })
    await chat.say('/load french')
    expect(chat.below('› /load')).toEqual(['continuing: french', '› one', '  un', ''])
    await chat.say('/fork')
    expect(chat.told('› /fork')).toBe('continuing in a copy; the original stays unchanged')
    await chat.say('/rename french')
    expect(chat.told('› /rename')).toMatch(/^syn: the name "french" is already taken by conversation/)
    await chat.say('/rename german')
    expect(chat.told('› /rename german')).toBe('renamed the conversation to "german"')
    await chat.say('two')
    expect(chat.sent()[0]).toMatchObject({
      model: 'hf:one',
      ...conversation({ messages: [user('one'), assistant('un'), user('two')] }),
    })
    await chat.say('/sessions')
    const listed = chat.below('› /sessions')
    expect(listed.join('\n')).toMatch(/name or first.*\n2\S+ .*german\n20261121-101512-4f7a9c .*french\n/)
    expect(listed.filter((line) => line.length > columns)).toEqual([])
    await chat.say('/new')
    expect(chat.told('› /new')).toBe('started a new conversation')
    await chat.say('three')
    expect(chat.sent()[1]).toMatchObject(conversation({ messages: [user('three')] }))
    expect(() => said(home, 'turn')).toThrow('3 conversations')
  })
})
