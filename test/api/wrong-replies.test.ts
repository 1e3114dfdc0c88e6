/** Text with status 200 in place of an answer. Most wrong replies: `test/faults/axes/body.ts`. */

import { expect, test } from 'vitest'
import { runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, startService } from '../helpers/service.ts'

const asText = { 'content-type': 'text/plain' }

test('it is retried if it says that the service is overloaded', async () => {
  await using service = await startService(json('Overloaded', 200, asText), events(chatAnswer(['Hi'])))
  const { code, out, err } = await runSyn(['chat', 'hi'], { env: service.env })
  expect({ code, out }).toEqual({ code: 0, out: 'Hi\n' })
  expect(err).toMatch(/^syn: the service sent text instead of an answer: Overloaded; retrying in /)
})

test('an answer sent as text is decoded', async () => {
  const answer = { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] }
  await using service = await startService(json(answer, 200, asText))
  expect(await runSyn(['chat', 'hi'], { env: service.env })).toEqual({ code: 0, out: 'Hi\n', err: '' })
})
