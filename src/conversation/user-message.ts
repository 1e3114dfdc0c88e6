import { imageIn, textsIn } from '../api/chat/messages.ts'
import type { Turn } from '../api/image.ts'
import { isObject, objectsIn, type Json } from '../io/json.ts'
import { textOf } from './message-text.ts'

/** What the user said in a chat message, as it can be said again: in this API family or the other. */
export function saidIn(message: Json): Pick<Turn, 'text' | 'images'> {
  const content = isObject(message) ? message.content : undefined
  if (!Array.isArray(content)) return { text: textOf(message), images: [] }
  const parts = objectsIn(content)
  return { text: textsIn(content).join('\n\n'), images: parts.flatMap((part) => imageIn(part) ?? []) }
}
