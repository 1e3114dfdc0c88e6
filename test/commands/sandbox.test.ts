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
])('%j is refused', async (words, message) => {
  const { code, err } = await runSyn(['sandbox', ...words])
  expect(code).toBe(2)
  expect(err).toContain(message)
})
