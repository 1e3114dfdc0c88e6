/** Failures of the service, and replies without results. */

import { expect, test } from 'vitest'
import { search } from '../../helpers/search.ts'
import { json, type Answer } from '../../helpers/service.ts'

const mebibyte = 1024 * 1024
test.each<[title: string, answer: Answer, code: number, message: string]>([
  ['no results', json({ answer: 42 }), 6, 'the reply has no list of results\nhint: use --json to print it\n'],
])('%s', async (_title, answer, code, message) => {
  const outcome = await search(['--retries', '0', 'tower'], { answer })
  expect(outcome).toMatchObject({ code, out: '' })
  expect(outcome.err).toContain(`syn: ${message}`)
})

test('a page of 15 MiB is accepted', async () => {
  const { code, out } = await search(['--urls', 'x'], {
    answer: json([{ url: 'https://a', text: 'a'.repeat(15 * mebibyte) }]),
  })
  expect({ code, out }).toEqual({ code: 0, out: 'https://a\n' })
})
