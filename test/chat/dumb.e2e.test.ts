/** A terminal without escape sequences. */

import { expect, test } from 'vitest'
import { chat } from '../helpers/families.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { widths } from '../helpers/samples.ts'

test.each(widths)('at %d columns: the chat is plain text', async (columns) => {
  const answers = [chat.streamed({ reasoning: 'Hm.' }, '# Hello\n\n- **you**\n'), chat.streamed('Bye')]
  const env = { TERM: 'dumb' }
  await using opened = await openChat(answers, { columns, term: 'dumb', env, argv: ['-m', 'hf:one'] })
  const { screen } = opened
  const typed = async (keys: string, last: string): Promise<void> => {
    screen.type(keys)
    await screen.until((lines) => lines.at(-1) === last)
  }
  await typed('helo 日本\u007f\u007f\u007f', '› helo')
  await typed('\u001b[Dl', '› hello')
  await typed('\u0001Oh, \u0005!', '› Oh, hello!')
  await opened.enter('')
  expect(opened.linesBelow('› Oh, hello!').slice(0, 5)).toEqual([
    expect.stringMatching(/^thought for /),
    '# Hello',
    '',
    '- **you**',
    expect.stringMatching(/^3 \+ 2 tokens/),
  ])
  await typed('/ed\t', '› /edit')
  await typed('\u0015/ret\t', '› /retry')
  await typed('\u0015\u001b[A', '› Oh, hello!')
  await typed('\u001b\rtwo', '  two')
  await typed('\u007f\u007f\u007f\u007f', '› Oh, hello!')
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
