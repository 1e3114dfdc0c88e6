/** A stored conversation that has become too large for a request. */

import { expect, test } from 'vitest'
import { homeWithConversations } from '../helpers/conversations.ts'
import { chat } from '../helpers/dialects.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { mebibyte } from '../helpers/large.ts'
import { wide } from '../helpers/terminal.ts'

test('cannot be continued; a new one can be started', async () => {
  const whole = 'x'.repeat(64 * mebibyte)
  // Only the last turns are shown when the chat starts.
  const later = Array.from({ length: 8 }, (_, at): [string, string] => [`again ${at}`, 'Fine'])
  const home = homeWithConversations({ id: '20260101-120000-aaaa', turns: [['one', whole], ...later] })
  await using opened = await openChat([chat.streamed('Hello')], {
    columns: wide,
    scrollback: 100,
    argv: ['-c'],
    env: { HOME: home },
  })
  const { screen } = opened
  screen.type('two\r')
  // The message that can't be sent is back in the line.
  await screen.until((lines) => lines.some((line) => line.includes('of input per request')) && lines.at(-1) === '› two')
  expect(screen.lines()).toContain(
    'syn: the conversation with this message: exceeds the limit of 64 MiB of input per request',
  )
  await opened.clear()
  await opened.enter('/new')
  await opened.enter('three')
  expect(opened.sent().map(({ messages }) => messages)).toEqual([[chat.user('three')]])
})
