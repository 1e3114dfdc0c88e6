/** Reasoning on a narrow terminal is wrapped between words. */

import { expect, test } from 'vitest'
import { delta, end } from '../helpers/chat-chunks.ts'
import { PacedAnswer } from '../helpers/paced.ts'
import { environment } from '../helpers/program.ts'
import { startService } from '../helpers/service.ts'
import { synOnTerminal } from '../helpers/terminal.ts'

test('as it arrives', async () => {
  const paced = new PacedAnswer()
  await using service = await startService(paced.answer)
  const screen = synOnTerminal(['chat', 'hi'], environment(service), { columns: 40 })
  for (const piece of ['The words of this reas', 'oning end betw', 'een words, wherever\n\n', '  - they', ' come']) {
    await paced.send(delta({ reasoning_content: piece }))
  }
  await screen.until((lines) => lines.at(-1) === '  - they')
  await paced.finish(delta('4'), end())
  await screen.ended
  expect(screen.lines()).toEqual([
    'The words of this reasoning end between',
    'words, wherever',
    '',
    '  - they come',
    '',
    '4',
  ])
})
