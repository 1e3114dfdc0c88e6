/** The connection is opened while the input is read, or typed. What shows it is the order of events, not time. */

import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { environment, startSyn } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { synOnTerminal } from '../helpers/terminal.ts'
import { startWatchedServer } from '../helpers/watched-server.ts'

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

describe('the exit is not delayed', () => {
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
    const { child, ended } = startSyn(['chat', '--retries', '0'], { ...environment(), ...env }, [
      'pipe',
      'pipe',
      'pipe',
    ])
    await asked
    child.stdin?.end()
    expect(await ended).toMatchObject({ code: 2, err: expect.stringMatching(/^syn: no prompt/) as string })
    server.close()
  })
})

describe('in the chat', () => {
  test('the first key of a message connects, a slash command does not', async () => {
    await using server = await startWatchedServer({ isSecure: false })
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
    // Two slashes begin a message.
    screen.type('//h')
    await connected
    screen.type('ello\r')
    await screen.until((lines) => lines.some((line) => /^›  ?\/?\/hello$/.test(line)) && lines.at(-1) === '›')
    expect(server.connections).toHaveLength(1)
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
  })

  test('one that the service closes while the user types is replaced', async () => {
    await using server = await startWatchedServer({ isSecure: false, take: (_socket, number) => number === 0 })
    const screen = synOnTerminal(['chat', '-q', '--retries', '0'], { ...environment(), ...server.env })
    await screen.until((lines) => lines.at(-1) === '›')
    const connected = server.next()
    screen.type('h')
    const first = await connected
    const closed = once(first.resume(), 'close')
    first.end()
    await closed
    // A further key opens no other connection.
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
})
