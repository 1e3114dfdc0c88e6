/** However a connection ends while its reader is slow, all that had arrived is read, and nothing is thrown outside. */

import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { chat } from '../../src/api/chat/operation.ts'
import { testClient } from '../helpers/client.ts'
import { chatAnswer, startService } from '../helpers/service.ts'

/** Eight events of 1,800 characters, as one read brings them. */
const events = 8
const [, one = ''] = chatAnswer(['x'.repeat(1800)]).split(/(?<=\n\n)/)
const piece = one.repeat(events)
const end = chatAnswer([])
  .split(/(?<=\n\n)/)
  .slice(1)
  .join('')

/** Lets all that is on its way arrive. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

type End = readonly [how: string, begin: (response: ServerResponse, length: number) => void, isBroken?: boolean]

const ends: readonly End[] = [
  ['with the connection', (response) => (response.useChunkedEncodingByDefault = false)],
  [
    'with its length, and the connection',
    (response, length) => response.writeHead(200, { 'content-length': length, connection: 'close' }),
  ],
  ['with the connection, in chunks', (response) => response.writeHead(200, { connection: 'close' })],
  ['in chunks', () => undefined],
  ['with a reset', () => undefined, true],
]

// With 5 pieces, the last one is more than is received ahead; with 10 and 13, the reader falls behind again.
const cases = [5, 10, 13].flatMap((pieces) => ends.map((one): [number, ...End] => [pieces, ...one]))

test.each(cases)('%i pieces, a reply that ends %s', async (pieces, _how, begin, isBroken = false) => {
  let hasSent: () => void
  const sent = new Promise<void>((resolve) => (hasSent = resolve))
  await using service = await startService(async (_asked, response) => {
    response.setHeader('content-type', 'text/event-stream')
    begin(response, piece.length * pieces + end.length)
    for (let at = 1; at < pieces; at++) {
      response.write(piece)
      await turns()
    }
    if (isBroken) response.write(piece, () => response.socket?.resetAndDestroy())
    else response.end(piece + end)
    await turns()
    hasSent()
  })
  const client = testClient(service)
  let length = 0
  const read = async (): Promise<void> => {
    for await (const deltas of client.stream(chat, { model: 'hf:a', messages: [], stream: true })) {
      for (const delta of deltas) if (delta.type === 'text') length += delta.text.length
      await sent
      await turns()
    }
  }
  const problem = await read().then(
    () => undefined,
    (error: Error) => error.name,
  )
  expect({ problem, length }).toEqual({
    problem: isBroken ? 'CutShortError' : undefined,
    length: pieces * events * 1800,
  })
  await client.close()
})

test('a connection is used again after a slow reader', async () => {
  let connections = 0
  const ports = new Set<number | undefined>()
  await using service = await startService(async (_asked, response) => {
    connections++
    ports.add(response.socket?.remotePort)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let sent = 0; sent < 6; sent++) response.write(piece)
    await turns()
    response.end(end)
  })
  const client = testClient(service)
  for (let request = 0; request < 3; request++) {
    for await (const _deltas of client.stream(chat, { model: 'hf:a', messages: [], stream: true })) await turns()
  }
  expect({ connections, ports: ports.size }).toEqual({ connections: 3, ports: 1 })
  await client.close()
})
