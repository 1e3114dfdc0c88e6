/** Failures of the service, and replies that are not a list. */

import { expect, test } from 'vitest'
import { models } from '../../helpers/models.ts'
import { runSyn } from '../../helpers/run-syn.ts'
import { json, type Answer } from '../../helpers/service.ts'

test.each<[title: string, answer: Answer, code: number, message: string]>([
  [
    'another address',
    json({ error: 'Not found' }, 404),
    4,
    'Not found (404 Not Found)\nhint: check the base URL: syn config get base-url\n',
  ],
  ['no list', json({ models: [] }), 6, 'the reply is not a model list\nhint: use syn models --json to print it\n'],
])('%s', async (_title, answer, code, message) => {
  for (const argv of [[], ['show', 'hf:a/b']]) {
    const outcome = await models([...argv, '--retries', '0'], { answer })
    expect(outcome).toMatchObject({ code, out: '' })
    expect(outcome.err).toMatch(/^syn: /)
    expect(outcome.err).toContain(message)
  }
})

test('a bare array is accepted', async () => {
  expect(await models(['--filter', 'a/b', '--ids'], { answer: json([{ id: 'hf:a/b' }]) })).toMatchObject({
    out: 'hf:a/b\n',
  })
})

test('without a base URL a hint says how to set one', async () => {
  const { code, err } = await runSyn(['models'])
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('hint: use syn login to store one') })
})
