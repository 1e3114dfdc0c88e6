/** The method, URL, headers and body of a request. */

import { expect, test } from 'vitest'
import { packageVersion } from '../../src/io/process/package.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, events, startService, testKey, type Asked } from '../helpers/service.ts'

async function asked(argv: string[]): Promise<Asked> {
  await using service = await startService(events(chatAnswer(['Hi'])))
  const { code, err } = await runSyn(['chat', 'hi', ...argv], { env: service.env })
  expect({ code, err, requests: service.asked.length }).toEqual({ code: 0, err: '', requests: 1 })
  return service.asked[0] as Asked
}

test('method, path and headers', async () => {
  const { method, path, headers } = await asked([])
  expect({ method, path }).toEqual({ method: 'POST', path: '/openai/v1/chat/completions' })
  expect(headers).toMatchObject({
    authorization: `Bearer ${testKey}`,
    'user-agent': `syn/${packageVersion()}`,
    'content-type': 'application/json',
    accept: 'text/event-stream, application/json',
    'accept-encoding': 'identity',
  })
})

test('an answer that is not streamed may be compressed', async () => {
  const { headers, json } = await asked(['--no-stream'])
  expect(headers).toMatchObject({ accept: 'application/json', 'accept-encoding': 'gzip, deflate, br' })
  expect(json).toMatchObject({ stream: false })
})

test('the body is UTF-8 JSON with a correct Content-Length', async () => {
  const { headers, json, body } = await asked(['--system', 'Grüße 👩‍🚀'])
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body))
  expect(json).toMatchObject({
    messages: [
      { role: 'system', content: 'Grüße 👩‍🚀' },
      { role: 'user', content: 'hi' },
    ],
  })
})
