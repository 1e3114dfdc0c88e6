/** What typing below an answer costs: bytes for the terminal. */

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { chat } from '../helpers/families.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { cut } from '../helpers/long-text.ts'

test('ten keys and sixty deltas a second', async () => {
  const sentence = 'These are words of an answer that comes as fast as a good model writes, in lines of a paragraph. '
  const text = sentence.repeat(20)
  const paced = chat.paced()
  // Small: the test looks at the last lines only, often.
  await using opened = await openChat([paced.answer], { scrollback: 30 })
  const { screen } = opened
  screen.type('one\r')
  await paced.asked
  const before = screen.written().length
  for (const [at, piece] of cut(text, 400).entries()) {
    if (at % 6 === 0) screen.type(at % 48 === 42 ? '\u007f' : 'x')
    await paced.send(piece)
    await sleep(1000 / 60)
  }
  await paced.finish()
  await screen.until((lines) => lines.at(-1)?.startsWith('› x') === true)
  expect(Buffer.byteLength(screen.written().slice(before)) / text.length).toBeLessThanOrEqual(6)
})
