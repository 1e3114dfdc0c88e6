/** `syn messages` on a real terminal: reasoning, texts and tool uses on one screen. */

import { expect, test } from 'vitest'
import { redacted, streamed, text, thinking } from '../../helpers/messages.ts'
import { startService, type Answer } from '../../helpers/service.ts'
import { draw } from '../../helpers/draw.ts'
import type { Picture } from '../../helpers/picture.ts'

async function shown(answer: Answer): Promise<Picture> {
  await using service = await startService(answer)
  const screen = await draw(['messages', 'hi'], { env: service.env })
  expect(screen.code).toBe(0)
  return screen
}

test('alternating reasoning and text are separated by blank lines', async () => {
  const screen = await shown(
    streamed(thinking(0, 'One.'), text(1, 'First.'), thinking(2, 'Two.'), redacted(3), text(4, 'Second.')),
  )
  const lines = ['One.', '', 'First.', '', 'Two.', '', '[redacted thinking]', '', 'Second.']
  expect(screen.lines()).toEqual(lines)
  expect([screen.cellOf('Two.').isDim(), screen.cellOf('Second.').isDim()].map(Boolean)).toEqual([true, false])
})
