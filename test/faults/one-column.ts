/** Runs a command on a terminal of one column. */

import { testKey } from '../helpers/service.ts'
import { synOnTerminal } from '../helpers/terminal.ts'
import { processEnvironment, replies } from './process.ts'
import type { NarrowCase } from './processes/narrow.ts'
import { startServer } from './server.ts'

/** @returns what differs from the expectation. */
export async function tryNarrow({ argv, exit, words }: NarrowCase): Promise<string[]> {
  await using server = await startServer({ answer: replies.good })
  const screen = synOnTerminal([...argv], processEnvironment(server), { columns: 1, rows: 50 })
  const code = await screen.ended
  const text = screen.written().replaceAll(/\u001b\[[\d;?]*[a-zA-Z]|\s/g, '')
  return [
    code === exit ? '' : `exit ${code}, not ${exit}`,
    text.includes(words) ? '' : `lacks the words ${words}: ${text.slice(0, 800)}`,
    text.includes('internalerror') ? 'an internal error' : '',
    text.includes(testKey) ? 'the key' : '',
  ].filter(Boolean)
}
