/** Messages and reasoning on a narrow terminal are wrapped between words. */

import { expect, test } from 'vitest'
import { delta, end } from '../helpers/chat-chunks.ts'
import { PacedAnswer } from '../helpers/paced.ts'
import { environment } from '../helpers/program.ts'
import { chatAnswer, events, json, startService, type Answer } from '../helpers/service.ts'
import { draw } from '../helpers/draw.ts'
import { synOnTerminal } from '../helpers/terminal.ts'

const hello = events(chatAnswer(['Hel', 'lo']))
const columns = 40

async function shown(argv: string[], answers: Answer[]): Promise<string[]> {
  await using service = await startService(...answers)
  const screen = await draw(argv, { columns, env: service.env })
  return screen.lines()
}

test('an error and its hint', async () => {
  const lines = await shown(['chat', '-m', 'gpt-4', 'hi'], [hello])
  expect(lines.slice(0, 3)).toEqual([
    'syn: --model: "gpt-4" is not accepted;',
    'expected a name that starts with hf:, or',
    'an alias: syn:large:text,',
  ])
})

test('a notice', async () => {
  const lines = await shown(['chat', '-m', 'hf:one', 'hi'], [json({ error: 'a fault of ours' }, 500), hello])
  expect(lines.slice(0, 4)).toEqual([
    'syn: a fault of ours (500 Internal',
    expect.stringMatching(/^Server Error\); retrying in \d\.\d s \(1 of$/),
    '3)',
    'Hello',
  ])
})

test('a word longer than the line can be copied whole', async () => {
  const path = `/tmp/${'no/such/folder/'.repeat(4)}file`
  await using service = await startService(hello)
  const screen = synOnTerminal(['chat', '-f', path, 'hi'], environment(service), { columns })
  await screen.ended
  expect(screen.written()).toContain(path)
})

test('reasoning, as it arrives', async () => {
  const paced = new PacedAnswer()
  await using service = await startService(paced.answer)
  const screen = synOnTerminal(['chat', 'hi'], environment(service), { columns })
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
