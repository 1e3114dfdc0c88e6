/** Replies that are nested too deep: exit 6, never an internal error. */

import { describe, expect, test } from 'vitest'
import { requestSamples } from '../helpers/command-lines.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, events, startService, type Answer } from '../helpers/service.ts'

const deep = '['.repeat(20_000) + ']'.repeat(20_000)

function raw(text: string, status = 200, type = 'application/json'): Answer {
  return (_asked, response) => {
    response.writeHead(status, { 'content-type': type })
    response.end(text)
  }
}

const commands = requestSamples.map(([command, { argv }]) => [command, ...argv])

describe('a reply nested 20,000 levels deep', () => {
  test.each([...commands, ['chat', '--json', 'hi'], ['chat', '--no-stream', 'hi']].map((argv) => [argv]))(
    '%j',
    async (argv) => {
      await using service = await startService(raw(`{"data":${deep}}`))
      const { code, err } = await runSyn([...argv, '--retries', '0'], { env: service.env })
      expect({ code, err }).toEqual({ code: 6, err: expect.stringMatching(/nested more than 500 levels deep/) })
    },
  )

  test.each([[['chat', 'hi']], [['models']]])('as an error: %j', async (argv) => {
    await using service = await startService(raw(`{"error":${deep}}`, 400))
    const { code, err } = await runSyn([...argv, '--retries', '0'], { env: service.env })
    expect({ code, err }).toEqual({ code: 1, err: expect.not.stringMatching(/internal error/) })
  })

  test.each([[[]], [['--jsonl']]])('as a chunk: %j', async (options) => {
    await using service = await startService(raw(`data: {"choices":[{"x":${deep}}]}\n\n`, 200, 'text/event-stream'))
    const { code, err } = await runSyn(['chat', 'hi', '--retries', '0', ...options], { env: service.env })
    expect({ code, err }).toEqual({ code: 6, err: expect.stringMatching(/nested more than 500 levels deep/) })
  })
})

test('the deepest reply that is accepted can be folded, printed, stored and read again', async () => {
  const nested = '{"a":'.repeat(490) + '1' + '}'.repeat(490)
  const chunk = `data: {"x":${nested},"choices":[]}\n\n`
  await using service = await startService(events(chunk + chatAnswer(['ok'])))
  const { code, out } = await runSyn(['chat', 'hi', '--json', '--save'], { env: service.env })
  expect(code).toBe(0)
  expect(out).toContain(nested)
})
