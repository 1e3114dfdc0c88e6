/** `syn messages` against a server that is not our own idea of the API: aimock's messages endpoint. */

import { request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runSyn, type Outcome } from '../../helpers/run-syn.ts'

const mock = new LLMock({ port: 0, chunkSize: 4 })
mock.onMessage('greet', { content: 'Hello there, 🙂 friend!\n' })
mock.onMessage('think', { content: 'Four.', reasoning: 'Two and two.', redactedThinking: ['b3BhcXVl'] })
mock.onMessage('both', { content: 'Let me see.', toolCalls: [{ name: 'weather', arguments: '{}' }] })
mock.onMessage('long', { content: 'Once upon', finishReason: 'length' })
mock.onMessage('break', { content: 'This will never be whole' }, { truncateAfterChunks: 5, latency: 5 })
mock.onMessage('refuse', { error: { message: 'No such thing', type: 'invalid_request_error' }, status: 400 })
mock.onMessage('busy', { error: { message: 'Slow down', type: 'rate_limit_error' }, status: 429, retryAfter: 7 })

// Its messages stand at /v1/messages: what comes below /anthropic is handed on to there.
mock.mount('/anthropic', { handleRequest: handOn })

function handOn(request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> {
  const { method, headers } = request
  const onward = send(new URL(path, mock.url), { ...(method && { method }), headers }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers)
    // A reply that breaks off breaks off for the one who asked, too.
    pipeline(reply, response, () => undefined)
  })
  request.pipe(onward)
  return Promise.resolve(true)
}

beforeAll(async () => void (await mock.start()))
afterAll(() => mock.stop())

function ask(...argv: string[]): Promise<Outcome> {
  return runSyn(['messages', ...argv], { env: { SYN_BASE_URL: mock.url, SYN_API_KEY: 'aimock-takes-any' } })
}

describe.each([['--stream'], ['--no-stream']])('%s', (stream) => {
  test.each<[argv: string[], out: string, err: string]>([
    [['greet'], 'Hello there, 🙂 friend!\n', ''],
    [['--reasoning', 'think'], 'Four.\n', '[redacted thinking]\n\nTwo and two.\n\n'],
    [['both'], 'Let me see.\nweather({})\n', ''],
    [['long'], 'Once upon\n', 'syn: the answer was cut off at the token limit; raise it with --max-tokens\n'],
  ])('%j', async (argv, out, err) => {
    expect(await ask(stream, ...argv)).toEqual({ code: 0, out, err })
  })
})

test('an interrupted answer is exit 7', async () => {
  const { code, out, err } = await ask('break')
  expect({ code, err }).toEqual({ code: 7, err: expect.stringMatching(/^syn: the answer was cut short: /) as string })
  expect('This will never be whole'.startsWith(out)).toBe(true)
  expect(out).not.toBe('')
})

test.each<[prompt: string, code: number, message: string]>([
  ['refuse', 1, 'syn: No such thing (400 Bad Request)\n'],
  ['busy', 5, 'syn: Slow down (429 Too Many Requests)\n'],
  ['nobody answers this', 4, 'syn: '],
])('a failure: %s is exit %i', async (prompt, code, message) => {
  const outcome = await ask('--retries', '0', prompt)
  expect(outcome).toMatchObject({ code, out: '' })
  expect(outcome.err).toContain(message)
})
