/** `syn chat` against an independent server: the OpenAI endpoint of aimock. */

import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runSyn, type Outcome } from '../../helpers/run-syn.ts'

const mock = new LLMock({ port: 0, chunkSize: 4 })
mock.onMessage('greet', { content: 'Hello there, 🙂 friend!\n' })
mock.onMessage('think', { content: 'Four.', reasoning: 'Two and two.' })
mock.onMessage('long', { content: 'Once upon', finishReason: 'length' })
mock.onMessage('break', { content: 'This will never be whole' }, { truncateAfterChunks: 5, latency: 5 })
mock.onMessage('refuse', { error: { message: 'No such thing', type: 'invalid_request_error' }, status: 400 })
mock.onMessage('busy', { error: { message: 'Slow down', type: 'rate_limit_error' }, status: 429, retryAfter: 7 })
mock.onMessage('anyone', { content: '{"name":"Ada"}' })
mock.onJsonOutput('person', { name: 'Ada' })

beforeAll(async () => void (await mock.start()))
afterAll(() => mock.stop())

function ask(...argv: string[]): Promise<Outcome> {
  return runSyn(['chat', ...argv], { env: { SYN_BASE_URL: mock.url, SYN_API_KEY: 'aimock-takes-any' } })
}

describe.each([['--stream'], ['--no-stream']])('%s', (stream) => {
  test.each<[argv: string[], out: string, err: string]>([
    [['greet'], 'Hello there, 🙂 friend!\n', ''],
    [['--reasoning', 'think'], 'Four.\n', 'Two and two.\n\n'],
    [
      ['long'],
      'Once upon\n',
      "syn: the answer was cut off: the model's context window is full, or the service limits answers; shorten the prompt, or ask for more with --max-tokens\n",
    ],
    [['--schema', '{"type":"object","required":["name"]}', 'anyone'], '{"name":"Ada"}\n', ''],
    [['--json-object', 'person'], '{"name":"Ada"}\n', ''],
  ])('%j', async (argv, out, err) => {
    expect(await ask(stream, ...argv)).toEqual({ code: 0, out, err })
  })
})

test('an interrupted answer is exit 7', async () => {
  const { code, out, err } = await ask('break')
  expect({ code, err }).toEqual({ code: 7, err: expect.stringMatching(/^syn: the answer was cut short: /) })
  expect('This will never be whole'.startsWith(out)).toBe(true)
  expect(out).not.toBe('')
})

test.each<[prompt: string, code: number, message: string]>([
  ['refuse', 1, 'syn: No such thing (400 Bad Request)\n'],
  ['busy', 5, 'syn: Slow down (429 Too Many Requests)\n'],
  ['nobody answers this', 4, 'syn: '],
])('a failure is reported: %s is exit %i', async (prompt, code, message) => {
  const outcome = await ask('--retries', '0', prompt)
  expect(outcome).toMatchObject({ code, out: '' })
  expect(outcome.err).toContain(message)
})
