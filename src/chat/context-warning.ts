/** Warns before a message that nearly fills the context window of the model. */

import { contextLengthOf } from '../api/models.ts'
import { charactersPerToken } from '../answer/meter.ts'
import { currentModelName, modelList } from './answer.ts'
import { contextSize } from './context-size.ts'
import type { ChatState } from './state.ts'

/** Fewer tokens fit every model; the model list is not requested for them. */
const smallestContext = 4000

/** A fraction of the context window; the answer needs the rest. */
const nearlyFull = 0.9

/** @returns `undefined` if the message fits, or if the size of the context window is unknown. */
export async function contextWarning(text: string, chat: ChatState): Promise<string | undefined> {
  const tokens = contextSize(chat.session.conversation).tokens + Math.ceil(text.length / charactersPerToken)
  if (tokens < smallestContext) return undefined
  const model = await currentModelName(chat)
  const length = contextLengthOf(await modelList(chat), model)
  if (length === undefined || tokens < length * nearlyFull) return undefined
  return (
    `with this message, the conversation has about ${tokens} tokens; the context window of ${model} has ${length}\n` +
    'press Enter to send it anyway, or clear the line (Ctrl-C; Up restores it) and use /new or /undo'
  )
}
