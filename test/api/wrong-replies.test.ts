/** Replies with status 200 that are not what was asked for: text in place of JSON or a stream, chunks that are no objects. */

import { describe, expect, test } from 'vitest'
import { requestSamples } from '../helpers/command-lines.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, startService } from '../helpers/service.ts'

describe('text with status 200', () => {
  test.each(requestSamples)("%s prints the service's words", async (command, sample) => {
    await using service = await startService((_asked, response) => {
      response.writeHead(200)
      response.end('The backend is asleep.\n')
    })
    const { code, out, err } = await runSyn([command, ...sample.argv], { env: service.env })
    expect({ code, out, requests: service.asked.length }).toEqual({ code: 6, out: '', requests: 1 })
    expect(err).toMatch(/^syn: the service sent text instead of (an answer|JSON): The backend is asleep\.\n$/)
  })

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

test.each(['null', '7', '[{"error":"x"}]'])('the chunk %s is skipped', async (chunk) => {
  const [first = '', ...rest] = chatAnswer(['Hel', 'lo']).split(/(?<=\n\n)/)
  await using service = await startService(events([first, ...rest].join(`data: ${chunk}\n\n`)))
  expect(await runSyn(['chat', 'hi'], { env: service.env })).toEqual({ code: 0, out: 'Hello\n', err: '' })
  const { out } = await runSyn(['chat', 'hi', '--jsonl'], { env: service.env })
  expect(out.trim().split('\n')).toHaveLength(4)
})
