/** A connection that was idle for too long by the wall clock, as after a suspend, is not used again. */

import { expect, onTestFinished, test, vi } from 'vitest'
import { Connection } from '../../src/api/connection.ts'
import { yieldToEventLoop } from '../../src/io/time/abort-signal.ts'
import { startWatchedServer } from '../helpers/watched-server.ts'

type Use = (connection: Connection, url: URL, server: Awaited<ReturnType<typeof startWatchedServer>>) => Promise<void>

async function connectionsAfter(idle: number, use: Use): Promise<number> {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  await using server = await startWatchedServer({ isSecure: false })
  const url = new URL(`${server.env.SYN_BASE_URL}/openai/v1/models`)
  const connection = new Connection({}, { firstByteTimeout: 0, idleTimeout: 0 })
  await use(connection, url, server)
  vi.setSystemTime(Date.now() + idle)
  await read(connection, url)
  await connection.close()
  return server.connections.length
}

async function read(connection: Connection, url: URL): Promise<void> {
  const { body } = await connection.send({ method: 'GET', url, headers: {} }, new AbortController().signal)
  for await (const _chunk of body);
  // undici frees the connection then.
  await yieldToEventLoop()
}

test.each([
  [14_000, 1],
  [16_000, 2],
])('%i ms after a request, a second one has opened %i connections', async (idle, count) => {
  expect(await connectionsAfter(idle, read)).toBe(count)
})

test('nor is one that was opened ahead', async () => {
  const preconnect: Use = async (connection, url, server) => {
    const opened = server.next()
    await connection.preconnect(url)
    await opened
  }
  expect(await connectionsAfter(16_000, preconnect)).toBe(2)
})
