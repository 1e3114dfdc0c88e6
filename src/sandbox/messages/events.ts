/** The messages stream (section 4, note 6). */

import type { JsonObject } from '../../io/json.ts'
import type { ServerEvent } from '../event-stream.ts'
import { blocksOf, ending, messageHead, type MadeBlock, type MessageReply } from './whole.ts'

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
