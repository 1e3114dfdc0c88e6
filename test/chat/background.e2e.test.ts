/** The chat asks the terminal for its background, and types no answer. */

import { describe, expect, test } from 'vitest'
import { chat as dialect } from '../helpers/dialects.ts'
import { openChat, type ChatOptions } from '../helpers/interactive-chat.ts'

const question = '\u001b]11;?\u001b\\'
const answer = (color: string, end = '\u001b\\'): string => `\u001b]11;rgb:${color}${end}`
const white = 'ffff/ffff/ffff'
const hello = dialect.streamed('# Title')

/** The SGR codes of titles: bright cyan, and blue. */
const titles = { dark: '\u001b[96m', light: '\u001b[34m' }

function open(env: Record<string, string> = {}, options: ChatOptions = {}): ReturnType<typeof openChat> {
  return openChat([hello], { ...options, env: { COLORFGBG: '', ...env } })
}

async function titleAfter(reply: string, env: Record<string, string> = {}): Promise<'dark' | 'light' | undefined> {
  await using chat = await open(env)
  chat.screen.type(reply)
  await chat.type('x', '› x')
  await chat.clear()
  await chat.enter('hi')
  const written = chat.screen.written()
  return written.includes(titles.light) ? 'light' : written.includes(titles.dark) ? 'dark' : undefined
}

test.each([
  ['none', '', 'dark'],
  ['white', answer(white), 'light'],
  ['white, with BEL', answer(white, '\u0007'), 'light'],
  ['no color', answer('mauve'), 'dark'],
])('%s: %j', async (_what, reply, expected) => {
  expect(await titleAfter(reply)).toBe(expected)
})

describe('it asks', () => {
  test('once, with the first keys', async () => {
    await using chat = await open()
    await chat.enter('hi')
    expect(chat.screen.written().split(question)).toHaveLength(2)
  })

  test.each<[what: string, env: Record<string, string>, options: ChatOptions]>([
    ['if COLORFGBG says it', { COLORFGBG: '0;15' }, {}],
    ['the Linux console', {}, { term: 'linux' }],
  ])('not %s', async (_what, env, options) => {
    await using chat = await open(env, options)
    await chat.enter('hi')
    expect(chat.screen.written()).not.toContain('\u001b]11')
  })
})

test('without an answer, Esc stops the first message right after the start', async () => {
  const paced = dialect.paced()
  await using chat = await openChat([paced.answer], { env: { COLORFGBG: '' } })
  chat.screen.type('hi\r')
  await paced.asked
  chat.screen.type('\u001b')
  await chat.screen.until((lines) => lines.some((line) => line.startsWith('no answer: ')))
})
