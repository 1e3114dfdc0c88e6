/** The conversation in the picture: the built program with --sandbox on a terminal, and typed input. */

import { environment } from '../../test/helpers/program.ts'
import { synOnTerminal } from '../../test/helpers/terminal.ts'
import { drawing } from './drawing.ts'

const argv = ['chat', '--sandbox']
const typedLines = [
  'A table of Bash, Python and Rust, and a script',
  '/model syn:small:text',
  'Say hello in three languages',
]
const size = { columns: 80, rows: 36 }
const prompt = '›'

/** The chat as an SVG, after the last answer. */
export async function drawConversation(): Promise<string> {
  const screen = synOnTerminal(argv, environment(), size)
  await screen.until((lines) => lines.at(-1) === prompt)
  for (const line of typedLines) {
    const typed = `${prompt} ${line}`
    screen.type(line)
    // Below it, there may be a list.
    await screen.until((lines) => lines.includes(typed))
    screen.type('\r')
    await screen.until((lines) => lines.at(-1) === prompt && lines.includes(typed))
  }
  const picture = drawing(screen.cells(), size.columns, ['syn', ...argv].join(' '))
  screen.type('\u0004')
  await screen.ended
  return picture
}
