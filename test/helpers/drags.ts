/** A chat in tmux whose window is dragged narrower. */

import { setTimeout as sleep } from 'node:timers/promises'
import { chat } from './dialects.ts'
import { openChat } from './interactive-chat.ts'
import { node, program } from './program.ts'
import { inTmux } from './tmux.ts'

export interface Drag {
  readonly columns: number
  readonly rows: number
  /** Number of characters. */
  readonly draft: number
  /** The pieces of an answer that arrives meanwhile, a moment apart; without them, it has ended. */
  readonly pieces: readonly string[]
  /** In columns, after each step. */
  readonly widths: readonly number[]
  /** Between two steps, in milliseconds. */
  readonly wait: number
}

const pieceTime = 20

/** The code that an answer consists of is laid out by the terminal, so that its rows do not depend on the width. */
const opening = '```\nfirst line\n'

/** @returns the rows that the chat leaves when the window is as wide as before: dragged, and undisturbed. */
export async function rowsOfDrag(drag: Drag): Promise<[dragged: string[], still: string[]]> {
  const still = await rowsAfter({ ...drag, widths: [] })
  return [await rowsAfter(drag), still]
}

async function rowsAfter(drag: Drag): Promise<string[]> {
  const { columns, rows, draft, pieces, widths, wait } = drag
  const paced = chat.paced()
  const listed = Array.from({ length: 12 }, (_, index) => `- item ${index}\n`).join('')
  const answers = [chat.streamed(listed), paced.answer, chat.streamed('reply')]
  const opened = await openChat(answers, {
    columns,
    rows,
    start: (argv, env, options) => inTmux(node, [program, ...argv], env, options),
  })
  const { screen } = opened
  screen.type('begin\r')
  await screen.until((lines) => lines.includes('• item 11') && lines.at(-1) === '›')
  screen.type('one\r')
  await paced.send(opening)
  await screen.until((lines) => lines.includes('first line'))
  if (pieces.length === 0) {
    await paced.finish('the end\n')
    await screen.until((lines) => lines.at(-1) === '›')
  }
  screen.type('q'.repeat(draft))
  await screen.until((lines) => draft === 0 || lines.join('').includes('q'.repeat(Math.min(draft, columns - 2))))
  const send = async (): Promise<void> => {
    for (const piece of pieces) {
      await paced.send(piece)
      await sleep(pieceTime)
    }
    if (pieces.length > 0) await paced.finish('\nthe end\n')
  }
  const sending = send()
  for (const width of widths) {
    screen.resize(width, rows)
    if (wait > 0) await sleep(wait)
  }
  await sending
  screen.resize(columns, rows)
  const isAnswered = (lines: readonly string[]): boolean => !lines.some((line) => line.startsWith('»'))
  await screen.until((lines) => isAnswered(lines) && lines.some((line) => line.startsWith('›')))
  // A longer draft is deleted: how much of it the chat would show as a message depends on the width.
  screen.type(draft > 6 * columns ? '\u0015z\r' : 'z\r')
  await screen.until((lines) => lines.includes('reply') && lines.at(-1) === '›')
  screen.type('\u0004')
  await screen.ended
  await opened.service.close()
  // Without the speed of the answer, which may begin another row.
  const withoutSpeed = screen.lines().map((row) => row.replace(/^(\d+ \+ \d+ tokens).*/, '$1'))
  return withoutSpeed.filter((row) => !row.endsWith('tokens/s'))
}
