/** Proxies from the environment: which one a request goes through, and what it sees. */

import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { proxyFor } from '../../src/api/proxy.ts'
import { UsageError } from '../../src/errors.ts'
import { runSyn, type Outcome } from '../helpers/run-syn.ts'
import { chatAnswer, events, startService, testKey } from '../helpers/service.ts'
import { startTunnel } from '../helpers/tunnel.ts'

const p = 'http://proxy:3128'

describe('the proxy for a URL', () => {
  test.each<[target: string, env: Record<string, string>, proxy: string | undefined]>([
    ['https://api.example', { HTTPS_PROXY: p }, p],
    ['https://api.example', { https_proxy: p, HTTPS_PROXY: 'http://other' }, p],
    ['https://api.example', { HTTP_PROXY: p }, undefined],
    ['https://api.example', { ALL_PROXY: p }, p],
    ['https://api.example', { all_proxy: 'http://other', HTTPS_PROXY: p }, p],
    ['https://api.example', { HTTPS_PROXY: p, NO_PROXY: '*' }, undefined],
    ['https://api.example', { HTTPS_PROXY: p, NO_PROXY: 'a, .Example' }, undefined],
    ['https://api.example', { HTTPS_PROXY: p, NO_PROXY: 'api.example:80' }, p],
    ['https://api.example', { HTTPS_PROXY: p, NO_PROXY: 'xample,pi.example,other' }, p],
    ['http://[fd00::1]:8080', { HTTP_PROXY: p, NO_PROXY: '[fd00::1]:8080,10.1.2.3:80' }, undefined],
    ['http://10.1.2.3:8080', { HTTP_PROXY: p, NO_PROXY: '[fd00::1]:8080,10.1.2.3:80' }, p],
    ['http://[fd00::1]', { HTTP_PROXY: p, NO_PROXY: 'fd00:0:0::/8' }, undefined],
    ['http://[fd00::1]', { HTTP_PROXY: p, NO_PROXY: 'fe00::/8,fd00::/129,0.0.0.0/0' }, p],
    ['http://10.1.2.3', { HTTP_PROXY: p, NO_PROXY: '::/0,::ffff:10.1.2.3' }, p],
    ['http://10.1.2.3', { HTTP_PROXY: p, NO_PROXY: '0.0.0.0/0' }, undefined],
    ['http://127.0.0.1:80', { HTTP_PROXY: p, ALL_PROXY: p }, undefined],
    ['http://sandbox.localhost', { HTTP_PROXY: p }, undefined],
    ['https://[::ffff:127.0.0.1]', { HTTPS_PROXY: p }, undefined],
    ['http://127.0.0.1.example', { HTTP_PROXY: p }, p],
  ])('%s with %j: %s', (target, env, proxy) => {
    expect(proxyFor(new URL(target), env)?.href).toBe(proxy && new URL(proxy).href)
  })

  test.each(['socks5://proxy:1080', 'http://', 'proxy:99999', 'http://us%er:pw@proxy'])(
    '%j is not a proxy URL',
    (address) => {
      const ask = (): unknown => proxyFor(new URL('https://api.example'), { HTTPS_PROXY: address })
      expect(ask).toThrow(UsageError)
      expect(ask).toThrow('HTTPS_PROXY: not a proxy URL; expected http://HOST:PORT or https://HOST:PORT')
    },
  )
})

const host = 'inference.example:8080'

interface Proxied extends Outcome {
  requests: number
  heads: string[]
}

/** Sends a request to a service that only a proxy can reach, unless `baseUrl` is given. */
async function runThrough(env: (proxy: string) => Record<string, string>, status?: number): Promise<Proxied> {
  await using service = await startService(events(chatAnswer(['Hi'])))
  await using tunnel = await startTunnel(service, status)
  const outcome = await runSyn(['chat', 'hi', '--allow-http', '--retries', '0'], {
    env: { ...service.env, SYN_BASE_URL: `http://${host}`, ...env(tunnel.url) },
  })
  return { ...outcome, requests: service.asked.length, heads: tunnel.heads }
}

test('it gets a CONNECT request, and never sees the key', async () => {
  const { heads, ...outcome } = await runThrough((proxy) => ({ HTTP_PROXY: proxy }))
  expect(outcome).toEqual({ code: 0, out: 'Hi\n', err: '', requests: 1 })
  expect(heads).toHaveLength(1)
  expect(heads[0]).toMatch(new RegExp(`^CONNECT ${host}\n`))
  expect(heads[0]).not.toContain(testKey)
  expect(heads[0]).not.toMatch(/\nauthorization\n/i)
})

test("the proxy's own name and password go to the proxy alone", async () => {
  const { heads, ...outcome } = await runThrough((proxy) => ({ HTTP_PROXY: proxy.replace('//', '//me:secret@') }))
  expect(outcome).toMatchObject({ code: 0, out: 'Hi\n' })
  expect(heads[0]?.toLowerCase()).toContain(`\nproxy-authorization\nbasic ${btoa('me:secret').toLowerCase()}`)
})

test('a status of the proxy is reported as such', async () => {
  const status = 407
  const { code, err, requests } = await runThrough(
    (proxy) => ({ HTTP_PROXY: proxy.replace('//', '//me:secret@') }),
    status,
  )
  expect({ code, requests }).toEqual({ code: 6, requests: 0 })
  expect(err).toMatch(
    new RegExp(
      `^syn: http://${host} through the proxy 127\\.0\\.0\\.1:\\d+: the proxy returned ${status} .+\n` +
        'hint: check the proxy: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY\n$',
    ),
  )
})

test('a proxy that closes the connection gets one request', async () => {
  let asked = 0
  const proxy = createServer((socket) => {
    asked++
    socket.on('error', () => undefined).once('data', () => socket.end())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  const { code, err } = await runThrough(() => ({ HTTP_PROXY: `http://127.0.0.1:${port}` }))
  proxy.close()
  expect({ code, asked }).toEqual({ code: 6, asked: 1 })
  expect(err).toBe(`syn: http://${host} through the proxy 127.0.0.1:${port}: connection reset\n`)
})

test('loopback is never proxied', async () => {
  await using service = await startService(events(chatAnswer(['Hi'])))
  await using tunnel = await startTunnel(service)
  const proxies = { HTTP_PROXY: tunnel.url, http_proxy: tunnel.url, ALL_PROXY: tunnel.url }
  const outcome = await runSyn(['chat', 'hi'], { env: { ...service.env, ...proxies } })
  expect(outcome).toEqual({ code: 0, out: 'Hi\n', err: '' })
  expect({ heads: tunnel.heads, requests: service.asked.length }).toEqual({ heads: [], requests: 1 })
})

test('a proxy that is silent after it has accepted: the handshake ends with the run', async () => {
  const sockets = new Set<Socket>()
  const closed: Promise<unknown>[] = []
  const proxy = createServer((socket) => {
    sockets.add(socket)
    closed.push(once(socket, 'close'))
    socket.on('error', () => undefined).once('data', () => socket.write('HTTP/1.1 200 Connected\r\n\r\n'))
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const env = {
    SYN_API_KEY: testKey,
    SYN_BASE_URL: 'https://inference.example',
    HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  }
  const { code } = await runSyn(['chat', 'hi', '--retries', '0', '--timeout', '0.3'], { env })
  await Promise.all(closed)
  proxy.close()
  expect({ code, connections: sockets.size }).toEqual({ code: 6, connections: 1 })
})
