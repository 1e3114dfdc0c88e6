/** Replies with status 200 that are not what was asked for: text in place of JSON or a stream, chunks that are no objects. */

import { describe, expect, test } from 'vitest'
import { runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, startService } from '../helpers/service.ts'

describe('text with status 200', () => {
  test('is retried if it says that the service is overloaded', async () => {
    await using service = await startService(
      json('Overloaded', 200, { 'content-type': 'text/plain' }),
      events(chatAnswer(['Hi'])),
    )
    const { code, out, err } = await runSyn(['chat', 'hi'], { env: service.env })
    expect({ code, out }).toEqual({ code: 0, out: 'Hi\n' })
    expect(err).toMatch(/^syn: the service sent text instead of an answer: Overloaded; retrying in /)
  })

  test.each(['chat', 'messages'])('%s decodes an answer sent as text', async (command) => {
    const whole = { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] }
    const message = { type: 'message', content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn' }
    await using service = await startService(
      json(command === 'chat' ? whole : message, 200, { 'content-type': 'text/plain' }),
    )
    expect(await runSyn([command, '-m', 'hf:a/b', 'hi'], { env: service.env })).toEqual({
      code: 0,
      out: 'Hi\n',
      err: '',
    })
  })
})
