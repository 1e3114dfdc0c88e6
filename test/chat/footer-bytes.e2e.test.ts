/** The escape sequences of the footer: those that every terminal knows, and none that clears or scrolls the screen. */

import { expect, test } from 'vitest'
import { chat } from '../helpers/families.ts'
import { answering, terminal } from '../helpers/terminals.ts'
import { byHand } from '../helpers/terminal.ts'

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
