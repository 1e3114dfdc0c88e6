/** In the interactive chat, a key that Markdown makes readable is masked above the input line, whose typed text is the user's own. */

import { expect, test } from 'vitest'
import { end, streamed } from '../helpers/chat-chunks.ts'
import { homeWithConversations } from '../helpers/conversations.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { markdownSpellings } from '../helpers/key-spellings.ts'

const key = 'sk-live-abCd34ef/h56ij78'
const spelled = Object.values(markdownSpellings(key))
const text = spelled.join('\n')

test('in an answer and in a conversation that is continued', async () => {
  const home = homeWithConversations({ id: '20261121-101512-4f7a9c', name: 'try', turns: [['one', text]] })
  const env = { HOME: home, SYN_API_KEY: key }
  await using chat = await openChat([streamed(...spelled.map((one) => `${one}\n`), end())], { env })
  await chat.enter('hi')
  expect(chat.textBelow('› hi')).toContain('[key]')
  await chat.enter('/load try')
  await chat.enter('/show')
  expect(chat.textBelow('› /show')).toContain('[key]')
  expect(chat.screen.lines().join('')).not.toContain(key)
})
