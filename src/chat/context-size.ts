/** How much of the model's context window the conversation takes. */

import { charactersPerToken } from '../answer/usage-text.ts'
import { branchMessages, type Conversation } from '../conversation/conversation.ts'
import { chatMessageText } from '../conversation/message.ts'
import type { Json } from '../io/json/json.ts'
import { decodeUsage } from '../stream/delta.ts'

/**
 * The prompt and completion tokens of the last answer that has them, and an estimate of what follows it.
 * @returns `isEstimate` if a part of it was not counted by the service.
 */
export function contextSize(conversation: Conversation): { tokens: number; isEstimate: boolean } {
  const path = conversation.answeredPath()
  // The prompt of a summary had what it stands for.
  const counts = path.map((node) => (node.type === 'answer' && !node.isSummary ? decodeUsage(node.usage) : undefined))
  const last = counts.findLastIndex((usage) => usage !== undefined)
  const { promptTokens = 0, completionTokens = 0 } = counts[last] ?? {}
  const messages = branchMessages(path.slice(last + 1))
  const tokens = promptTokens + completionTokens + messageTokens(messages)
  return { tokens, isEstimate: messages.length > 0 }
}

export function messageTokens(messages: readonly Json[]): number {
  const length = messages.reduce((sum: number, message) => sum + chatMessageText(message).length, 0)
  return Math.ceil(length / charactersPerToken)
}
