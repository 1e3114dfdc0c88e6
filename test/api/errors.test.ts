/** Errors for a status other than 2xx: the service's message, a hint, and the exit status. */

import { gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { readMessage } from '../../src/stream/reply.ts'
import { runSyn, type Outcome } from '../helpers/run-syn.ts'
import { json, startService, type Answer } from '../helpers/service.ts'

async function runOn(status: number, body: string, contentType = 'application/json'): Promise<Outcome> {
  await using service = await startService(json(body, status, { 'content-type': contentType }))
  return await runSyn(['chat', 'hi', '--retries', '0'], { env: service.env })
}

const prefix = 'Your model name should start with an hf: prefix; for example, hf:zai-org/GLM-4.7. '.repeat(8).trim()

test.each([
  ['a plain string, whole', 400, JSON.stringify({ error: prefix }), `${prefix} (400 Bad Request)`],
  ['an object', 400, '{"error":{"message":"Too long","type":"t","param":null,"code":7}}', 'Too long (400 Bad Request)'],
  [
    'the other family',
    529,
    '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    'Overloaded (529)',
  ],
  ['a message', 400, '{"message":"Context limit exceeded"}', 'Context limit exceeded (400 Bad Request)'],
  [
    'a detail',
    422,
    '{"detail":[{"loc":["body","n"],"msg":"not a number"}]}',
    'body.n: not a number (422 Unprocessable Entity)',
  ],
  ['nothing', 400, '', 'the service returned 400 Bad Request'],
  ['nothing, under a status without a name', 524, '', 'the service returned 524'],
  ['text', 500, 'upstream connect error', 'upstream connect error (500 Internal Server Error)'],
  ['JSON with an unfinished end', 500, '{"error":"Err', '{"error":"Err (500 Internal Server Error)'],
])('%s', async (_what, status, body, message) => {
  const { out, err } = await runOn(status, body)
  expect({ out, err }).toEqual({ out: '', err: `syn: ${message}\n` })
})

test('HTML is stripped', async () => {
  const page =
    '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center><h1>502 Bad Gateway</h1></center></body></html>'
  const { code, err } = await runOn(502, page, 'text/html')
  expect({ code, err }).toEqual({ code: 6, err: 'syn: 502 Bad Gateway (502 Bad Gateway)\n' })
})

const rotated = 'hint: the model may have been rotated out. Use syn models to list the available models'
const checkBaseUrl = 'hint: check the base URL: syn config get base-url'
const checkKey = 'hint: check the API key, or use syn login to store another'

test.each([
  [401, 'Invalid API key', 3, checkKey],
  [403, 'Forbidden', 3, checkKey],
  [402, 'Payment required', 5, 'hint: add credit to the account'],
  [404, 'Model hf:a/b not found', 4, rotated],
  [404, '', 4, rotated],
  [404, 'API route not found: POST /x', 4, checkBaseUrl],
  [413, 'Too large', 1, 'hint: the request is too large: send less text or smaller images'],
])('%i %j ends with %i and a hint', async (status, message, code, hint) => {
  const outcome = await runOn(status, message === '' ? '' : JSON.stringify({ error: message }))
  expect(outcome.code).toBe(code)
  expect(outcome.err.split('\n').slice(1)).toEqual([hint, ''])
})

/** Sends this much of a body, then closes the connection. */
function breakAfter(status: number, body: string | Buffer, headers: Record<string, string> = {}): Answer {
  return (_asked, response) => {
    response.writeHead(status, { 'content-length': '1000000', ...headers })
    response.write(body, () => response.destroy())
  }
}

test.each([
  ['nothing', 404, breakAfter(404, ''), 4, 'the service returned 404 Not Found'],
  ['part of a text', 400, breakAfter(400, 'No such field: x, y'), 1, 'No such field: x, y (400 Bad Request)'],
  ['part of JSON', 403, breakAfter(403, '{"error":"Your key'), 3, '{"error":"Your key (403 Forbidden)'],
  ['part of a character', 400, breakAfter(400, Buffer.from('Für').subarray(0, 2)), 1, 'F (400 Bad Request)'],
  ['a whole message', 402, breakAfter(402, '{"error":"No credit"}'), 5, 'No credit (402 Payment Required)'],
  [
    'what cannot be decompressed',
    400,
    breakAfter(400, 'No.', { 'content-encoding': 'gzip' }),
    1,
    'the service returned 400 Bad Request',
  ],
  [
    'an encoding that is not known',
    400,
    breakAfter(400, 'No.', { 'content-encoding': 'zstd' }),
    1,
    'the service returned 400 Bad Request',
  ],
])('a body that breaks off after %s does not hide the status %i', async (_what, _status, answer, code, message) => {
  await using service = await startService(answer)
  const outcome = await runSyn(['chat', 'hi', '--retries', '0'], { env: service.env })
  expect(outcome.code).toBe(code)
  expect(outcome.err.startsWith(`syn: ${message}`)).toBe(true)
})

test('compressed text is read as far as it can be', async () => {
  const body = gzipSync('No such field: x')
  await using service = await startService((_asked, response) => {
    response.writeHead(400, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
    response.end(body.subarray(0, -8))
  })
  const { code, err } = await runSyn(['chat', 'hi'], { env: service.env })
  expect({ code, err }).toEqual({ code: 1, err: 'syn: No such field: x (400 Bad Request)\n' })
})

test('the status of a body that breaks off decides on a retry', async () => {
  await using service = await startService(breakAfter(503, 'Busy', { 'retry-after': '0' }), json({ data: [] }))
  const { code, err } = await runSyn(['models', '--json'], { env: service.env })
  expect({ code, err }).toEqual({
    code: 0,
    err: 'syn: Busy (503 Service Unavailable); retrying in 0.0 s (1 of 3)\n',
  })
})

test('an endless error is read in part', async () => {
  await using service = await startService((_asked, response) => {
    response.writeHead(500, { 'content-type': 'text/plain' })
    const send = (): void => void response.write('Oops '.repeat(2000), (error) => error ?? send())
    send()
  })
  const { code, err } = await runSyn(['chat', 'hi', '--retries', '0'], { env: service.env })
  expect({ code, err }).toEqual({ code: 6, err: `syn: ${'Oops '.repeat(80)} (500 Internal Server Error)\n` })
})

test('an error that stalls is read in part', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    let stop = (): void => undefined
    const bytes = (async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('Oops')
      await new Promise((_resolve, reject) => {
        stop = () => reject(new Error('stopped'))
        vi.advanceTimersByTime(10_000)
      })
    })()
    expect(await readMessage(bytes, () => stop())).toBe('Oops')
  } finally {
    vi.useRealTimers()
  }
})
