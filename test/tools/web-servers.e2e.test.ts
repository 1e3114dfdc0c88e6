/** MCP servers over HTTP: what is sent to them, and what they reply in place of a message. */

import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { testKey } from '../helpers/canary.ts'
import { type Outcome, runSyn } from '../helpers/run-syn.ts'
import { type Answer, type Asked, events, json, startService } from '../helpers/service.ts'
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
    [
      'an error',
      json({ error: { message: 'no\nsuch token' } }, 401),
      'HTTP 401: {"error":{"message":"no\\nsuch token"}}',
    ],
    ['an empty stream', json('', 200, { 'content-type': 'text/event-stream' }), 'the reply ended without a result'],
    ['a document without end', endless('application/json', ' '), 'sent more than 16 MiB, or too many messages'],
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
    const err = 'syn: server s: leaving out 1 of 1 tools: "t" for its inputSchema\nsyn: s has no tools\n'
    expect(await run(['list', 's'], { url: service.baseUrl })).toEqual({ code: 0, out: '', err })
  })
})

/** Replies to a call with these lines, and to each request for the rest with the next of `rests`. */
function resumed(lines: string, ...rests: Answer[]): Record<string, Answer> {
  let at = 0
  return { 'tools/call': events(lines), GET: (asked, response) => rests[at++]?.(asked, response) }
}

const start = 'id: 1\nretry: 1\ndata:\n\n'
const found = `data: ${JSON.stringify({ jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 'found' }] } })}\n\n`

describe('a stream that ends before its result is resumed', () => {
  const breaks: Answer = (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('id: 2\ndata:\n\n', () => response.destroy())
  }

  test.each<[what: string, answers: Record<string, Answer>, ids: string[], shown: string]>([
    ['after a break', resumed(start, breaks, events(found)), ['1', '2'], 'found\n'],
    [
      'without success',
      resumed(start, json('no', 405)),
      ['1'],
      'syn: s/call failed: server s: the reply ended without a result: HTTP 405: no\n',
    ],
  ])('%s', async (_what, answers, ids, shown) => {
    await using service = await startService(serverWith(answers))
    const { out, err } = await run(['run', 's/call'], { url: service.baseUrl, headers: { 'X-A': 'b' } })
    expect(out + err).toBe(shown)
    const asked = service.asked.filter(({ method }) => method === 'GET').map(({ headers }) => headers)
    expect(asked.map((headers) => headers['last-event-id'])).toEqual(ids)
    for (const headers of asked) {
      expect(headers).toMatchObject({ 'mcp-session-id': 'session 1', 'x-a': 'b' })
    }
  })

  test('until the time of the call is over', async () => {
    const answers = { 'tools/call': events(start), GET: events(start) }
    await using service = await startService(serverWith(answers))
    const { err } = await run(['run', 's/call'], { url: service.baseUrl, timeout: 0.3 })
    expect(err).toBe('syn: s/call failed: no result within 0.3 seconds\n')
    expect(service.asked.filter(({ method }) => method === 'GET').length).toBeLessThan(7)
  })
})

describe('a session that has ended', () => {
  /** A server that forgets its session before the first calls. */
  function forgetful(times: number, refusal: Answer): Answer {
    const call: Answer = (asked, response) => (times-- > 0 ? refusal : serverWith())(asked, response)
    return serverWith({ 'tools/call': call })
  }
  const invalid = { jsonrpc: '2.0', error: { code: -32000, message: 'Bad Request: No valid session ID' }, id: null }

  test.each<[what: string, times: number, refusal: Answer, shown: string, begun: number]>([
    ['with 400', 1, json(invalid, 400), 'called\n', 2],
    ['again and again', 9, json('Session not found', 404), 'syn: s/call failed: server s: its session has ended\n', 2],
    [
      'which is not named',
      1,
      json('no such argument', 400),
      'syn: s/call failed: server s: HTTP 400: no such argument\n',
      1,
    ],
  ])('%s', async (_what, times, refusal, shown, begun) => {
    await using service = await startService(forgetful(times, refusal))
    const { out, err } = await run(['run', 's/call', '{"a":1}'], { url: service.baseUrl })
    expect(out + err).toBe(shown)
    const sent = service.asked.map(({ json: message }) => (message as Message | undefined)?.method)
    expect(sent.filter((method) => method === 'initialize').length).toBe(begun)
    expect(sent.filter((method) => method === 'tools/call').length).toBe(begun)
  })
})

