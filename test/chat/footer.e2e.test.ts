/** Typing below an answer that streams: what is typed, queued and returned is in sight. */

import { describe, expect, test } from 'vitest'
import { chat } from '../helpers/dialects.ts'
import type { InteractiveChat } from '../helpers/interactive-chat.ts'
import { answering, terminal } from '../helpers/terminals.ts'
import { byHand } from '../helpers/terminal.ts'

const up = '\u001b[A'
const newLine = '\u001b\r'

function cursorColumn({ screen }: InteractiveChat): number {
  return screen.cells().cursorX
}

const { rows } = terminal

// The tests wait more than they work.
describe.concurrent('during an answer', () => {
  test('what is typed is shown and edited, and the answer goes on above it', async () => {
    await using chatting = await answering()
    const { opened, paced, type } = chatting
    const { screen } = opened
    await type('wolrd 日本', '» wolrd 日本')
    await type('\u001b[D\u001b[D\u001b[D\u001b[D\u007f', '» wold 日本')
    await type('\u001b[Dr', '» world 日本')
    await type('x', '» worxld 日本')
    await type('\u001b[D\u001b[3~', '» world 日本')
    await screen.until(() => cursorColumn(opened) === '» wor'.length)
    await paced.send('second ')
    await screen.until((lines) => lines.includes('First second') && lines.at(-1) === '» world 日本')
    await type('\u0001hello \u0005', '» hello world 日本')
    await type('\u0017\u0015', '»')
    await type('\u0019', '» hello world 日本')
    await paced.finish('third')
    await screen.until((lines) => lines.includes('First second third') && lines.at(-1) === '› hello world 日本')
  })

  test('a draft of many lines takes a third of the screen', async () => {
    await using chatting = await answering()
    const { opened, paced, type } = chatting
    const { screen } = opened
    const count = rows
    await type(Array.from({ length: count }, (_, index) => `line ${index + 1}`).join(newLine), `  line ${count}`)
    const height = (): number => screen.lines().length - screen.lines().findLastIndex((line) => line.startsWith('»'))
    expect(height()).toBe(rows / 3 - 1)
    expect(screen.lines().at(-height())).toBe(`» … ${count - height() + 1} more lines`)
    screen.type(up.repeat(count / 2))
    await screen.until((lines) => lines.slice(-height()).filter((line) => /… \d+ more lines$/.test(line)).length === 2)
    expect(height()).toBe(rows / 3)
    await paced.finish('second')
    await screen.until((lines) => lines.includes('First second') && lines.at(-1)?.startsWith('»') === false)
  })

  test('queued messages are listed; Up on an empty line takes back the last one', async () => {
    await using chatting = await answering([chat.streamed('Hello')])
    const { opened, paced, type } = chatting
    await type('two\r', '» two', '»')
    await type(`three${newLine}lines\r`, '» two', '» three lines', '»')
    await type(byHand('four\rfive'), '» two', '» three lines', '» four', '» five')
    await type(`\u0015${up}`, '» two', '» three lines', '» four')
    await type('!\r', '» two', '» three lines', '» four!', '»')
    // Up brings back what Ctrl-C cleared, before it takes back another.
    await type(`${up}\u0003${up}`, '» two', '» three lines', '» four!')
    await type('\u0003', '» two', '» three lines', '»')
    await type(`x\u007f${up}`, '» two', '» three', '  lines')
    await type('\u0003', '» two', '»')
    expect(opened.contents()).toEqual(['one'])
    await paced.finish('second')
    await opened.screen.until((lines) => lines.includes('Hello') && lines.at(-1) === '›')
    expect(opened.contents()).toEqual(['one', 'two'])
  })

  test('of many queued messages, the first ones are listed', async () => {
    await using chatting = await answering()
    await chatting.type(byHand('a\rb\rc\rd\re\rf\rg'), '» a', '» b', '» … 4 more', '» g')
  })

  test('Ctrl-C stops the answer, and returns the queued messages to the line', async () => {
    await using chatting = await answering([chat.streamed('Hello')])
    const { opened, type } = chatting
    await type(byHand('two\rthree\r'), '» two', '» three', '»')
    await type('\u0003', '› two')
    expect(opened.screen.lines()).toContain('stopped; the partial answer is kept')
    expect(opened.screen.lines()).toContain('not sent (Up): three')
    await type('!\r', '›')
    expect(opened.contents()).toEqual(['one', 'two!'])
    await type(`${up}${up}`, '› three')
    await type('\u0003', '›')
  })

  test('the question is bold, and a blank row follows it', async () => {
    await using opened = await terminal.open([chat.streamed('Hello')])
    await opened.enter('What is this?')
    const { screen } = opened
    const at = screen.lines().indexOf('› What is this?')
    expect(screen.lines().slice(at + 1, at + 3)).toEqual(['', 'Hello'])
    expect(screen.cellOf('What is this?').isBold()).not.toBe(0)
    expect(screen.cellOf('Hello').isBold()).toBe(0)
  })

  test.each<[what: string, options: object]>([
    ['below 8 rows', { rows: 7 }],
    ['below 20 columns', { columns: 19 }],
    ['on a terminal without escape sequences', { term: 'dumb', env: { TERM: 'dumb' } }],
  ])('%s, what is typed during an answer is kept, but not shown', async (_what, options) => {
    const [first, second] = [chat.paced(), chat.paced()]
    await using opened = await terminal.open([first.answer, second.answer], { argv: ['-m', 'hf:a'], ...options })
    const { screen } = opened
    screen.type('one\r')
    await first.send('First ')
    screen.type(byHand('two\rdraft'))
    await first.finish('answer.')
    // Asked for: the draft that came with the message has been read.
    await second.send('Second ')
    await screen.until((lines) => lines.at(-1) === 'Second')
    await second.finish('answer.')
    await screen.until((lines) => lines.includes('Second answer.') && lines.at(-1) === '› draft')
    expect(screen.lines().filter((line) => line.includes('draft'))).toHaveLength(1)
    expect(opened.contents()).toEqual(['one', 'two'])
  })
})

