/** The connection is opened while the input is read, or typed. What shows it is the order of events, not time. */

import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { environment, startSyn, type Ended, type Running } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { synOnTerminal } from '../helpers/terminal.ts'
import { startTunnel } from '../helpers/tunnel.ts'
import { startSilentServer, startWatchedServer } from '../helpers/watched-server.ts'
import { homeWithProfile, storedKey } from '../settings/stored.ts'

const chat = ['chat', '--retries', '0']

function startPiped(argv: string[], env: Record<string, string>): Running {
  return startSyn(argv, { ...environment(), ...env }, ['pipe', 'pipe', 'pipe'])
}

/** The input comes after the warning that it is waited for: by then, the program would have connected. */
async function runSlowly(argv: string[], env: Record<string, string>): Promise<Ended> {
  const { child, ended } = startPiped(argv, env)
  await Promise.race([once(child.stderr as Readable, 'data'), ended])
  child.stdin?.on('error', () => undefined).end('{"messages":[{"role":"user","content":"hello"}]}')
  return ended
}

describe('while standard input is read', () => {
  const messages = [{ role: 'user', content: 'hello' }]
  test.each([
    ['chat'],
    ['messages'],
    ['complete'],
    ['embed --lines'],
    ['count-tokens'],
    ['search'],
    ['search news -'],
    ['chat --body -', JSON.stringify({ messages })],
    ['chat hello --system @-'],
    ['count-tokens --messages -', JSON.stringify(messages)],
  ])('syn %s is connected before the input comes', async (line, input = 'hello') => {
    await using server = await startWatchedServer()
    const connected = server.next()
    const { child, ended } = startPiped([...line.split(' '), '--retries', '0'], server.env)
    await connected
    child.stdin?.end(input)
    expect(await ended).toMatchObject({ code: 0, err: '' })
    expect(server.connections).toHaveLength(1)
  })

  test.each([[{ SYN_API_KEY: '' }], [{ SYN_BASE_URL: '' }]])('a stored account, %j', async (unset) => {
    await using server = await startWatchedServer()
    const { SYN_BASE_URL = '', SYN_API_KEY = '' } = server.env
    const home = homeWithProfile({ 'base-url': SYN_BASE_URL, 'api-key': SYN_API_KEY })
    const connected = server.next()
    const { child, ended } = startPiped(chat, { ...server.env, HOME: home, ...unset })
    await connected
    child.stdin?.end('hello')
    expect(await ended).toMatchObject({ code: 0, err: '' })
  })

  test('http, and a host name', async () => {
    await using server = await startWatchedServer({ isSecure: false })
    const connected = server.next()
    const { child, ended } = startPiped(chat, { ...server.env, SYN_BASE_URL: `http://localhost:${server.port}` })
    await connected
    child.stdin?.end('hello')
    expect(await ended).toMatchObject({ code: 0, err: '' })
    expect(server.connections).toHaveLength(1)
  })
})

