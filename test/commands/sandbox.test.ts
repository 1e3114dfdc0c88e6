import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { InterruptedError } from '../../src/errors.ts'
import { runSyn } from '../helpers/run-syn.ts'

test('prints URL and key, and exits with 130 at Ctrl-C', async () => {
  const stopping = new AbortController()
  stopping.abort(new InterruptedError(2))
  const { code, out, err } = await runSyn(['sandbox'], { signal: stopping.signal })
  expect(out).toMatch(/^export SYN_BASE_URL=http:\/\/127\.0\.0\.1:\d+\nexport SYN_API_KEY=sandbox-key\n$/)
  expect(err).toMatch(/^syn: sandbox listening on http.*Ctrl-C/)
  expect(code).toBe(130)
})

/** The port of a server that was there. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('of three requests at a time, --concurrent 2 lets one wait', async () => {
  const stopping = new AbortController()
  const port = await freePort()
  const running = runSyn(['sandbox', '--port', String(port), '--latency', '300ms', '--concurrent', '2'], {
    signal: stopping.signal,
  })
  const headers = { authorization: 'Bearer sandbox-key' }
  const body = JSON.stringify({ model: 'syn:small:text', messages: [{ role: 'user', content: 'hi' }] })
  const send = async (path: string, init: RequestInit): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers, ...init })).status
  await expect.poll(() => send('/v2/quotas', {}).catch(() => 0)).toBe(200)
  const started = performance.now()
  const sent = [1, 2, 3].map(() => send('/openai/v1/chat/completions', { method: 'POST', body }))
  expect(await Promise.all(sent)).toEqual([200, 200, 200])
  expect(performance.now() - started).toBeGreaterThan(600)
  stopping.abort(new InterruptedError(2))
  expect((await running).code).toBe(130)
})

test('a port in use is an error', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { code, out, err } = await runSyn(['sandbox', '--port', String(port)])
  other.close()
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain(`port ${port}: port already in use`)
  expect(err).toContain('hint: choose another')
})

test.each([
  [['--port', '70000'], '--port: 70000'],
  [['--fail', '5'], 'syn: --fail: "5" is not accepted; expected a share such as 5% or 0.05\n'],
  [['--latency', '50-500ms'], '--latency: "50-500ms"'],
  [['--renew', '60'], '--renew: "60" is not accepted; expected a time such as 200ms, 60s or 1h'],
])('%j is refused', async (words, message) => {
  const { code, err } = await runSyn(['sandbox', ...words])
  expect(code).toBe(2)
  expect(err).toContain(message)
})