test('an answer with typing, a queue, menus and resizing needs only relative moves', async () => {
  await using chatting = await answering([chat.streamed('Hello')])
  const { opened, type, paced } = chatting
  const { columns, rows } = terminal
  const { screen } = opened
  const words = 'word '.repeat(40)
  await paced.send(
    `${words}\n\n- ${words}\n\n| a | b |\n|---|---|\n| ${words} | 日本 |\n\n\`\`\`js\nlet ${words}\n\`\`\`\n\n`,
  )
  await type(byHand('queued\r/rena'), '» queued', '» /rena', '  /rename  Rename the conversation.')
  await paced.send('The second part. ')
  await screen.until((lines) => lines.some((line) => line.startsWith('The second part.')))
  const { baseY } = screen.cells()
  screen.type('\u000c')
  await screen.until((lines) => screen.cells().baseY > baseY && lines.at(-2) === '» /rena')
  for (const size of [
    [columns - 10, rows],
    [columns, rows],
  ] as const) {
    const before = screen.written().length
    screen.resize(...size)
    await screen.until(() => screen.written().includes('»', before))
  }
  const draft = 'x'.repeat(2 * columns)
  screen.type(`\u0015${draft}`)
  await screen.until((lines) => lines.at(-1)?.endsWith('x') === true && lines.at(-2) === 'x'.repeat(columns - 1))
  await paced.finish('The end.')
  await screen.until((lines) => lines.some((line) => line.startsWith('› x')))
  expect(screen.lines()).toContain('The second part. The end.')
  const written = screen.written()
  // ED 2 and 3, scroll regions, the alternate screen, absolute positions, and saved ones.
  expect(written).not.toMatch(/\u001b\[[23]J|\u001b\[[\d;]*r|\u001b\[\?(47|1047|1049)h|\u001b\[[\d;]*[Hfd]|\u001b[78c]/)
  expect(written.split('\u001b[?2026h').length).toBeGreaterThan(3)
  expect(written.split('\u001b[?2026h')).toHaveLength(written.split('\u001b[?2026l').length)
  // Each row of the footer stops before the last column.
  expect(
    screen
      .lines()
      .filter((line) => line.startsWith('› x'))
      .map((line) => line.length),
  ).toEqual([columns - 1])
})
