/** MCP servers over HTTP: what is sent to them, and what they reply in place of a message. */

import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { testKey } from '../helpers/canary.ts'
import { type Outcome, runSyn } from '../helpers/run-syn.ts'
import { type Answer, type Asked, json, startService } from '../helpers/service.ts'
import { toolsFile } from '../helpers/tools.ts'
import { type Message, serverWith } from '../helpers/web-server.ts'

function page(status: number, body: string): Answer {
  return json(body, status, { 'content-type': 'text/html; charset=utf-8' })
}

async function run(argv: string[], entry: object, env = {}): Promise<Outcome> {
  const file = toolsFile({ mcpServers: { s: entry } })
  return runSyn(['tools', ...argv, '--tools-file', file], { env: { SYN_API_KEY: testKey, ...env } })
}

function listed(error: string): Outcome {
  return { code: 1, out: '', err: `syn: the server s does not start: ${error}\n` }
}

test.each([false, true])('the tools of a server, as streams: %s', async (asStream) => {
  await using service = await startService(serverWith({}, asStream))
  const entry = { url: `${service.baseUrl}/\${WHERE}`, headers: { Authorization: 'Bearer ${TOKEN}', 'X-A': 'b' } }
  const env = { WHERE: 'mcp', TOKEN: 'a token' }
  expect(await run(['list', 's'], entry, env)).toEqual({ code: 0, out: 's/call\ttool\t18\tCalls\n', err: '' })
  service.asked.length = 0
  expect((await run(['run', 's/call', '{"a":[1]}'], entry, env)).out).toBe('called\n')
  const sent = service.asked.map(({ method, json: message }) => `${method} ${(message as Message | undefined)?.method}`)
  expect(sent).toEqual([
    'POST initialize',
    'POST notifications/initialized',
    'POST tools/list',
    'POST tools/call',
    'DELETE undefined',
  ])
  for (const { path, headers, body } of service.asked) {
    expect([path, headers.authorization, headers['x-a']]).toEqual(['/mcp', 'Bearer a token', 'b'])
    expect(JSON.stringify(headers) + body).not.toContain(testKey)
  }
  expect(service.asked[3]).toMatchObject({
    headers: { 'mcp-session-id': 'session 1' },
    json: { params: { name: 'call', arguments: { a: [1] } } },
  })
})

describe('a reply that is no message is one line', () => {
  test.each<[what: string, answer: Answer, error: string]>([
    ['a page', page(200, `<html><title>Sign\nin</title>${'<p>much text'.repeat(1000)}`), 'HTTP 200: Sign in'],
    ['a page without a title', page(502, '<h1>no'), 'HTTP 502: a web page'],
    ['a page with control characters', page(500, '<title>\u001b]0;x\u0007</title>'), 'HTTP 500: ␛]0;x␇'],
    [
      'an error',
      json({ error: { message: 'no\nsuch token' } }, 401),
      'HTTP 401: {"error":{"message":"no\\nsuch token"}}',
    ],
    ['no body', json('', 404), 'HTTP 404: Not Found'],
    ['text', json('x', 200, { 'content-type': 'text/plain' }), 'Unexpected content type: text/plain'],
    ['an empty stream', json('', 200, { 'content-type': 'text/event-stream' }), 'the reply ended without a result'],
    [
      'a stream without end',
      endless('text/event-stream', 'data: {"jsonrpc":"2.0","method":"x"}\n\n'),
      'sent more than 16 MiB, or too many messages',
    ],
    ['a document without end', endless('application/json', ' '), 'sent more than 16 MiB, or too many messages'],
    ['a page without end', endless('text/html', 'x'), 'sent more than 16 MiB, or too many messages'],
  ])('%s', async (_what, answer, error) => {
    await using service = await startService(serverWith({ initialize: answer }))
    expect(await run(['list', 's'], { url: service.baseUrl })).toEqual(listed(error))
  })

  test('a server that is not there, or does not reply', async () => {
    const gone = await startService()
    await gone.close()
    const refused = `connect ECONNREFUSED ${new URL(gone.baseUrl).host}`
    expect(await run(['list', 's'], { url: gone.baseUrl })).toEqual(listed(refused))
    await using service = await startService(serverWith({ 'tools/list': () => undefined }))
    const entry = { url: service.baseUrl, timeout: 0.3 }
    expect(await run(['list', 's'], entry)).toEqual(listed('no result within 0.3 seconds'))
  })

  test('a schema that is nested too deep is left out', async () => {
    const deep = `{"type":"object","a":${'['.repeat(5000)}${']'.repeat(5000)}}`
    const list: Answer = (asked, response) => {
      const { id } = asked.json as Message
      const text = `{"jsonrpc":"2.0","id":${id},"result":{"tools":[{"name":"t","inputSchema":${deep}}]}}`
      return json(text)(asked, response)
    }
    await using service = await startService(serverWith({ 'tools/list': list }))
    const err = 'syn: server s: leaving out 1 of 1 tools, for their name or schema\nsyn: s has no tools\n'
    expect(await run(['list', 's'], { url: service.baseUrl })).toEqual({ code: 0, out: '', err })
  })

  test('an end in the middle of a call', async () => {
    const cut: Answer = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': a comment\n\n', () => response.destroy())
    }
    await using service = await startService(serverWith({ 'tools/call': cut }))
    const { code, err } = await run(['run', 's/call'], { url: service.baseUrl })
    const error = 'server s: the reply ended without a result'
    expect({ code, err }).toEqual({ code: 1, err: `syn: s/call failed: ${error}\n` })
  })
})

