/** Markdown on a real terminal. */

import { describe, expect, test } from 'vitest'
import { delta, end, streamed } from '../helpers/chat-chunks.ts'
import { PacedAnswer } from '../helpers/paced.ts'
import { environment } from '../helpers/program.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { startService, type Answer } from '../helpers/service.ts'
import { draw, type DrawOptions } from '../helpers/draw.ts'
import type { Picture } from '../helpers/picture.ts'
import { synOnTerminal } from '../helpers/terminal.ts'

interface Asking extends DrawOptions {
  argv?: string[]
}

async function shown(answer: Answer, { argv = [], env, ...options }: Asking = {}): Promise<Picture> {
  await using service = await startService(answer)
  const screen = await draw(['chat', ...argv, 'hi'], { ...options, env: { ...service.env, ...env } })
  expect(screen.code).toBe(0)
  return screen
}

const text = `# Title

Some **bold** text that goes on and on until it must be wrapped, at 80 columns as well as at 40.

- one
  1. two 中文字
- [x] 🎉 three

| Name | 备注 |
|:-----|-----:|
| Ada  | 中文 |

\`\`\`ts
let a = 1
\`\`\`
`

const others = [
  '',
  '• one',
  '   1. two 中文字',
  '☑ 🎉 three',
  '',
  '┌──────┬──────┐',
  '│ Name │ 备注 │',
  '├──────┼──────┤',
  '│ Ada  │ 中文 │',
  '└──────┴──────┘',
  '',
  'ts',
  'let a = 1',
]

test('all of it at 40 columns', async () => {
  const screen = await shown(streamed(...(text.match(/.{1,3}/gsu) ?? []), end()), { columns: 40 })
  const paragraph = [
    'Some bold text that goes on and on until',
    'it must be wrapped, at 80 columns as',
    'well as at 40.',
  ]
  expect(screen.lines()).toEqual(['Title', '', ...paragraph, ...others])
  expect(screen.cellOf('Title').isBold()).toBeTruthy()
  expect(screen.cellOf('Some').isBold()).toBeFalsy()
  expect(screen.cellOf('bold').isBold()).toBeTruthy()
  expect(screen.cellOf('let').getFgColor()).toBe(13)
})

test('a resize takes effect on the next line', async () => {
  const paced = new PacedAnswer()
  await using service = await startService(paced.answer)
  const screen = synOnTerminal(['chat', 'hi'], environment(service), { columns: 40 })
  await paced.send('word '.repeat(9))
  await screen.until((lines) => lines.join('\n') === `${'word '.repeat(8).trim()}\nword`)
  screen.resize(20, 24)
  await paced.send('word '.repeat(5))
  await paced.finish('end', end())
  expect(await screen.ended).toBe(0)
  // The terminal reflows the earlier lines.
  expect(screen.lines()).toContain('word word end')
})

// With -q, because on a busy machine the spinner would add bytes.
describe('shown as written', () => {
  test.each<[how: string, asking: Asking]>([
    ['with --raw', { argv: ['--raw', '-q'] }],
    ['on a dumb terminal', { term: 'dumb' }],
  ])('%s', async (_how, asking) => {
    const screen = await shown(streamed('# a **b**\n- c\n', end()), asking)
    expect(screen.written()).toBe('# a **b**\r\n- c\r\n')
  })
})

test('formulas are in Unicode on a terminal only', async () => {
  const answer =
    'So $x^{10}$ and \\(\\pi r^2\\):\n\n\\[\nx = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}\n\\]\n\nIt costs $5 and $6.'
  const pieces = answer.match(/.{1,3}/gsu) ?? []
  const screen = await shown(streamed(...pieces, end()))
  const formula = ['x = (-b ± √(b² - 4ac))/(2a)', '', 'It costs $5 and $6.']
  expect(screen.lines()).toEqual(['So x¹⁰ and πr²:', '', ...formula])
  await using service = await startService(streamed(...pieces, end()))
  expect((await runSyn(['chat', 'hi'], { env: service.env })).out).toBe(`${answer}\n`)
})

test('NO_COLOR keeps the layout, with marks instead of colors', async () => {
  const answer = streamed('# a **b**\n- c\n\n1 | 2', end())
  const screen = await shown(answer, { env: { NO_COLOR: '1' }, argv: ['-q'] })
  expect(screen.written()).toBe('# a **b**\r\n\r\n• c\r\n\r\n1 | 2\r\n')
})

test('reasoning within an answer is on separate lines', async () => {
  const screen = await shown(streamed('One **two', delta({ reasoning_content: 'Hm.' }), ' three', end()))
  expect(screen.lines()).toEqual(['One **two', '', 'Hm.', '', 'three'])
})

test('several answers are rendered separately', async () => {
  const answer = streamed(delta('- a\n\n  ```\n  b', 0), end('stop', 0), delta('- c', 1), end('stop', 1))
  const screen = await shown(answer, { argv: ['--n', '2'] })
  expect(screen.lines()).toEqual(['Answer 1', '• a', '', '  b', '', 'Answer 2', '• c'])
})

test('a spinner is shown while a table is held back, and then erased', async () => {
  const paced = new PacedAnswer()
  await using service = await startService(paced.answer)
  const screen = synOnTerminal(['chat', 'hi'], environment(service))
  await paced.send('One\n\n| two |\n|---|\n')
  await screen.until((lines) => lines[0] === 'One' && /waiting for the whole table/.test(lines[1] ?? ''))
  await paced.send('| three |\n\nfour\n\n| five |\n|---|\n')
  await screen.until((lines) => lines[8] === 'four' && /waiting for the whole table/.test(lines[9] ?? ''))
  await paced.finish(end())
  expect(await screen.ended).toBe(0)
  const first = ['┌───────┐', '│ two   │', '├───────┤', '│ three │', '└───────┘']
  expect(screen.lines()).toEqual(['One', '', ...first, '', 'four', '', '┌──────┐', '│ five │', '└──────┘'])
})

test('an interrupted answer shows the part that was held back', async () => {
  const paced = new PacedAnswer()
  await using service = await startService(paced.answer)
  const screen = synOnTerminal(['chat', 'hi'], environment(service), { asProcess: true })
  await paced.send('One\n\n| two | three |\n|---|---|\n| four |')
  await screen.until((lines) => /waiting for the whole table/.test(lines.join('')))
  screen.type('\u0003')
  expect(await screen.ended).toBe(130)
  expect(screen.lines()).toEqual([
    'One',
    '',
    '┌──────┬───────┐',
    '│ two  │ three │',
    '├──────┼───────┤',
    '│ four │       │',
    '└──────┴───────┘',
  ])
})
