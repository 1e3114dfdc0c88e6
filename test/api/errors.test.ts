/** Errors for a status other than 2xx: the service's message, a hint, and the exit status. */

import { expect, test } from 'vitest'
import { runSyn, type Outcome } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'

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

test('a truncated body does not hide the status', async () => {
  await using service = await startService((_asked, response) => {
    response.writeHead(404, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"error":', () => response.destroy())
  })
  const { code, err } = await runSyn(['chat', 'hi'], { env: service.env })
  expect(code).toBe(4)
  expect(err).toMatch(/^syn: the service returned 404 Not Found\n/)
})
