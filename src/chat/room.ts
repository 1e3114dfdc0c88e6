/** Whether there is room in the model's context for what is about to be sent. */

import { contextLengthOf } from '../api/models.ts'
import { messagesOf } from '../conversation/conversation.ts'
import { messageText } from '../conversation/message.ts'
import { modelName } from './answer.ts'
import type { ChatState } from './state.ts'

/** A conversation of fewer tokens fits every model, and the list of models isn't asked for. */
const smallestContext = 4000

/** Of the context: an answer needs room as well. */
const nearlyFull = 0.9

/** Characters of a token, in round numbers. */
const tokenLength = 4

/** @returns what is to be said before it is sent; nothing when there is room, or nobody knows. */
export async function lackOfRoom(text: string, chat: ChatState): Promise<string | undefined> {
  const tokens = (chat.tally.held || estimated(chat)) + Math.ceil(text.length / tokenLength)
  if (tokens < smallestContext) return undefined
  const model = await modelName(chat)
  const length = contextLengthOf(await chat.context.catalogue.modelsAside(), model)
  if (length === undefined || tokens < length * nearlyFull) return undefined
  return (
    `with this message the conversation holds about ${tokens} of the ${length} tokens that ${model} can read\n` +
    'Enter sends it all the same; or clear the line (Ctrl-C; Up brings it back) for /new or /undo'
  )
}

/** What nobody has counted: a conversation that was gone back in, or that goes on after another run. */
function estimated({ session }: ChatState): number {
  const length = messagesOf(session.path).reduce((sum: number, message) => sum + messageText(message).length, 0)
  return Math.ceil(length / tokenLength)
}
