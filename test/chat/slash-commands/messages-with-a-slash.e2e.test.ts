/** Text with a slash that is no command: it is sent, or returns to the line. */

import { describe, expect, test } from 'vitest'
import { chat as family } from '../../helpers/families.ts'
import { openChat } from '../../helpers/interactive-chat.ts'
import { widths } from '../../helpers/samples.ts'

const hello = family.streamed('Hello')
const { conversation, user } = family

describe.each(widths)('at %d columns', (columns) => {
  test.each(['/usr/bin/foo is broken', '/etc is full'])('%s is a message', async (text) => {
    await using chat = await openChat([hello], { columns })
    await chat.enter(text)
    expect(chat.sent()).toMatchObject([conversation({ messages: [user(text)] })])
  })

  test.each([
    ['/modle', /^syn: unknown command "\/modle" \(did you mean \/model\?\) hint: use \/help to list them; to send/],
    [
      '/modle hf:one',
      /^syn: unknown command "\/modle" \(did you mean \/model\?\) hint: use \/help to list them; to send/,
    ],
    ['/etc', /^syn: unknown command "\/etc" hint: use \/help to list them; to send/],
    ['/new ideas', /^syn: \/new takes no argument hint: to send this as a message, type two slashes/],
    ['/rename', /^syn: \/rename: missing argument NAME/],
  ])('%s is refused, and returns to the line', async (text, message) => {
    await using chat = await openChat([hello], { columns })
    chat.screen.type(`${text}\r`)
    await chat.screen.until((lines) => lines.filter((line) => line === `› ${text}`).length === 2)
    const lines = chat.screen.lines()
    const shown = lines.slice(lines.indexOf(`› ${text}`) + 1, -1)
    expect(shown.join(' ').trimEnd()).toMatch(message)
    chat.screen.type('\u0001/')
    await chat.enter('')
    expect(chat.sent()).toMatchObject([conversation({ messages: [user(text)] })])
  })
})
