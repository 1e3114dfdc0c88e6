/** Commands on a terminal of one column. */

import { expect, test } from 'vitest'
import { testKey } from '../helpers/service.ts'
import { synOnTerminal } from '../helpers/terminal.ts'
import { replies, processEnvironment } from './process.ts'
import { narrow } from './processes/narrow.ts'
import { startServer } from './server.ts'

test.concurrent.each(narrow)('$name', async ({ argv, exit, words }) => {
  await using server = await startServer({ answer: replies.good })
  const screen = synOnTerminal([...argv], processEnvironment(server), { columns: 1, rows: 50 })
  expect(await screen.ended).toBe(exit)
  const text = screen.written().replaceAll(/\u001b\[[\d;?]*[a-zA-Z]|\s/g, '')
  expect(text).toContain(words)
  expect(text).not.toMatch(/internalerror/)
  expect(text).not.toContain(testKey)
})
