/** A slow reader slows the service down: nothing is buffered without limit. */

import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { chat } from '../../src/api/chat/operation.ts'
import { testClient } from '../helpers/client.ts'
import { chatAnswer, startService } from '../helpers/service.ts'

const text = 'x'.repeat(64 * 1024)
const [, piece = ''] = chatAnswer([text]).split(/(?<=\n\n)/)
const count = 450

test('a reader that pauses holds the service back', async () => {
  let response: ServerResponse | undefined
  let written = 0
  await using service = await startService(async (_asked, given) => {
    response = given
    given.writeHead(200, { 'content-type': 'text/event-stream' })
    for (; written < count; written++) {
      if (!given.write(piece)) await new Promise((resolve) => given.once('drain', resolve))
    }
    given.end('data: [DONE]\n\n')
  })
  const client = testClient(service)
  let [length, isFirst] = [0, true]
  for await (const deltas of client.stream(chat, { model: 'hf:a', messages: [], stream: true })) {
    for (const delta of deltas) if (delta.type === 'text') length += delta.text.length
    if (!isFirst) continue
    isFirst = false
    await untilStill(() => written)
    // Only what fits into the sockets' buffers has been sent.
    expect(written).toBeLessThan(count / 2)
    expect(response?.writableNeedDrain).toBe(true)
  }
  expect({ written, length }).toEqual({ written: count, length: count * text.length })
  await client.close()
})

/** Waits until a number has stayed the same for many turns of the event loop. */
async function untilStill(number: () => number): Promise<void> {
  let [before, turns] = [number(), 0]
  while (turns < 500) {
    await new Promise((resolve) => setImmediate(resolve))
    turns = number() === before ? turns + 1 : 0
    before = number()
  }
}
