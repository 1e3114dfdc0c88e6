/** What passes a pipe. What a terminal gets of each source is in `test/outside-text/`. */

import { expect, test } from 'vitest'
import { end, streamed } from '../helpers/complete.ts'
import { hostile } from '../helpers/hostile.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { startService } from '../helpers/service.ts'

test('carriage returns and escapes in an answer reach a pipe byte for byte', async () => {
  await using service = await startService(streamed(hostile, end()))
  const { out } = await runSyn(['complete', 'x'], { env: service.env })
  expect(out).toBe(`${hostile}\n`)
})
