/** Which lines are commands, which exit, and which are messages. */

import { expect, test } from 'vitest'
import { chatAnswer, events } from '../helpers/service.ts'
import { openChat, type InteractiveChat } from '../helpers/interactive-chat.ts'

const hello = events(chatAnswer(['Hel', 'lo']))

function asked({ sent }: InteractiveChat): unknown[] {
  return sent().map(({ messages }) => messages.at(-1)?.content)
}

test.each(['exit', 'quit', ' quit '])('%j alone exits', async (word) => {
  await using chat = await openChat([hello])
  await chat.enter(`${word} the shell`)
  chat.screen.type(`${word}\r`)
  expect(await chat.screen.ended).toBe(0)
  expect(asked(chat)).toEqual([`${word} the shell`])
})

test.each<[line: string, sent: string[]]>([
  [' /help', []],
  ['  //etc is a folder', ['  /etc is a folder']],
])('whitespace before the slash is ignored: %j', async (line, sent) => {
  await using chat = await openChat([hello])
  await chat.enter(line)
  expect(asked(chat)).toEqual(sent)
})
