/** Rendered answers in the chat, as seen on the screen. */

import { expect, test } from 'vitest'
import { entriesIn } from '../helpers/conversations.ts'
import { chat } from '../helpers/dialects.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { lastTextLine, openChat } from '../helpers/interactive-chat.ts'
import { terminalEnvironment } from '../helpers/shell.ts'

const columns = 40

test('words, lines of code and tables appear when complete; a new width applies from the next line on', async () => {
  const paced = chat.paced()
  await using opened = await openChat([paced.answer], { columns, env: terminalEnvironment })
  const { screen, home } = opened
  // While the table is held back, the footer may say so.
  const last = (lines: string[]): string | undefined =>
    lastTextLine(lines.filter((line) => !line.startsWith('waiting for ')))
  const isLast = (text: string) => (lines: string[]) => last(lines) === text
  screen.type('hi\r')
  await paced.send('one tw')
  await screen.until(isLast('one'))
  await paced.send('o thr')
  await screen.until(isLast('one two'))
  await paced.send('ee\n\n```ts\nlet a = 1\nlet b')
  await screen.until(isLast('let a = 1'))
  await paced.send(' = 2\n```\n| Name | Amount |\n|:-----|')
  await screen.until(isLast('let b = 2'))
  await paced.send(`-------:|\n| ${'Ada '.repeat(9)} | 36 |\n`)
  const hasTaken = async (text: string): Promise<void> => {
    await expect.poll(() => JSON.stringify(entriesIn(home, 'part').at(-1))).toContain(text)
  }
  await hasTaken('36')
  expect(last(screen.lines())).toBe('let b = 2')
  screen.resize(24, 24)
  await paced.send('| Bob | 1234 |\n')
  // Text that arrives now is read after SIGWINCH.
  await hasTaken('1234')
  await paced.finish(`\n${'word '.repeat(9)}`)
  await screen.until((lines) => lines.at(-1) === '›')
  const laidOut = [
    '┌─────────────┬────────┐',
    '│ Name        │ Amount │',
    '├─────────────┼────────┤',
    '│ Ada Ada Ada │     36 │',
    '│ Ada Ada Ada │        │',
    '│ Ada Ada Ada │        │',
    '├─────────────┼────────┤',
    '│ Bob         │   1234 │',
    '└─────────────┴────────┘',
    '',
    'word word word word word',
    'word word word word',
  ]
  expect(opened.linesBelow('let b = 2').slice(0, laidOut.length)).toEqual(laidOut)
})

test('the theme none uses marks instead of colors; /raw on shows the source', async () => {
  const home = emptyFolder()
  await runSyn(['config', 'set', 'theme', 'none'], { env: { HOME: home } })
  const marked = '# Title\n\n**bold** words that go on for longer than forty columns\n\n- `code`\n'
  await using opened = await openChat([chat.streamed(marked)], { columns, env: { HOME: home } })
  await opened.enter('one')
  const [first, second] = ['**bold** words that go on for longer', 'than forty columns']
  expect(opened.linesBelow('› one').slice(0, -2)).toEqual(['# Title', '', first, second, '', '• `code`'])
  await opened.enter('/raw on')
  await opened.enter('two')
  const line = '**bold** words that go on for longer than forty columns'
  // The terminal wraps the line.
  const raw = [line.slice(0, 40), line.slice(40)]
  expect(opened.linesBelow('› two').slice(0, -2)).toEqual(['# Title', '', ...raw, '', '- `code`'])
  await opened.enter('/raw off')
  await opened.enter('three')
  expect(opened.linesBelow('› three')).toContain('• `code`')
})
