/** Replies with very long arrays are printed, or refused beyond a limit, and cause no internal error. */

import { describe, expect, test } from 'vitest'
import { runSyn } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'

describe('an array with 150,000 items', () => {
  // More than a call takes as arguments.
  const count = 150_000
  const models = Array.from({ length: count }, (_, index) => ({ id: `hf:a/${index}` }))
  const choices = Array.from({ length: count }, (_, index) => ({
    index,
    message: { content: 'a' },
    finish_reason: 'stop',
  }))

  test.each<[what: string, argv: string[], reply: unknown, code: number]>([
    ['choices', ['chat', 'hi'], { choices }, 6],
    ['models', ['models'], { data: models }, 6],
  ])('%s', async (_what, argv, reply, expected) => {
    await using service = await startService(json(reply))
    const { code, err } = await runSyn([...argv, '--retries', '0'], { env: service.env })
    expect({ code, err }).toEqual({ code: expected, err: expect.not.stringMatching(/internal error/) })
  })
})
