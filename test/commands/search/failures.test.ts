/** Failures of the service, and replies without results. */

import { expect, test } from 'vitest'
import { search } from '../../helpers/search.ts'
import { json } from '../../helpers/service.ts'

test('a reply without a list of results', async () => {
  const outcome = await search(['--retries', '0', 'tower'], { answer: json({ answer: 42 }) })
  expect(outcome).toMatchObject({ code: 6, out: '' })
  expect(outcome.err).toContain('syn: the reply has no list of results\nhint: use --json to print it\n')
})
