/** Requests that only a browser sends, for a web page of another host, are refused before any work. */

import { request, type OutgoingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import { useSandbox } from './clients.ts'

const clients = useSandbox({ limit: 1 })

interface Answered {
  readonly status: number | undefined
  readonly headers: readonly string[]
  readonly text: string
}

/** Not `fetch`, which sets the Host header itself. @param headers With `PORT` for the port of the sandbox. */
async function ask(method: string, path: string, headers: Readonly<Record<string, string>>): Promise<Answered> {
  const { sandbox } = clients()
  const { port } = new URL(sandbox.baseUrl)
  const named: OutgoingHttpHeaders = { authorization: `Bearer ${sandbox.key}` }
  for (const [name, value] of Object.entries(headers)) named[name] = value.replace('PORT', port)
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers: named }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode, headers: Object.keys(response.headers), text }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

test.each([
  '127.0.0.1:PORT',
  'localhost:PORT',
  'LOCALHOST:PORT',
  '[::1]:PORT',
  'localhost',
  // A port that is forwarded to that of the sandbox.
  'localhost:1',
])('Host: %s is answered', async (host) => {
  expect(await ask('GET', '/v2/quotas', { host })).toMatchObject({ status: 200 })
})

test.each([
  'rebound.example:PORT',
  'localhost.rebound.example:PORT',
  '127.0.0.1.rebound.example',
  '127.0.0.1@rebound.example',
  '169.254.169.254',
  '0.0.0.0:PORT',
  'localhost:PORT, rebound.example',
])('Host: %s gets 421', async (host) => {
  const { status, text } = await ask('GET', '/v2/quotas', { host })
  expect({ status, reply: JSON.parse(text) as unknown }).toEqual({
    status: 421,
    reply: { error: 'The sandbox answers to the host localhost only.' },
  })
})

test.each(['http://localhost:5173', 'http://127.0.0.1:PORT', 'tauri://localhost'])(
  'Origin: %s is answered, without permission to read for a browser',
  async (origin) => {
    const { status, headers } = await ask('GET', '/v2/quotas', { host: 'localhost:PORT', origin })
    expect(status).toBe(200)
    expect(headers.filter((name) => name.startsWith('access-control-'))).toEqual([])
  },
)

test.each(['https://page.example', 'http://localhost.page.example', 'null'])('Origin: %s gets 403', async (origin) => {
  const { status, headers } = await ask('OPTIONS', '/openai/v1/chat/completions', { host: 'localhost:PORT', origin })
  expect(status).toBe(403)
  expect(headers.filter((name) => name.startsWith('access-control-'))).toEqual([])
})

test('before any work: a refused request counts for nothing', async () => {
  const path = '/openai/v1/chat/completions'
  for (const headers of [{ host: 'rebound.example' }, { host: 'localhost', origin: 'https://page.example' }]) {
    expect((await ask('POST', path, headers)).status).toBeGreaterThanOrEqual(403)
  }
  expect((await ask('GET', '/v2/quotas', { host: 'localhost' })).text).toContain('"requests":0')
})
