/** Text with a slash that is no command: it is sent, or returns to the line. */

import { expect, test } from 'vitest'
import { chat as family } from '../../helpers/families.ts'
import { openChat } from '../../helpers/interactive-chat.ts'

test('what looks like a command is refused, and returns to the line; with two slashes it is sent', async () => {
  await using chat = await openChat([family.streamed('Hello')], { columns: 40 })
  for (const [text, message] of [
    [
      '/modle hf:one',
      /^syn: unknown command "\/modle" \(did you mean \/model\?\) hint: use \/help to list them; to send/,
    ],
    ['/new ideas', /^syn: \/new takes no argument hint: to send this as a message, type two slashes/],
  ] as const) {
    chat.screen.type(`${text}\r`)
    await chat.screen.until((lines) => lines.filter((line) => line === `› ${text}`).length === 2)
    const lines = chat.screen.lines()
    const shown = lines.slice(lines.indexOf(`› ${text}`) + 1, -1)
    expect(shown.join(' ').trimEnd()).toMatch(message)
    chat.screen.type('\u0001/')
    await chat.enter('')
    expect(chat.sent().at(-1)?.messages.at(-1)).toEqual(family.user(text))
  }
})
