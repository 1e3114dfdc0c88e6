/** However a connection ends while its reader is slow, all that had arrived is read, and nothing is thrown outside. */

import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { chat } from '../../src/api/chat/operation.ts'
import { Connection } from '../../src/api/connection.ts'
import { type Framing, isData, wire } from '../faults/wire.ts'
import { testClient } from '../helpers/client.ts'
import { chatAnswer } from '../helpers/service.ts'

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

interface SlowReader extends AsyncDisposable {
  readonly baseUrl: string
  /** Until all of the first reply is sent. */
  readonly sent: Promise<void>
  /** Asks, and stands still after the first read until all is sent. @returns how many characters arrived, and the error. */
  ask(): Promise<{ length: number; problem: string | undefined }>
}

/** @param pieces Sent one after the other, so that each is a read of its own. */
async function slowReader(
  pieces: readonly (string | Uint8Array)[],
  close: (socket: Socket) => void,
): Promise<SlowReader> {
  let hasSent = (): void => undefined
  const nextSent = (): Promise<void> => new Promise((resolve) => (hasSent = resolve))
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', () => void send(socket))
  })
  const send = async (socket: Socket): Promise<void> => {
    for (const one of pieces) {
      socket.write(one)
      await turns()
    }
    close(socket)
    await turns()
    hasSent()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = testClient({ baseUrl })
  return {
    baseUrl,
    sent: nextSent(),
    ask: async () => {
      const sent = nextSent()
      let length = 0
      try {
        for await (const deltas of client.stream(chat, { model: 'hf:a', messages: [], stream: true })) {
          for (const delta of deltas) if (delta.type === 'text') length += delta.text.length
          await sent
          await turns()
        }
      } catch (error) {
        return { length, problem: (error as Error).name }
      }
      return { length, problem: undefined }
    },
    [Symbol.asyncDispose]: async () => {
      await client.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A reply of this many pieces, the last of which has the end, too. */
function reply(count: number, framing: Framing, isWhole = true): (string | Uint8Array)[] {
  const body = Array.from({ length: count }, (_, at) => (isWhole && at === count - 1 ? piece + end : piece))
  const [head = '', ...rest] = wire({ headers: { 'content-type': 'text/event-stream' }, body, framing }).filter(isData)
  const last = framing === 'chunked' ? Buffer.concat(rest.splice(-2).map((step) => Buffer.from(step))) : undefined
  return [head, ...rest, ...(last && isWhole ? [last] : [])]
}

// With 6 pieces, the last one is more than is received ahead of the reader; with 10, more pieces follow that one.
const counts = [6, 10]
const framings = ['length', 'chunked', 'close'] as const

test.each(framings)('10 pieces, and the connection is closed: %s', async (framing) => {
  await using reader = await slowReader(reply(10, framing), (socket) => socket.end())
  expect(await reader.ask()).toEqual({ length: 10 * events * 1800, problem: undefined })
})

test.each(counts)('%i pieces, and the connection is reset', async (count) => {
  await using reader = await slowReader(reply(count, 'close', false), (socket) => socket.resetAndDestroy())
  expect(await reader.ask()).toEqual({ length: count * events * 1800, problem: 'NetworkError' })
})

// Without the client, which takes an answer for complete once it has the reason why it ended.
test.each<[count: number, framing: Framing]>([
  [6, 'length'],
  [10, 'chunked'],
])('%i pieces, and the connection is reset after the end of the reply: %s', async (count, framing) => {
  await using reader = await slowReader(reply(count, framing), (socket) => socket.resetAndDestroy())
  const connection = new Connection({}, { firstByteTimeout: 0, idleTimeout: 0 })
  const request = { method: 'POST', url: new URL(reader.baseUrl), headers: {} } as const
  const response = await connection.send(request, new AbortController().signal)
  let length = 0
  for await (const bytes of response.body) {
    length += bytes.length
    await reader.sent
    await turns()
  }
  expect(length).toBe(count * piece.length + end.length)
  await connection.close()
})
