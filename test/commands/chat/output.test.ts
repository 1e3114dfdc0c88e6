/** Standard output: only the answer, as text, as JSON, or as chunks. */

import { describe, expect, test } from 'vitest'
import { chat } from '../../helpers/chat.ts'
import { cut, delta, end, head, streamed } from '../../helpers/chat-chunks.ts'
import { chatEvents, events } from '../../helpers/service.ts'

const hostile = '\u001b[31mred\u001b]52;c;aGk=\u0007 \u009b2J \u202etxt.exe'

describe('text', () => {
  test.each<[title: string, pieces: string[], out: string]>([
    ['pieces are joined, and the last line ended', ['Hel', 'lo'], 'Hello\n'],
    ['nothing is trimmed', ['\n\n  a\t\n\n'], '\n\n  a\t\n\n'],
    ['bytes pass unchanged in a pipe, hostile ones too', [hostile, '\r\n'], `${hostile}\r\n`],
  ])('%s', async (_title, pieces, out) => {
    expect(await chat(['hi'], { answer: streamed(...pieces, end()) })).toMatchObject({ code: 0, out, err: '' })
  })
})

describe('--json', () => {
  const message = { role: 'assistant', content: 'Hello "you"\n🙂', annotations: [{ a: 1 }] }
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
  const answer = {
    id: 'chat-1',
    object: 'chat.completion',
    created: 1,
    model: 'served',
    system_fingerprint: 'fp',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage,
  }
  const stream = chatEvents(
    {
      ...head,
      system_fingerprint: 'fp',
      choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
    },
    delta('Hello "you"'),
    delta({ content: '\n🙂', annotations: [{ a: 1 }] }),
    { ...end(), usage },
  )

  test('the complete reply of the service, on one line', async () => {
    const { code, out, err } = await chat(['--json', 'hi'], { answer: events(stream) })
    expect({ code, err, json: JSON.parse(out) as unknown }).toEqual({ code: 0, err: '', json: answer })
    expect(out).toMatch(/^\{.*\}\n$/)
  })

  test('of an answer cut short: the part received', async () => {
    const { code, out, err } = await chat(['--json', 'hi'], { answer: cut('Hel', 'lo') })
    expect({ code, err }).toEqual({
      code: 7,
      err: 'syn: the answer was cut short: the stream ended before the answer was complete\n',
    })
    expect(JSON.parse(out)).toMatchObject({ choices: [{ message: { content: 'Hello' }, finish_reason: null }] })
  })
})

describe('--jsonl', () => {
  test('prints the chunks byte for byte', async () => {
    const chunks = [
      '{"id":"1",  "choices":[{"delta":{"content":"\\u00e9"}}]}',
      '{"choices":[{"delta":{},"finish_reason":"stop"}], "x": 1.0}',
    ]
    const answer = events([...chunks, '[DONE]'].map((chunk) => `data: ${chunk}\n\n`).join(''))
    expect(await chat(['--jsonl', 'hi'], { answer })).toMatchObject({ code: 0, out: `${chunks.join('\n')}\n`, err: '' })
  })
})

describe('tool calls', () => {
  const pieces = [
    { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{"place":' } }] },
    { tool_calls: [{ index: 1, id: 'call_2', function: { name: 'time', arguments: '{}' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '"Paris"}' } }] },
  ].map((piece) => delta(piece))

  test('start on a new line after text', async () => {
    const answer = streamed('Let me see.', ...pieces, end('tool_calls'))
    expect((await chat(['hi'], { answer })).out).toBe('Let me see.\nweather({"place":"Paris"})\ntime({})\n')
  })

  test('a deprecated function call is printed too', async () => {
    const answer = streamed(delta({ function_call: { name: 'weather', arguments: '{}' } }), end('function_call'))
    expect((await chat(['hi'], { answer })).out).toBe('weather({})\n')
  })
})
