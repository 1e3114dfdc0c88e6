/** The messages response (section 2.4) and its stream (section 4, note 6). */

import { createHash } from 'node:crypto'
import type { JsonObject } from '../../io/json.ts'
import type { ServerEvent } from '../event-stream.ts'
import type { MadeAnswer } from '../generate/answer.ts'

export interface MessageReply {
  readonly id: string
  readonly model: string
  readonly answer: MadeAnswer
  readonly inputTokens: number
  readonly outputTokens: number
}

/** A content block, and the tokens its text arrived in. */
interface MadeBlock {
  readonly type: 'thinking' | 'text' | 'tool_use'
  readonly tokens: readonly string[]
  readonly whole: JsonObject
}

export function wholeMessage(reply: MessageReply): JsonObject {
  return {
    ...messageHead(reply),
    content: blocksOf(reply.answer).map((block) => block.whole),
    ...ending(reply.answer),
    usage: { input_tokens: reply.inputTokens, output_tokens: reply.outputTokens },
  }
}

function messageHead({ id, model }: MessageReply): JsonObject {
  return { id, type: 'message', role: 'assistant', model }
}

function ending({ finish, stoppedAt }: MadeAnswer): { stop_reason: string; stop_sequence: string | null } {
  const reasons = {
    stop: stoppedAt === undefined ? 'end_turn' : 'stop_sequence',
    length: 'max_tokens',
    tool_calls: 'tool_use',
  }
  return { stop_reason: reasons[finish], stop_sequence: stoppedAt ?? null }
}

function blocksOf({ reasoning, text, calls }: MadeAnswer): MadeBlock[] {
  const blocks: MadeBlock[] = []
  if (reasoning.length > 0) {
    const thinking = reasoning.join('')
    const whole = { type: 'thinking', thinking, signature: signatureOf(thinking) }
    blocks.push({ type: 'thinking', tokens: reasoning, whole })
  }
  if (text.length > 0) blocks.push({ type: 'text', tokens: text, whole: { type: 'text', text: text.join('') } })
  for (const { id, name, arguments: tokens } of calls) {
    blocks.push({ type: 'tool_use', tokens, whole: { type: 'tool_use', id, name, input: parseInput(tokens.join('')) } })
  }
  return blocks
}

/** Arguments that the limit cut short are no JSON; a whole answer can then show no input. */
function parseInput(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject
  } catch {
    return {}
  }
}

/** What a client has to send back unchanged with a thinking block; here it seals nothing. */
function signatureOf(thinking: string): string {
  return createHash('sha256').update(`sandbox ${thinking}`).digest('base64')
}

const deltas: Record<MadeBlock['type'], (token: string) => JsonObject> = {
  thinking: (thinking) => ({ type: 'thinking_delta', thinking }),
  text: (text) => ({ type: 'text_delta', text }),
  tool_use: (json) => ({ type: 'input_json_delta', partial_json: json }),
}

export function* messageEvents(reply: MessageReply): Generator<ServerEvent> {
  const { answer, inputTokens, outputTokens } = reply
  const usage = { input_tokens: inputTokens, output_tokens: 0 }
  const message = { ...messageHead(reply), content: [], stop_reason: null, stop_sequence: null, usage }
  yield event('message_start', { message })
  for (const [index, block] of blocksOf(answer).entries()) {
    yield event('content_block_start', { index, content_block: opening(block) })
    if (index === 0) yield event('ping', {})
    for (const token of block.tokens) {
      yield { ...event('content_block_delta', { index, delta: deltas[block.type](token) }), isToken: true }
    }
    const { signature } = block.whole
    if (signature !== undefined) {
      yield event('content_block_delta', { index, delta: { type: 'signature_delta', signature } })
    }
    yield event('content_block_stop', { index })
  }
  // These counts are totals, not what has come since message_start.
  const totals = { input_tokens: inputTokens, output_tokens: outputTokens }
  yield event('message_delta', { delta: ending(answer), usage: totals })
  yield event('message_stop', {})
}

function opening({ type, whole }: MadeBlock): JsonObject {
  if (type === 'thinking') return { type, thinking: '', signature: '' }
  return type === 'text' ? { type, text: '' } : { ...whole, input: {} }
}

function event(type: string, data: JsonObject): ServerEvent {
  return { name: type, data: { type, ...data } }
}
