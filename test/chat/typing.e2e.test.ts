/** Editing messages in the chat, and the text that is sent. */

import { expect, test } from 'vitest'
import { chat } from '../helpers/families.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { replacingEditor } from '../helpers/program.ts'
import { byHand } from '../helpers/terminal.ts'

const hello = chat.streamed('Hello')

const columns = 40

test('several lines and a paste of 500 lines', async () => {
  await using opened = await openChat([hello], { columns })
  const { screen } = opened
  await opened.type(byHand('a\u001b\rb\\\rc'), '  c')
  await opened.enter('')
  await opened.type('"""\rd\r\r5"""', '  5"""')
  await opened.enter('')
  const lines = Array.from({ length: 500 }, (_, index) => `line ${index + 1}`)
  await opened.type(`\u001b[200~${lines.join('\r')}\u001b[201~`, '  line 500')
  await opened.enter('')
  expect(opened.contents()).toEqual(['a\nb\nc', 'd\n\n5', lines.join('\n')])
  expect(screen.lines().filter((line) => /^(› |  )\S/.test(line))).toEqual([
    '› a',
    '  b',
    '  c',
    '› """',
    '  d',
    '  5"""',
    '› line 1',
    ...lines.slice(1, 12).map((line) => `  ${line}`),
    '  … 488 more lines',
  ])
})

test('the history is available in the next run; Ctrl-G opens the editor', async () => {
  await using first = await openChat([hello], { columns })
  await first.enter('first of all')
  await first.enter('second\u001b\rline')
  const env = { HOME: first.home, EDITOR: replacingEditor('all', 'us') }
  await using second = await openChat([hello], { columns, env })
  const { screen } = second
  screen.type('\u001b[A')
  await screen.until((lines) => lines.at(-1) === '  line' && lines.at(-2) === '› second')
  screen.type('\u0015\u0015\u0015\u0012of')
  await screen.until((lines) => lines.at(-1) === 'search: of' && lines.at(-2) === '› first of all')
  screen.type('\u0005\u0007')
  await screen.until((lines) => lines.at(-1) === '› first of us')
  await second.enter('!')
  expect(second.contents()).toEqual(['first of us!'])
})
