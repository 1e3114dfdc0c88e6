/** Endless replies that are held up to 64 MiB: see `endless-replies.ts`. */

import { once } from 'node:events'
import { expect, test } from 'vitest'
import { end } from '../helpers/chat-chunks.ts'
import { mebibyte } from '../helpers/large.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { startService } from '../helpers/service.ts'
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
