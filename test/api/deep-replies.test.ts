/** Replies that are nested too deep: exit 6, never an internal error. */

import { expect, test } from 'vitest'
import { runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, startService } from '../helpers/service.ts'

const deep = '['.repeat(20_000) + ']'.repeat(20_000)

// `test/faults/axes/body.ts` has deep replies with status 200, as JSON and as events.
test.each([[['chat', 'hi']], [['models']]])('an error nested 20,000 levels deep: %j', async (argv) => {
  await using service = await startService(json(`{"error":${deep}}`, 400))
  const { code, err } = await runSyn([...argv, '--retries', '0'], { env: service.env })
  expect({ code, err }).toEqual({ code: 1, err: expect.not.stringMatching(/internal error/) })
})

test('a chunk nested 20,000 levels deep, as JSON Lines', async () => {
  await using service = await startService(events(`data: {"choices":[{"x":${deep}}]}\n\n`))
  const { code, err } = await runSyn(['chat', 'hi', '--retries', '0', '--jsonl'], { env: service.env })
  expect({ code, err }).toEqual({ code: 6, err: expect.stringMatching(/nested more than 500 levels deep/) })
})

test('the deepest reply that is accepted can be accumulated, printed, stored and read again', async () => {
  const nested = '{"a":'.repeat(490) + '1' + '}'.repeat(490)
  const chunk = `data: {"x":${nested},"choices":[]}\n\n`
  await using service = await startService(events(chunk + chatAnswer(['ok'])))
  const { code, out } = await runSyn(['chat', 'hi', '--json', '--save'], { env: service.env })
  expect(code).toBe(0)
  expect(out).toContain(nested)
})
