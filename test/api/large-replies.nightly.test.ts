/** Replies with many parts of each kind: the time to show them grows with their number, not with its square, and no limit is hit. */

import { test } from 'vitest'
import { expectLinear, growthFactor } from '../helpers/growth.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { events, json, startService } from '../helpers/service.ts'

const few = 2000
const many = few * growthFactor

type Make = (count: number) => string

function chunk(choices: readonly object[]): string {
  return `data: ${JSON.stringify({ id: 'chat-1', model: 'm', choices })}\n\n`
}

/** One event for each number. */
function each(count: number, event: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => event(at)).join('')
}

const end = `${chunk([{ index: 0, delta: {}, finish_reason: 'stop' }])}data: [DONE]\n\n`

function calls(given: string, isNumbered = true): Make {
  const call = (at: number): object => ({
    ...(isNumbered && { index: at }),
    id: `call_${at}`,
    function: { name: 'f', arguments: given },
  })
  return (count) => each(count, (at) => chunk([{ index: 0, delta: { tool_calls: [call(at)] } }])) + end
}

function choices(text: string): Make {
  return (count) =>
    each(count, (index) => chunk([{ index, delta: { content: text } }])) +
    each(count, (index) => chunk([{ index, delta: {}, finish_reason: 'stop' }])) +
    'data: [DONE]\n\n'
}

/** @param most How many blocks there are; the deltas go to them in turn. */
function blocks(block: (at: number) => object, delta: object, most = Infinity): Make {
  return (count) =>
    each(count, (at) => {
      const index = at % most
      const start = at < most ? message({ type: 'content_block_start', index, content_block: block(index) }) : ''
      return start + message({ type: 'content_block_delta', index, delta })
    }) + messageEnd
}

const messageEnd =
  message({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }) + message({ type: 'message_stop' })

function message(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`
}

const textBlocks = blocks(() => ({ type: 'text', text: '' }), { type: 'text_delta', text: 'a' })
const toolBlocks = blocks((at) => ({ type: 'tool_use', id: `call_${at}`, name: 'f', input: {} }), {
  type: 'input_json_delta',
  partial_json: '{}',
})

test.each<[string, string[], Make]>([
  ['tool calls', ['chat', 'hi'], calls('{}')],
  ['tool calls without numbers', ['chat', '--json', 'hi'], calls('{}', false)],
  ['choices', ['chat', 'hi'], choices('a')],
  ['texts of a message', ['messages', 'hi'], textBlocks],
  ['tools of a message', ['messages', 'hi'], toolBlocks],
  [
    'citations of a message, as JSON',
    ['messages', '--json', 'hi'],
    blocks(() => ({ type: 'text', text: '' }), { type: 'citations_delta', citation: { type: 'page' } }, 1),
  ],
  ['empty deltas', ['chat', 'hi'], (count) => each(10 * count, () => chunk([{ index: 0, delta: {} }])) + end],
])('%s', async (_what, argv, make) => {
  const [little = '', much = ''] = [few, many].map(make)
  const show = async (reply: string): Promise<void> => {
    await using service = await startService(reply.startsWith('data:') ? events(reply) : json(reply))
    await runSyn(argv, { env: { ...service.env, SYN_MODEL: 'hf:org/model' } })
  }
  await expectLinear(
    () => show(little),
    () => show(much),
  )
})
