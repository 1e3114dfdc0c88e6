/** Interim replies (1xx) before the reply itself, which a service or a proxy may send at any time (RFC 9110, section 15.2). */

import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ReplySocket } from '../../src/api/reply-socket.ts'
import { runSyn, type Outcome } from '../helpers/run-syn.ts'
import { samples } from '../helpers/samples.ts'
import { chatAnswer, startService, type Answer } from '../helpers/service.ts'
import { startTunnel } from '../helpers/tunnel.ts'

/** Sends these bytes as they are, in one write each, and closes the connection. */
function raw(...parts: string[]): Answer {
  return async (_asked, { socket }) => {
    for (const part of parts) await new Promise((resolve) => socket?.write(part, resolve))
    socket?.end()
  }
}

const text = chatAnswer(['Hi'])
const reply = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${text.length}\r\n\r\n${text}`
const proceed = 'HTTP/1.1 100 Continue\r\n\r\n'
const processing = 'HTTP/1.1 102 Processing\r\n\r\n'
const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n'

async function runOn(answer: Answer): Promise<Outcome & { requests: number }> {
  await using service = await startService(answer)
  return { ...(await runSyn(['chat', 'hi'], { env: service.env })), requests: service.asked.length }
}

test.each([
  ['100', raw(proceed, reply)],
  ['100 with headers', raw('HTTP/1.1 100 Continue\r\nx-a: b\r\ncontent-length: 5\r\n\r\n', reply)],
  ['100, cut anywhere', raw(...proceed, ...reply.slice(0, 40), reply.slice(40))],
])('%s is skipped', async (_what, answer) => {
  expect(await runOn(answer)).toEqual({ code: 0, out: 'Hi\n', err: '', requests: 1 })
})

test('100 through a proxy is skipped', async () => {
  await using service = await startService(raw(proceed, reply))
  await using tunnel = await startTunnel(service)
  const env = { ...service.env, SYN_BASE_URL: 'http://api.example', HTTP_PROXY: tunnel.url }
  expect(await runSyn(['chat', 'hi', '--allow-http'], { env })).toEqual({ code: 0, out: 'Hi\n', err: '' })
})

const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'

// Whether the service has handled the request is unknown then.
const switched = 'the service switched to another protocol (101)'

test.each([
  ['a switch to another protocol', raw(upgrade), switched],
  ['a switch after 100', raw(proceed, upgrade, reply), switched],
  [
    '102 with a body',
    raw(`HTTP/1.1 102 Processing\r\ncontent-length: 5\r\n\r\nhello${reply}`),
    'the reply is not HTTP',
  ],
  [
    'endless headers',
    raw(`HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(200_000)}\r\n\r\n`),
    'the headers of the reply are too large',
  ],
])('%s ends the run after one request', async (_what, answer, message) => {
  const { err, ...outcome } = await runOn(answer)
  expect(outcome).toEqual({ code: 6, out: '', requests: 1 })
  expect(err).toContain(message)
})

test('replies that are cut anywhere are passed on as uncut ones', async () => {
  const others = ['HTTP/1.1 200 OK\r\n\r\n', 'HTTP/1.1 103\r\n\r', '\n', 'HTTP/2 100', 'oops']
  const received = fc.array(fc.constantFrom(proceed, processing, hints, reply, ...others), { maxLength: 5 })
  const cuts = fc.array(fc.nat(300))
  const passedOn = async (parts: readonly string[]): Promise<string> => {
    const network = new Duplex({ read: () => undefined, write: (_chunk, _encoding, onWritten) => onWritten() })
    const socket = new ReplySocket(network as Socket)
    let text = ''
    socket.on('readable', () => {
      for (let chunk; (chunk = socket.read() as Buffer | null) !== null;) text += chunk.toString()
    })
    socket.write('GET / HTTP/1.1\r\n\r\n')
    for (const part of parts) {
      network.push(part)
      await new Promise((resolve) => setImmediate(resolve))
    }
    return text
  }
  await fc.assert(
    fc.asyncProperty(received, cuts, async (messages, places) => {
      const whole = messages.join('')
      const ends = [...new Set([...places, whole.length])].sort((a, b) => a - b)
      const parts = ends.map((end, index) => whole.slice(ends[index - 1] ?? 0, end)).filter((part) => part !== '')
      const expected = await passedOn([whole])
      expect(await passedOn(parts)).toBe(expected)
      // Nothing else is changed, and all but what may be the start of another is passed on.
      expect(whole.replaceAll(/(?<=HTTP\/1.1 10)0/g, '2')).toContain(expected.replaceAll(/(?<=HTTP\/1.1 10)0/g, '2'))
    }),
    samples(50),
  )
})
