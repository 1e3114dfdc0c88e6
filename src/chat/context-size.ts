/** How much of the model's context window the conversation takes, and a warning before a message that nearly fills it. */

import { charactersPerToken } from '../answer/usage-text.ts'
import { contextLengthOf } from '../api/models.ts'
import { branchMessages, type Conversation } from '../conversation/conversation.ts'
import { chatMessageText } from '../conversation/message.ts'
import type { Json } from '../io/json/json.ts'
import { decodeUsage } from '../stream/delta.ts'
import { currentModelName, modelList } from './answer.ts'
import type { ChatState } from './state.ts'

/** Fewer tokens fit every model; the model list is not requested for them. */
const smallestContext = 4000

/** A fraction of the context window; the answer needs the rest. */
const nearlyFull = 0.9

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

/** @returns `undefined` if the message fits, or if the size of the context window is unknown. */
export async function contextWarning(text: string, chat: ChatState): Promise<string | undefined> {
  const added = Math.ceil(text.length / charactersPerToken)
  const tokens = contextSize(chat.session.conversation).tokens + added
  if (tokens < smallestContext) return undefined
  const model = await currentModelName(chat)
  const length = contextLengthOf(await modelList(chat), model)
  if (length === undefined || tokens < length * nearlyFull) return undefined
  return (
    `with this message, the conversation has about ${tokens} tokens; the context window of ${model} has ${length}\n` +
    'press Enter to send it anyway, or ' +
    (added >= length * nearlyFull
      ? 'shorten it: it is too long alone'
      : 'clear the line (Ctrl-C; Up restores it) and use /compact, /undo or /new')
  )
}
