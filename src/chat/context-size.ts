/** How much of the model's context window the conversation takes. */

import { charactersPerToken } from '../answer/meter.ts'
import { branchMessages, type Conversation } from '../conversation/conversation.ts'
import { messageText } from '../conversation/message.ts'
import { decodeUsage } from '../stream/delta.ts'

export interface ContextSize {
  readonly tokens: number
  /** Whether a part of it was not counted by the service. */
  readonly isEstimate: boolean
}

/** The prompt and completion tokens of the last answer that has them, and an estimate of what follows it. */
export function contextSize(conversation: Conversation): ContextSize {
  const path = conversation.answeredPath()
  const counts = path.map((node) => (node.type === 'answer' ? decodeUsage(node.usage) : undefined))
  const last = counts.findLastIndex((usage) => usage !== undefined)
  const { promptTokens = 0, completionTokens = 0 } = counts[last] ?? {}
  const messages = branchMessages(path.slice(last + 1))
  const length = messages.reduce((sum: number, message) => sum + messageText(message).length, 0)
  const tokens = promptTokens + completionTokens + Math.ceil(length / charactersPerToken)
  return { tokens, isEstimate: messages.length > 0 }
}