test.each<[result: unknown, shown: string]>([
  ['a text', 'a text\n'],
  [{ content: 'a text' }, 'a text\n'],
  [{ task: { taskId: 'b' } }, '{"task":{"taskId":"b"}}\n'],
  [{ content: [{ type: 'text', text: ' ' }], structuredContent: { a: 1 } }, '{"a":1}\n'],
])('the result %j is taken', async (result, shown) => {
  const call = json({ jsonrpc: '2.0', id: '2', result, error: null, other: 1 })
  await using service = await startService(serverWith({ 'tools/call': call }))
  expect(await run(['run', 's/call'], { url: service.baseUrl })).toEqual({ code: 0, out: shown, err: '' })
})

test('an object that is no message, as one that keeps the connection alive, ends no reply', async () => {
  await using service = await startService(
    serverWith({ 'tools/call': events(`event: keepalive\ndata: {}\n\n${found}`) }),
  )
  expect(await run(['run', 's/call'], { url: service.baseUrl })).toEqual({ code: 0, out: 'found\n', err: '' })
})

test.each<[error: object, shown: string]>([
  [{ id: 2 }, 'the reply ended without a result'],
  [{ id: null, error: { code: -32600, message: 'no\nluck' } }, 'no luck'],
  [{ id: 2, error: 'no luck' }, 'no luck'],
  [{ id: 2, error: { reason: 1 } }, '{"reason":1}'],
])('the error %j ends the call', async (error, shown) => {
  for (const answer of [json({ jsonrpc: '2.0', ...error }), events(`data: ${JSON.stringify(error)}\n\n`)]) {
    await using service = await startService(serverWith({ 'tools/call': answer }))
    const { err } = await run(['run', 's/call'], { url: service.baseUrl })
    expect(err).toBe(`syn: s/call failed: server s: ${shown}\n`)
  }
})

