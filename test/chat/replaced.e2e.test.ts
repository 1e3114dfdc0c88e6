/** Replacing a message or an answer: the old one stays until the new one has content. */

import { describe, expect, test } from 'vitest'
import { chat, families } from '../helpers/families.ts'
import { json } from '../helpers/service.ts'
import { openChat } from '../helpers/interactive-chat.ts'

describe.each(families)('$name', (family) => {
  const { conversation, user, assistant } = family
  const [one, two, three] = [family.streamed('One'), family.streamed('Two'), family.streamed('Three')] as const

  test('a retry that fails, or is stopped, keeps the previous answer', async () => {
    const paced = family.paced()
    const refused = json({ error: 'no' }, 400)
    await using chat = await openChat([one, two, refused, paced.answer, three], { family })
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
    await using again = await openChat([three], { family, argv: ['-c'], env: { HOME: chat.home } })
    await again.enter('four')
    expect(again.sent()[0]).toMatchObject(conversation({ messages: [...before, assistant('Three'), user('four')] }))
  })
})

test('a model that is gone is replaced by its alias for the rest of the chat', async () => {
  const gone = json({ error: 'No such model' }, 404)
  const answers = [gone, chat.streamed('One'), chat.streamed('Two')]
  await using opened = await openChat(answers, { argv: ['--fallback', '-m', 'hf:gone'] })
  await opened.enter('one')
  await opened.enter('two')
  expect(opened.sent().map(({ model }) => model)).toEqual(['hf:gone', 'syn:large:text', 'syn:large:text'])
})

test('a model for one answer is replaced only for that', async () => {
  const gone = json({ error: 'No such model' }, 404)
  const answers = [chat.streamed('One'), gone, chat.streamed('Two'), chat.streamed('Three')]
  await using opened = await openChat(answers, { argv: ['--fallback', '-m', 'hf:own'] })
  await opened.enter('one')
  await opened.enter('/retry hf:gone')
  await opened.enter('two')
  expect(opened.sent().map(({ model }) => model)).toEqual(['hf:own', 'hf:gone', 'syn:large:text', 'hf:own'])
})

test('an image switches the model, with a notice', async () => {
  await using opened = await openChat([chat.streamed('One')])
  await opened.enter('/image https://a.example/1.png')
  await opened.enter('look')
  expect(opened.linesBelow('› look')[0]).toBe('switched to syn:large:vision')
  expect(opened.sent()[0]?.messages).toMatchObject([{ content: [{ text: 'look' }, { type: 'image_url' }] }])
})
