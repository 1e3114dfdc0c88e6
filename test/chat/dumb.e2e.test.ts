/** A terminal without escape sequences. */

import { expect, test } from 'vitest'
import { chat } from '../helpers/dialects.ts'
import { openChat } from '../helpers/interactive-chat.ts'

test('the chat is plain text', async () => {
  const answers = [chat.streamed({ reasoning: 'Hm.' }, '# Hello\n\n- **you**\n'), chat.streamed('Bye')]
  const env = { TERM: 'dumb' }
  await using opened = await openChat(answers, { columns: 40, term: 'dumb', env, argv: ['-m', 'hf:one'] })
  const { screen } = opened
  await opened.type('helo 日本\u007f\u007f\u007f', '› helo')
  await opened.type('\u001b[Dl', '› hello')
  await opened.type('\u0001Oh, \u0005!', '› Oh, hello!')
  await opened.enter('')
  expect(opened.linesBelow('› Oh, hello!').slice(0, 5)).toEqual([
    expect.stringMatching(/^thought for /),
    '# Hello',
    '',
    '- **you**',
    expect.stringMatching(/^3 \+ 2 tokens/),
  ])
  await opened.type('/ed\t', '› /edit')
  screen.type('\u0015/r\t')
  await screen.until((lines) => lines.at(-1) === '› /r' && lines.at(-2)?.startsWith('/raw  /retry  /') === true)
  await opened.type('\u0015\u001b[A', '› Oh, hello!')
  await opened.type('\u001b\rtwo', '  two')
  await opened.type('\u007f\u007f\u007f\u007f', '› Oh, hello!')
  await opened.enter('')
  expect(opened.sent().map(({ messages }) => messages.at(-1))).toEqual([
    chat.user('Oh, hello!'),
    chat.user('Oh, hello!'),
  ])
  await opened.enter('/copy')
  expect(opened.textBelow('› /copy')).toMatch(/^syn: \/copy: this terminal has no clipboard/)
  screen.type('\u0003')
  await screen.until((lines) => lines.at(-1) === '›' && lines.at(-2) === 'press Ctrl-C again to exit')
  // oxlint-disable-next-line no-control-regex
  expect(screen.written()).not.toMatch(/[\u001b\u009b]/)
})