describe('a redirect', () => {
  const to = (url: string): Answer => json('<title>Moved</title>', 307, { location: url, 'content-type': 'text/html' })

  test('to another origin gets no header', async () => {
    await using other = await startService(serverWith())
    await using service = await startService(serverWith({ initialize: to(`${other.baseUrl}/mcp?x=1`) }))
    const { code, err } = await run(['list', 's'], { url: service.baseUrl, headers: { Authorization: 'Bearer t' } })
    expect([code, err]).toEqual([
      1,
      `syn: the server s does not start: Redirect to ${other.baseUrl}/mcp not followed; use that URL as the endpoint if it is the intended server\n`,
    ])
    expect(other.asked).toEqual([])
  })

  test('within the origin is followed', async () => {
    const moved = (asked: Asked, response: ServerResponse): void | Promise<void> =>
      asked.path === '/' ? to('/mcp')(asked, response) : serverWith()(asked, response)
    await using service = await startService(serverWith({ initialize: moved }))
    expect((await run(['list', 's'], { url: service.baseUrl })).code).toBe(0)
  })
})

test.each<[entry: object, error: string]>([
  [{ url: 'http://${HOST}/' }, '$.mcpServers.s.url: the variable HOST is not set'],
  [
    { url: 'http://h/?k=${SYN_API_KEY}' },
    '$.mcpServers.s.url: ${SYN_API_KEY} is not accepted: tools get no variable of syn',
  ],
  [
    { url: '${A}://h' },
    '$.mcpServers.s.url: the value is not accepted; expected an http or https URL without a user name',
  ],
  [
    { url: 'http://user:secret@h/' },
    '$.mcpServers.s.url: the value is not accepted; expected an http or https URL without a user name',
  ],
  [
    { url: 'http://h', headers: { 'a b': 'secret' } },
    '$.mcpServers.s.headers: a name or a value is not accepted by HTTP',
  ],
  [{ url: 'http://h', headers: { a: '${B}' } }, '$.mcpServers.s.headers: a name or a value is not accepted by HTTP'],
])('%j is exit status 2', async (entry, error) => {
  const { code, err } = await run(['list', 's'], entry, { A: 'file', B: 'x\ny' })
  expect([code, err.replace(/^syn: .*?\.json: /, '')]).toEqual([2, `${error}\n`])
})

/** A reply that goes on as fast as it is read. */
function endless(type: string, text: string): Answer {
  return (_asked, response) => {
    response.writeHead(200, { 'content-type': type })
    const chunk = text.repeat(Math.ceil(100_000 / text.length))
    const write = (): void => {
      while (!response.destroyed && response.write(chunk)) continue
      if (!response.destroyed) response.once('drain', write)
    }
    write()
  }
}
