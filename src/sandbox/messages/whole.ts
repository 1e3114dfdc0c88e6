/** The messages response, section 2.4. */

import { parseJsonIfValid, type JsonObject } from '../../io/json.ts'
import type { MadeAnswer } from '../generate/answer.ts'
import { signatureOf } from './request.ts'

export interface MessageReply {
  readonly id: string
  readonly model: string
  readonly answer: MadeAnswer
  readonly inputTokens: number
  readonly outputTokens: number
}

/** A content block, and the tokens its text arrived in. */
export interface MadeBlock {
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

export function messageHead({ id, model }: MessageReply): JsonObject {
  return { id, type: 'message', role: 'assistant', model }
}

export function ending({ finish, stoppedAt }: MadeAnswer): { stop_reason: string; stop_sequence: string | null } {
  const reasons = {
    stop: stoppedAt === undefined ? 'end_turn' : 'stop_sequence',
    length: 'max_tokens',
    tool_calls: 'tool_use',
  }
  return { stop_reason: reasons[finish], stop_sequence: stoppedAt ?? null }
}

export function blocksOf({ reasoning, text, calls }: MadeAnswer): MadeBlock[] {
  const blocks: MadeBlock[] = []
  if (reasoning.length > 0) {
    const thinking = reasoning.join('')
    const whole = { type: 'thinking', thinking, signature: signatureOf(thinking) }
    blocks.push({ type: 'thinking', tokens: reasoning, whole })
  }
  if (text.length > 0) blocks.push({ type: 'text', tokens: text, whole: { type: 'text', text: text.join('') } })
  for (const { id, name, arguments: tokens } of calls) {
    // Arguments that the token limit cut short are not JSON; a whole answer then has no input.
    const input = parseJsonIfValid(tokens.join(''), {})
    blocks.push({ type: 'tool_use', tokens, whole: { type: 'tool_use', id, name, input } })
  }
  return blocks
}
