/** Replies with very long arrays are printed, and cause no internal error. */

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

  test.each<[what: string, argv: string[], reply: unknown]>([
    ['choices', ['chat', 'hi'], { choices }],
    ['models', ['models'], { data: models }],
  ])('%s', async (_what, argv, reply) => {
    await using service = await startService(json(reply))
    const { code, err } = await runSyn([...argv, '--retries', '0'], { env: service.env })
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringMatching(/internal error/) })
  })
})
