/** The peak memory of an answer that is printed and not kept does not grow with its length. */

import { expect, test } from 'vitest'
import { environment, node, program, start } from '../helpers/program.ts'
import { startService, type Answer } from '../helpers/service.ts'

const few = 200_000
const many = 5 * few
const perWrite = 1000

function event(json: object): string {
  return `data: ${JSON.stringify(json)}\n\n`
}

interface Reply {
  readonly start?: string
  /** Its name and model are those of real services, so that its size is. */
  readonly event: string
  readonly end: string
}

const head = { id: 'chatcmpl-123', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'hf:org/model' }

function chatEvent(delta: object, reason: string | null = null): string {
  return event({ ...head, choices: [{ index: 0, delta, finish_reason: reason }] })
}

const chatEnd = `${chatEvent({}, 'stop')}data: [DONE]\n\n`
const text: Reply = { event: chatEvent({ content: ' word123' }), end: chatEnd }
const reasoning: Reply = { event: chatEvent({ reasoning_content: ' word123' }), end: chatEnd }
const thinking: Reply = {
  start: event({ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } }),
  event: event({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: ' word123' } }),
  end: event({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }) + event({ type: 'message_stop' }),
}

function stream({ start = '', event, end }: Reply, count: number): Answer {
  return async (_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(start)
    const block = event.repeat(perWrite)
    for (let sent = 0; sent < count; sent += perWrite) {
      if (!response.write(block)) await new Promise((resolve) => response.once('drain', resolve))
    }
    response.end(end)
  }
}

const reportPeak = `process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS))`

/** In KiB. */
async function peakOf(argv: readonly string[], reply: Reply, count: number): Promise<number> {
  await using service = await startService(stream(reply, count))
  const env = { ...environment(service), SYN_MODEL: 'hf:org/model' }
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(reportPeak)}`]
  const { code, err } = await start(node, [...flags, program, ...argv], env).ended
  expect(code).toBe(0)
  return Number(/peak (\d+)$/.exec(err)?.[1])
}

test.each<[string, string[], Reply]>([
  ['a chat', ['chat', 'hi'], text],
  ['a chat with reasoning', ['chat', 'hi', '--reasoning'], reasoning],
  ['a message with thinking', ['messages', 'hi'], thinking],
])('%s', async (_what, argv, reply) => {
  const peak = await peakOf(argv, reply, few)
  // Less than 100 bytes kept of each event would double it; when garbage is collected depends on how busy the machine is.
  expect(await peakOf(argv, reply, many)).toBeLessThan(2 * peak)
})
