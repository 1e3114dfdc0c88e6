/** The connection is opened while the input is read. What shows it is the order of events, not time. */

import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { InterruptedError } from '../../src/errors.ts'
import { runWithDelayedInput } from '../helpers/watched-run.ts'
import type { Outcome } from '../helpers/run-syn.ts'
import { chatAnswer, events, startService } from '../helpers/service.ts'
import { startTunnel } from '../helpers/tunnel.ts'
import { startWatchedServer, trustCertificate } from '../helpers/watched-server.ts'
import { homeWithProfile, storedKey } from '../settings/stored.ts'

let distrust: () => void
beforeAll(() => void (distrust = trustCertificate()))
afterAll(() => distrust())

const chat = ['chat', '--retries', '0']

function start(argv: string[], env: Record<string, string>): ReturnType<typeof runWithDelayedInput> {
  return runWithDelayedInput(argv, { env })
}

describe('while standard input is read', () => {
  const messages = [{ role: 'user', content: 'hello' }]
  test.each([
    ['chat'],
    ['embed --lines'],
    ['search news -'],
    ['chat --body -', JSON.stringify({ messages })],
    ['count-tokens -m syn:small:text --messages -', JSON.stringify(messages)],
  ])('syn %s is connected before the input comes', async (line, input = 'hello') => {
    await using server = await startWatchedServer()
    const connected = server.next()
    const { end, ended } = start([...line.split(' '), '--retries', '0'], server.env)
    await connected
    end(input)
    expect(await ended).toMatchObject({ code: 0, err: '' })
    expect(server.connections).toHaveLength(1)
  })

  test('a stored account', async () => {
    await using server = await startWatchedServer()
    const { SYN_BASE_URL, SYN_API_KEY } = server.env
    const home = homeWithProfile({ 'base-url': SYN_BASE_URL, 'api-key': SYN_API_KEY })
    const connected = server.next()
    const { end, ended } = start(chat, { SYN_API_KEY: '', SYN_BASE_URL: '', HOME: home })
    await connected
    end('hello')
    expect(await ended).toMatchObject({ code: 0, err: '' })
  })
})

describe('no connection', () => {
  test.each([
    [['--dry-run'], 0],
    [['--body', '-', '--temperature', '9'], 2],
    [['-f', 'missing'], 2],
    [['--no-stdin'], 2],
  ])('for chat with %j', async (argv, code) => {
    await using server = await startWatchedServer()
    expect(await endWithoutConnection(['chat', ...argv], server.env)).toMatchObject({ code })
    expect(server.connections).toEqual([])
  })

  test.each([
    [
      'a key that is stored for another URL',
      { 'base-url': 'https://api.example.com', 'api-key': storedKey },
      /refusing/,
    ],
    ['no key', {}, /no API key/],
  ])('with %s', async (_what, profile, message) => {
    await using server = await startWatchedServer()
    const env = { ...server.env, SYN_API_KEY: '', HOME: homeWithProfile(profile) }
    const { code, err } = await endWithoutConnection(chat, env)
    expect(code).toBe(3)
    expect(err).toMatch(message)
    expect(server.connections).toEqual([])
  })

  test('but that of the proxy', async () => {
    // The sandbox would not do: it answers to the names of this machine only.
    await using service = await startService(events(chatAnswer(['Hi'])))
    await using tunnel = await startTunnel(service)
    const env = { ...service.env, SYN_BASE_URL: 'http://api.example', HTTP_PROXY: tunnel.url }
    expect(await endWithoutConnection([...chat, '-m', 'hf:x', '--allow-http'], env)).toMatchObject({ code: 0, err: '' })
    expect({ tunnels: tunnel.heads.length, requests: service.asked.length }).toEqual({ tunnels: 1, requests: 1 })
  })
})

describe('a connection that dies before the input comes is replaced without a word', () => {
  const timeout = 'HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n'
  test.each<[string, boolean, (socket: Socket) => Promise<unknown>]>([
    ['closed', true, (socket) => once(socket.end(), 'close')],
    ['reset', false, (socket) => once(socket.resetAndDestroy(), 'close')],
    ['ended with a reply', false, (socket) => once(socket.end(timeout), 'finish')],
  ])('%s, over TLS: %s', async (_what, isSecure, endSocket) => {
    await using server = await startWatchedServer({ isSecure, take: (_socket, number) => number === 0 })
    const connected = server.next()
    const { end, ended } = start(chat, server.env)
    const first = await connected
    await endSocket(first.resume())
    end('hello')
    expect(await ended).toMatchObject({ code: 0, err: '' })
    expect(server.connections).toHaveLength(2)
  })
})

describe('a connection that closes when the request comes', () => {
  /** Opens the connection, sends the request, and counts the connections. */
  async function runWith(take: (socket: Socket, number: number) => boolean): Promise<[number, Outcome]> {
    await using server = await startWatchedServer({ take })
    const connected = server.next()
    const { end, ended } = start(chat, server.env)
    await connected
    end('hello')
    const outcome = await ended
    return [server.connections.length, outcome]
  }
  const hangUp = (socket: Socket): void => void socket.once('data', () => socket.destroy())

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
    const { end, ended } = start(chat, server.env)
    const first = await connected
    await once(first.resume().end(), 'close')
    end('hello')
    expect(await ended).toMatchObject({ code: 6 })
    expect(server.connections).toHaveLength(2)
  })

  test('and not when the service has had time to work on the request', async () => {
    const now = performance.now.bind(performance)
    let passed = 0
    using _clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + passed)
    const [connections, outcome] = await runWith((socket) => {
      socket.once('data', () => {
        passed = 1500
        socket.destroy()
      })
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

describe('a handshake that is never answered is given up', () => {
  test('at Ctrl-C during a body', async () => {
    // A server that speaks no TLS waits for the rest of a request.
    await using server = await startWatchedServer({ isSecure: false, take: () => true })
    const stopping = new AbortController()
    const { ended } = runWithDelayedInput([...chat, '--body', '-'], {
      env: { ...server.env, SYN_BASE_URL: `https://127.0.0.1:${server.port}` },
      signal: stopping.signal,
    })
    const socket = await server.next()
    const closed = once(socket, 'close')
    await once(socket, 'data')
    stopping.abort(new InterruptedError(2))
    expect(await ended).toMatchObject({ code: 130 })
    await closed
  })
})

/**
 * Runs a command that reads its input without a connection. The input comes when another run, which is started once this one
 * reads, has connected: by then, this one would have.
 */
async function endWithoutConnection(argv: string[], env: Record<string, string>): Promise<Outcome> {
  const { isAwaited, end, ended } = runWithDelayedInput(argv, { env })
  await Promise.race([isAwaited, ended])
  await using server = await startWatchedServer()
  const connected = server.next()
  const other = runWithDelayedInput(['chat', '--retries', '0'], { env: server.env })
  await connected
  end('{"messages":[{"role":"user","content":"hello"}]}')
  other.end('hello')
  expect(await other.ended).toMatchObject({ code: 0, err: '' })
  return ended
}
