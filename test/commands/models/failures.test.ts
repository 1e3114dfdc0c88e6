/** Failures of the service, and replies that are not a list. */

import { expect, test } from 'vitest'
import { models } from '../../helpers/models.ts'
import { json } from '../../helpers/service.ts'

test('a reply that is no list', async () => {
  expect(await models([], { answer: json({ models: [] }) })).toMatchObject({
    code: 6,
    out: '',
    err: 'syn: the reply is not a model list\nhint: use syn models --json to print it\n',
  })
})

test('a bare array is accepted', async () => {
  expect(await models(['--ids'], { answer: json([{ id: 'hf:a/b' }]) })).toMatchObject({
    out: expect.stringMatching(/^hf:a\/b\n/),
  })
})
