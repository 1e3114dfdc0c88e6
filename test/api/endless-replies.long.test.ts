/** Endless replies that are held up to 64 MiB: see `endless-replies.ts`. */

import { once } from 'node:events'
import { expect, test } from 'vitest'
import { end } from '../helpers/chat-chunks.ts'
import { mebibyte } from '../helpers/large.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'
import { event, expectEnded, large, longText, types } from './endless-replies.ts'

test.each(large)('%s', async (...row) => expectEnded(row))

test('what is printed as it arrives has no limit', async () => {
  const count = 70
  await using service = await startService(async (_asked, response) => {
    response.writeHead(200, { 'content-type': types.events })
    for (let sent = 0; sent < count; sent++) if (!response.write(longText)) await once(response, 'drain')
    response.end(event(end()))
  })
  const { code, out } = await runSyn(['chat', 'hi'], { env: service.env })
  expect({ code, length: out.length }).toEqual({ code: 0, length: count * mebibyte + 1 })
})

test.each<[what: string, argv: string[], reply: unknown, code: number]>([
  ['choices', ['chat', 'hi'], { choices: rows({ message: { content: 'a' }, finish_reason: 'stop' }) }, 6],
  ['models', ['models'], { data: rows({ id: 'hf:a/b' }) }, 6],
])('more rows than a call takes as arguments are refused: %s', async (_what, argv, reply, expected) => {
  await using service = await startService(json(reply))
  const { code, err } = await runSyn([...argv, '--retries', '0'], { env: service.env })
  expect({ code, err }).toEqual({ code: expected, err: expect.not.stringMatching(/internal error/) })
})

function rows(row: object): object[] {
  return Array.from({ length: 150_000 }, (_, index) => ({ index, ...row }))
}