describe('a redirect', () => {
  const to = (url: string): Answer => json('<title>Moved</title>', 307, { location: url, 'content-type': 'text/html' })

  test('to another origin gets no header', async () => {
    await using other = await startService(serverWith())
    await using service = await startService(serverWith({ initialize: to(`${other.baseUrl}/mcp?x=1`) }))
    const { code, err } = await run(['list', 's'], { url: service.baseUrl, headers: { Authorization: 'Bearer t' } })
    expect([code, err]).toEqual([
      1,
      `syn: the server s does not start: redirects to ${other.baseUrl}/mcp; if it has moved, change its url\n`,
    ])
    expect(other.asked).toEqual([])
  })

  test('to the same host with another protocol is an error', async () => {
    const moved: Answer = (asked, response) => to(`https://${asked.headers.host}/mcp`)(asked, response)
    await using service = await startService(serverWith({ initialize: moved }))
    const { host } = new URL(service.baseUrl)
    const { code, err } = await run(['list', 's'], { url: service.baseUrl, headers: { Authorization: 'Bearer t' } })
    expect([code, err]).toEqual([1, expect.stringContaining(`redirects to https://${host}/mcp`)])
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
    { url: 'http://user:secret@h/' },
    '$.mcpServers.s.url: the value is not accepted; expected an http or https URL without a user name',
  ],
  [
    { url: 'https://h', headers: { 'a b': 'secret' } },
    '$.mcpServers.s.headers: a name or a value is not accepted by HTTP',
  ],
])('%j is exit status 2', async (entry, error) => {
  const { code, err } = await run(['list', 's'], entry, { A: 'file', B: 'x\ny' })
  expect([code, err.replace(/^syn: .*?\.json: /, '')]).toEqual([2, `${error}\n`])
})

describe('plain http to another machine', () => {
  const headers = { Authorization: 'Bearer ${TOKEN}' }
  const hint = 'hint: use https, or "allowHttp": true in this entry'

  test.each<[entry: { url: string; headers?: object; allowHttp?: boolean }, refused: string]>([
    [{ url: 'http://h.invalid/mcp', headers }, 'headers'],
    [{ url: 'http://h.invalid/?k=${TOKEN}' }, 'variables'],
    [{ url: 'http://evil.localhost/', headers }, 'headers'],
    [{ url: 'http://localhost./', headers }, 'headers'],
  ])('gets neither headers nor variables: %j', async (entry, refused) => {
    const ended = await run(['list', 's'], entry, { TOKEN: 'a secret', URL: 'http://h.invalid/' })
    const err = ended.err.replace(/^syn: .*?\.json: /, '')
    expect({ ...ended, err }).toEqual({
      code: 2,
      out: '',
      err: `$.mcpServers.s.url: refusing to send its ${refused} unencrypted to ${entry.url}\n${hint}\n`,
    })
  })

  test('is asked with allowHttp', async () => {
    const { code, err } = await run(
      ['list', 's'],
      { url: 'http://h.invalid/', headers, allowHttp: true },
      { TOKEN: 't' },
    )
    expect([code, err]).toEqual([1, expect.stringContaining('h.invalid')])
  })

  test.each(['localhost', '[::1]'])('%s is this machine', async (host) => {
    await using service = await startService(serverWith())
    const url = service.baseUrl.replace('127.0.0.1', host)
    const { err } = await run(['list', 's'], { url, headers }, { TOKEN: 't' })
    // The connection itself may fail: not every machine has ::1.
    expect(err).not.toContain('refusing')
  })
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

test('the values of headers that are secrets are masked in what the server says, and no others', async () => {
  const headers = {
    Authorization: 'Bearer literal-token',
    'X-Api-Key': 'literal-key',
    'X-Own': 'a ${OWN}',
    'X-Database': 'postgres://me:hunter22@db.example/x',
    Token: 'Token own-scheme',
    Accept: 'text/plain-words',
    'X-Key-File': '/home/me/key',
    'X-Token-Count': '12345678',
    'X-Secret-Host': 'https://host.example/path',
  }
  const said = (asked: Asked, response: ServerResponse): ReturnType<Answer> => {
    const { id } = asked.json as Message
    const text = `literal-token literal-key Bearer literal-token value-of-own own-scheme ${Object.values(headers).slice(3).join(' ')}`
    return json({ jsonrpc: '2.0', id, result: { isError: true, content: [{ type: 'text', text }] } })(asked, response)
  }
  await using service = await startService(serverWith({ 'tools/call': said }))
  const entry = { url: service.baseUrl, headers }
  const { out, err } = await run(['run', 's/call', '{}'], entry, { OWN: 'value-of-own' })
  expect(out + err).toContain(
    '[key] [key] [key] [key] [key] [key] [key] text/plain-words /home/me/key 12345678 https://host.example/path',
  )
})

test('requests of a server are answered one at a time', async () => {
  let [open, most, answered] = [0, 0, 0]
  let finish = (): void => undefined
  const pings = Array.from({ length: 20 }, (_, id) => `data: {"jsonrpc":"2.0","id":"p${id}","method":"ping"}\n\n`)
  const server = serverWith({
    'tools/call': (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(pings.join(''))
      finish = () => void response.end(found)
    },
  })
  const counting: Answer = (asked, response) => {
    if ((asked.json as Message | undefined)?.method !== undefined || asked.method !== 'POST')
      return server(asked, response)
    most = Math.max(most, ++open)
    // Others may come meanwhile: the result does only behind the last answer.
    setTimeout(() => {
      open--
      response.writeHead(202).end()
      if (++answered === pings.length) finish()
    }, 5)
  }
  await using service = await startService(counting)
  expect(await run(['run', 's/call', '{}'], { url: service.baseUrl })).toMatchObject({ code: 0, out: 'found\n' })
  expect({ most, answered }).toEqual({ most: 1, answered: pings.length })
})

test('the reply of a server is read while its requests are answered', async () => {
  let [open, most] = [0, 0]
  const pings = Array.from({ length: 200 }, (_, id) => `data: {"jsonrpc":"2.0","id":"p${id}","method":"ping"}\n\n`)
  const server = serverWith({ 'tools/call': events(pings.join('') + found) })
  const slow: Answer = (asked, response) => {
    if ((asked.json as Message | undefined)?.method !== undefined || asked.method !== 'POST')
      return server(asked, response)
    most = Math.max(most, ++open)
    response.on('close', () => open--)
  }
  await using service = await startService(slow)
  expect(await run(['run', 's/call', '{}'], { url: service.baseUrl })).toMatchObject({ code: 0, out: 'found\n' })
  expect(most).toBeLessThanOrEqual(1)
})