test.skipIf(process.platform === 'win32')('while a file is read', async () => {
  await using server = await startWatchedServer()
  const pipe = join(emptyFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const connected = server.next()
  const { ended } = startSyn(['chat', '-f', pipe], { ...environment(), ...server.env })
  const writer = createWriteStream(pipe)
  await connected
  writer.end('hello')
  expect(await ended).toMatchObject({ code: 0, err: '' })
  expect(server.connections).toHaveLength(1)
})

describe('no connection', () => {
  test.concurrent.each([
    [['--dry-run'], 0],
    [['--curl'], 0],
    [['--sandbox'], 0],
    [['--temperature', '9'], 2],
    [['--body', '-', '--temperature', '9'], 2],
    [['--system', '@-', '--api', 'other'], 2],
    [['--body', '-', '--dry-run'], 0],
    [['-f', 'missing'], 2],
    [['--no-stdin'], 2],
  ])('for chat with %j', async (argv, code) => {
    await using server = await startWatchedServer()
    expect(await runSlowly(['chat', ...argv], server.env)).toMatchObject({ code })
    expect(server.connections).toEqual([])
  })

  test.concurrent.each([
    [
      'a key that is stored for another URL',
      { 'base-url': 'https://api.example.com', 'api-key': storedKey },
      /refusing/,
    ],
    ['no key', {}, /no API key/],
    ['a key command that fails', { 'api-key': storedKey, 'key-command': 'exit 1' }, /key command/],
  ])('with %s', async (_what, profile, message) => {
    await using server = await startWatchedServer()
    const { SYN_BASE_URL = '' } = server.env
    const own = 'key-command' in profile ? { 'base-url': SYN_BASE_URL } : {}
    const env = { ...server.env, SYN_API_KEY: '', HOME: homeWithProfile({ ...own, ...profile }) }
    const { code, err } = await runSlowly(chat, env)
    expect(code).toBe(3)
    expect(err).toMatch(message)
    expect(server.connections).toEqual([])
  })

  test.concurrent('with http to another machine', async () => {
    await using server = await startWatchedServer({ isSecure: false })
    const env = { ...server.env, SYN_BASE_URL: `http://0.0.0.0:${server.port}` }
    expect(await runSlowly(chat, env)).toMatchObject({ code: 2 })
    expect(server.connections).toEqual([])
  })

  test.concurrent('but that of the proxy', async () => {
    await using server = await startWatchedServer({ isSecure: false })
    await using tunnel = await startTunnel({ baseUrl: `http://127.0.0.1:${server.port}` })
    const SYN_BASE_URL = `http://0.0.0.0:${server.port}`
    const env = { ...server.env, SYN_BASE_URL, HTTP_PROXY: tunnel.url }
    expect(await runSlowly([...chat, '--allow-http'], env)).toMatchObject({
      code: 0,
      err: 'syn: waiting for standard input\n',
    })
    expect({ tunnels: tunnel.heads.length, connections: server.connections.length }).toEqual({
      tunnels: 1,
      connections: 1,
    })
  })

  test.concurrent('for what another command reads', async () => {
    await using server = await startWatchedServer()
    expect(await runSlowly(['login', '--with-key', '--no-verify'], server.env)).toMatchObject({ code: 0 })
    expect(server.connections).toEqual([])
  })
})

describe('a connection that dies before the input comes is replaced without a word', () => {
  const timeout = 'HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n'
  test.each<[string, boolean, (socket: Socket) => Promise<unknown>]>([
    ['closed', true, (socket) => once(socket.end(), 'close')],
    ['closed', false, (socket) => once(socket.end(), 'close')],
    ['dropped', true, (socket) => once(socket.destroy(), 'close')],
    ['reset', false, (socket) => once(socket.resetAndDestroy(), 'close')],
    ['ended with a reply', true, (socket) => once(socket.end(timeout), 'finish')],
    ['ended with a reply', false, (socket) => once(socket.end(timeout), 'finish')],
  ])('%s, over TLS: %s', async (_what, isSecure, end) => {
    await using server = await startWatchedServer({ isSecure, take: (_socket, number) => number === 0 })
    const connected = server.next()
    const { child, ended } = startPiped(chat, server.env)
    const first = await connected
    await end(first.resume())
    child.stdin?.end('hello')
    expect(await ended).toMatchObject({ code: 0, err: '' })
    expect(server.connections).toHaveLength(2)
  })

  test('a failed handshake', async () => {
    await using server = await startWatchedServer()
    const hellos: Socket[] = []
    // The first connection gets no TLS.
    const gate = createServer((socket) => {
      hellos.push(socket)
      socket.on('error', () => undefined)
      if (hellos.length === 1) return void socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
      server.accept(socket)
    })
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
    const { port } = gate.address() as AddressInfo
    const failed = once(gate, 'connection').then(([socket]) => once(socket as Socket, 'close'))
    const { child, ended } = startPiped(chat, { ...server.env, SYN_BASE_URL: `https://127.0.0.1:${port}` })
    await failed
    child.stdin?.end('hello')
    expect(await ended).toMatchObject({ code: 0, err: '' })
    expect(hellos).toHaveLength(2)
    gate.close()
  })
})

describe('a connection that closes when the request comes', () => {
  /** Opens the connection, sends the request, and counts the connections. */
  async function runWith(take: (socket: Socket, number: number) => boolean): Promise<[number, Ended]> {
    await using server = await startWatchedServer({ take })
    const connected = server.next()
    const { child, ended } = startPiped(chat, server.env)
    await connected
    child.stdin?.end('hello')
    const outcome = await ended
    return [server.connections.length, outcome]
  }
  const hangUp = (socket: Socket): void => void socket.once('data', () => socket.destroy())

  test('is replaced, too', async () => {
    const [connections, outcome] = await runWith((socket, number) => {
      if (number === 0) hangUp(socket)
      return number === 0
    })
    expect(outcome).toMatchObject({ code: 0, err: '' })
    expect(connections).toBe(2)
  })

  test('but only once', async () => {
    const [connections, outcome] = await runWith((socket) => {
      hangUp(socket)
      return true
    })
    expect(outcome).toMatchObject({
      code: 6,
      err: expect.stringMatching(/^syn: .+: connection (closed|reset)\n$/) as string,
    })
    expect(connections).toBe(2)
  })

  test('nor is the one that replaced it', async () => {
    await using server = await startWatchedServer({
      take: (socket, number) => {
        if (number > 0) hangUp(socket)
        return true
      },
    })
    const connected = server.next()
    const { child, ended } = startPiped(chat, server.env)
    const first = await connected
    await once(first.resume().end(), 'close')
    child.stdin?.end('hello')
    expect(await ended).toMatchObject({ code: 6 })
    expect(server.connections).toHaveLength(2)
  })

  test('and not when the service has had time to work on the request', async () => {
    const [connections, outcome] = await runWith((socket) => {
      socket.once('data', () => setTimeout(() => socket.destroy(), 1500))
      return true
    })
    expect(outcome).toMatchObject({ code: 6 })
    expect(connections).toBe(1)
  })

  test('and not after the first byte of a reply', async () => {
    const [connections, outcome] = await runWith((socket) => {
      socket.once('data', () => socket.end('HTTP'))
      return true
    })
    expect(outcome).toMatchObject({ code: 6 })
    expect(connections).toBe(1)
  })
})

describe('the exit is not delayed', () => {
  const interrupt = ({ child }: Running): unknown => child.kill('SIGINT')
  const end =
    (input: string) =>
    ({ child }: Running): unknown =>
      child.stdin?.end(input)
  test.each<[string, string[], (running: Running) => unknown, number]>([
    ['an empty prompt', [], end(''), 2],
    ['text that is not UTF-8', [], ({ child }) => child.stdin?.end(Buffer.from([0xff])), 2],
    ['an invalid body', ['--body', '-'], end('{'), 2],
    ['Ctrl-C', [], interrupt, 130],
    ['Ctrl-C during a body', ['--body', '-'], interrupt, 130],
  ])('by a handshake that is never answered, at %s', async (_what, argv, act, code) => {
    await using server = await startSilentServer()
    const running = startPiped([...chat, ...argv], server.env)
    const socket = await server.next()
    const closed = once(socket, 'close')
    const [hello] = (await once(socket, 'data')) as [Buffer]
    // The content type of a handshake (RFC 8446, section 5.1).
    expect(hello[0]).toBe(22)
    act(running)
    expect(await running.ended).toMatchObject({ code })
    await closed
  })

  test('by a name server that never answers', async () => {
    const server = createSocket('udp4')
    await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
    // getaddrinfo, which would ask the name servers of this machine, hangs, too.
    const preload = join(emptyFolder(), 'preload.cjs')
    writeFileSync(
      preload,
      `const dns = require('node:dns')
      dns.lookup = () => void setTimeout(() => undefined, 2 ** 30)
      const { Resolver } = dns.promises
      dns.promises.Resolver = class extends Resolver {
        resolve4(name) {
          this.setServers(['127.0.0.1:${server.address().port}'])
          return super.resolve4(name)
        }
      }
      require('node:module').syncBuiltinESMExports()`,
    )
    const asked = once(server, 'message')
    const env = {
      SYN_BASE_URL: 'https://api.example.com',
      SYN_API_KEY: 'key',
      NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
    }
    const { child, ended } = startPiped(chat, env)
    await asked
    child.stdin?.end()
    expect(await ended).toMatchObject({ code: 2, err: expect.stringMatching(/^syn: no prompt/) as string })
    server.close()
  })
})

describe('in the chat', () => {
  test('the first key of a message connects, a slash command does not', async () => {
    await using server = await startWatchedServer()
    const screen = synOnTerminal(['chat', '-q'], { ...environment(), ...server.env })
    await screen.until((lines) => lines.at(-1) === '›')
    screen.type('/help\r')
    await screen.until((lines) => lines.some((line) => line.includes('/retry')) && lines.at(-1) === '›')
    // From the history.
    screen.type('\u001b[A')
    await screen.until((lines) => lines.at(-1) === '› /help')
    screen.type('\u0015 ')
    await screen.until((lines) => lines.at(-1) === '›')
    expect(server.connections).toEqual([])
    const connected = server.next()
    screen.type('h')
    await connected
    screen.type('ello\r')
    await screen.until((lines) => lines.some((line) => /^›  ?hello$/.test(line)) && lines.at(-1) === '›')
    expect(server.connections).toHaveLength(1)
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
  })

  test.each([
    ['a paste', '\u001b[200~one\rtwo\u001b[201~'],
    ['a message with a slash', '//etc'],
    ['an earlier message', '\u001b[A'],
  ])('%s connects', async (_what, keys) => {
    await using server = await startWatchedServer()
    const home = emptyFolder()
    const first = synOnTerminal(['chat'], { ...environment(), ...server.env, HOME: home })
    await first.until((lines) => lines.at(-1) === '›')
    first.type('hello\r')
    await first.until((lines) => lines.some((line) => line.includes('tokens')) && lines.at(-1) === '›')
    first.type('\u0004')
    await first.ended
    const screen = synOnTerminal(['chat'], { ...environment(), ...server.env, HOME: home })
    await screen.until((lines) => lines.at(-1) === '›')
    const connected = server.next()
    screen.type(keys)
    await connected
    screen.type('\u0003\u0004')
    expect(await screen.ended).toBe(0)
  })

  test('one that the service closes while the user types is replaced', async () => {
    await using server = await startWatchedServer({ take: (_socket, number) => number === 0 })
    const screen = synOnTerminal(['chat', '-q', '--retries', '0'], { ...environment(), ...server.env })
    await screen.until((lines) => lines.at(-1) === '›')
    const connected = server.next()
    screen.type('h')
    const first = await connected
    const closed = once(first.resume(), 'close')
    first.end()
    await closed
    // Not with every key.
    screen.type('e')
    await screen.until((lines) => lines.at(-1) === '› he')
    expect(server.connections).toHaveLength(1)
    screen.type('llo\r')
    await screen.until((lines) => lines.includes('› hello') && lines.at(-1) === '›')
    expect(server.connections).toHaveLength(2)
    expect(screen.lines().join('\n')).not.toMatch(/retrying|^syn: /m)
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
  })

  test('the chat ends while the handshake is not answered', async () => {
    await using server = await startSilentServer()
    const connected = server.next()
    const screen = synOnTerminal(['chat'], { ...environment(), ...server.env })
    await screen.until((lines) => lines.at(-1) === '›')
    screen.type('h')
    await connected
    screen.type('\u0015\u0004')
    expect(await screen.ended).toBe(0)
  })
})
