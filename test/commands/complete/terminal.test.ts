/** `syn complete` on a real terminal. */

import { expect, test } from 'vitest'
import { end, piece, streamed } from '../../helpers/complete.ts'
import { draw } from '../../helpers/draw.ts'
import { startService } from '../../helpers/service.ts'

test('headings are bold', async () => {
  await using service = await startService(streamed(piece('a'), piece('b', 1), piece('c'), end('stop', 1), end()))
  const screen = await draw(['complete', '--n', '2', 'x'], { env: service.env })
  expect(screen.lines()).toEqual(['Completion 1', 'ac', '', 'Completion 2', 'b'])
  expect(screen.cellOf('Completion 1').isBold()).toBeTruthy()
})
