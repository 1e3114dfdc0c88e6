/** Warns before a message is sent that nearly fills the context of the model. */

import { contextLengthOf } from '../api/models.ts'
import { messagesOf } from '../conversation/conversation.ts'
import { messageText } from '../conversation/message.ts'
import { currentModelName } from './answer.ts'
import type { ChatState } from './state.ts'

/** Fewer tokens fit every model, so that the list of models isn't needed. */
const smallestContext = 4000

/** Part of the context; the rest is for the answer. */
const nearlyFull = 0.9

/** A rough estimate. */
const charactersPerToken = 4

/** @returns nothing if the message fits, or if the length of the context is unknown. */
export async function contextWarning(text: string, chat: ChatState): Promise<string | undefined> {
  const tokens = (chat.usageTotals.contextTokens || estimatedTokens(chat)) + Math.ceil(text.length / charactersPerToken)
  if (tokens < smallestContext) return undefined
  const model = await currentModelName(chat)
  const length = contextLengthOf(await chat.context.catalog.modelsIfAvailable(), model)
  if (length === undefined || tokens < length * nearlyFull) return undefined
  return (
    `with this message the conversation holds about ${tokens} of the ${length} tokens that ${model} can read\n` +
    'Enter sends it all the same; or clear the line (Ctrl-C; Up brings it back) for /new or /undo'
  )
}

/** For a conversation that the service has not counted as it is now: after /undo, or continued from another run. */
function estimatedTokens({ session }: ChatState): number {
  const length = messagesOf(session.path).reduce((sum: number, message) => sum + messageText(message).length, 0)
  return Math.ceil(length / charactersPerToken)
}
