/** Numbers of the service that are only printed keep their text, in whatever way they are printed. */

import { expect, test } from 'vitest'
import { homeWithProfile } from '../settings/stored.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { type Answer, startService } from '../helpers/service.ts'

const numbers = '"id64":12345678901234567890,"half":0.50,"large":1e400,"zero":-0.0,"small":1e-7'

function reply(body: string, type = 'application/json'): Answer {
  return (_asked, response) => {
    response.writeHead(200, { 'content-type': type })
    response.end(body)
  }
}

function streamed(...chunks: string[]): Answer {
  return reply([...chunks, '[DONE]'].map((chunk) => `data: ${chunk}\n\n`).join(''), 'text/event-stream')
}

const choice =
  '{"index":0,"delta":{"content":"Hi"},"logprobs":{"content":[{"token":"Hi","logprob":-0.10}]},"finish_reason":null}'
const last = `{"index":0,"delta":{"n":1.0},"finish_reason":"stop"}`
const chat = streamed(
  `{"id":"a",${numbers},"choices":[${choice}]}`,
  '{"id":"a","choices":[{"index":0,"delta":{"n":2.0},"finish_reason":null}]}',
  `{"id":"a","choices":[${last}],"usage":{"prompt_tokens":1,"cost":0.10}}`,
)
const message = streamed(
  `{"type":"message_start","message":{"id":"m",${numbers},"content":[],"usage":{"input_tokens":1}}}`,
  '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
  '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}',
  '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1,"cost":0.10}}',
  '{"type":"message_stop"}',
)

const rows: [argv: string[], answer: Answer, more: string[]][] = [
  [['chat', '--json', 'hi'], chat, ['"logprob":-0.10', '"n":1.0', '"cost":0.10']],
  [['messages', '--json', 'hi'], message, ['"cost":0.10']],
  [['search', '--json', 'hi'], reply(`{"results":[{"url":"http://a",${numbers}}]}`), []],
  [['quota', '--json'], reply(`{"subscription":{"limit":5,"requests":1.50},${numbers}}`), ['"requests":1.50']],
  [
    ['models', '--json'],
    reply(`{"data":[{"id":"hf:a","pricing":{"prompt":0.00000010}}],${numbers}}`),
    ['"prompt":0.00000010'],
  ],
  [['count-tokens', '--json', 'hi'], reply(`{"input_tokens":5,${numbers}}`), []],
  [
    ['embed', '--json', '-m', 'hf:a', 'hi'],
    reply(`{"data":[{"index":0,"embedding":[0.10,-0.0]}],${numbers}}`),
    ['[0.10,-0.0]'],
  ],
]

test.each(rows)('in a pipe: %j', async (argv, answer, more) => {
  await using service = await startService(answer)
  const { code, out } = await runSyn(argv, { env: service.env })
  expect(code).toBe(0)
  for (const part of [...numbers.split(','), ...more]) expect(out).toContain(part)
})

test.each(rows.slice(0, 2))('on a terminal: %j', async (argv, answer) => {
  await using service = await startService(answer)
  const { code, out } = await runSyn([...argv, '--no-color'], { env: service.env, isTerminal: true })
  expect(code).toBe(0)
  for (const part of numbers.split(',')) expect(out).toContain(part.replace(':', ': '))
})

test('the list of models keeps them in the cache', async () => {
  await using service = await startService(reply(`{"data":[{"id":"hf:a",${numbers}}]}`))
  const env = { ...service.env, HOME: homeWithProfile({}) }
  const first = await runSyn(['models', '--json'], { env })
  expect(await runSyn(['models', '--json'], { env })).toEqual(first)
  expect({ requests: service.asked.length, out: first.out }).toEqual({
    requests: 1,
    out: expect.stringContaining(numbers) as string,
  })
})

test('guards compute with them', async () => {
  await using service = await startService(
    reply('{"subscription":{"limit":1e2,"requests":99.50},"weeklyTokenLimit":{"percentRemaining":1.0e1}}'),
  )
  expect(await runSyn(['quota', '--remaining', '--block', 'subscription'], { env: service.env })).toMatchObject({
    code: 0,
    out: '0.5\n',
  })
  expect(await runSyn(['quota', '-q', '--fail-below', '1'], { env: service.env })).toMatchObject({ code: 8 })
})
