/** Errors for a status other than 2xx: the service's message, a hint, and the exit status. */

import { gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { readMessage } from '../../src/stream/body-sniffing.ts'
import { runSyn, type Outcome } from '../helpers/run-syn.ts'
import { json, startService, type Answer } from '../helpers/service.ts'

async function runOn(status: number, body: string, contentType = 'application/json'): Promise<Outcome> {
  await using service = await startService(json(body, status, { 'content-type': contentType }))
  return await runSyn(['chat', 'hi', '--retries', '0'], { env: service.env })
}

const rotated = 'hint: the model may have been rotated out. Use syn models to list the available models'
const checkBaseUrl = 'hint: check the base URL: syn config get base-url'

test.each([
  [404, 'Model hf:a/b not found', 4, rotated],
  [404, 'API route not found: POST /x', 4, checkBaseUrl],
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
  ['part of a text', 400, breakAfter(400, 'No such field: x, y'), 1, 'No such field: x, y (400 Bad Request)'],
  ['part of a character', 400, breakAfter(400, Buffer.from('Für').subarray(0, 2)), 1, 'F (400 Bad Request)'],
  [
    'what cannot be decompressed',
    400,
    breakAfter(400, 'No.', { 'content-encoding': 'gzip' }),
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
