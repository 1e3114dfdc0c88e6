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
  [['--rate', '-1'], '--rate: -1'],
  [['--limit', '1.5'], '--limit: 1.5'],
  [['--fail', '5'], 'syn: --fail: "5" is not accepted; expected a percentage from 0% to 100%\n'],
  [['--fail', '101%'], '--fail: "101%"'],
  [
    ['--latency', '200'],
    '--latency: "200" is not accepted; expected a time such as 200ms or 1s, or a range such as 50-5',
  ],
  [['--latency', '500-50ms'], '--latency: "500-50ms"'],
  [['--latency', '1.2.3s'], '--latency: "1.2.3s"'],
  [['--renew', '60'], '--renew: "60" is not accepted; expected a time such as 60s, 5m or 1h'],
  [['--renew', '0s'], '--renew: "0s"'],
])('%j is refused', async (words, message) => {
  const { code, err } = await runSyn(['sandbox', ...words])
  expect(code).toBe(2)
  expect(err).toContain(message)
})
