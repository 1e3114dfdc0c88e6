/** A conversation as the messages of a chat request (section 2.1), out of which any family makes its own. */

import type { Json, JsonObject } from '../io/json.ts'
import type { Node } from './conversation.ts'
import { roleOf, textOf } from './message-text.ts'

/**
 * The instruction in force comes first. Reasoning stays behind, but for the blocks of thinking that led to calls of tools.
 * @param said What follows.
 * @param system The instruction from here on, in place of the one before.
 */
export function messagesOf(path: readonly Node[], said: readonly Json[] = [], system = systemOf(path)): Json[] {
  const messages = path.flatMap((node, index) => {
    if (node.kind === 'turn') return [...node.messages]
    const next = path[index + 1]
    return answerMessages(node.message, next?.kind === 'turn' ? next.messages : said)
  })
  return [...(system ? [{ role: 'system', content: system }] : []), ...messages, ...said]
}

/** The instruction in force; empty where it was taken back. */
export function systemOf(path: readonly Node[]): string | undefined {
  return path.flatMap((node) => (node.kind === 'turn' && node.system !== undefined ? [node.system] : [])).at(-1)
}

/** Calls that what follows does not answer are left out: services refuse them. An answer of nothing else goes as well. */
function answerMessages(message: JsonObject, next: readonly Json[]): Json[] {
  const content = textOf(message)
  const areCallsAnswered = next.length === 0 || roleOf(next[0] ?? null) === 'tool'
  if (message.tool_calls !== undefined && areCallsAnswered) {
    const { thinking_blocks: thinking, tool_calls: calls } = message
    return [
      { role: 'assistant', content, ...(thinking !== undefined && { thinking_blocks: thinking }), tool_calls: calls },
    ]
  }
  return content === '' ? [] : [{ role: 'assistant', content }]
}
