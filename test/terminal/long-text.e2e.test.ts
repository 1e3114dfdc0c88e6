/** Ctrl-C ends the display of a long text, by a real signal of a real terminal. */

import { expect, test } from 'vitest'
import { delta, end, streamed } from '../helpers/chat-chunks.ts'
import { environment } from '../helpers/program.ts'
import { startService } from '../helpers/service.ts'
import { synOnTerminal } from '../helpers/terminal.ts'

/** To lay it out takes several seconds. */
const text = '“'.repeat(2_000_000)

test('in a heading', async () => {
  await using service = await startService(streamed(delta(`first\n\n# ${text}`), end()))
  const screen = synOnTerminal(['chat', 'hi'], environment(service), { asProcess: true })
  await screen.until((lines) => lines.some((line) => line.includes('““')))
  screen.type('\u0003')
  expect(await screen.ended).toBe(130)
  expect(screen.written().length).toBeLessThan(text.length / 2)
})
