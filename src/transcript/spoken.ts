/** What was said in a conversation, and by whom, for people to read. */

import { isObject, type Json } from '../fields/json.ts'
import type { Node } from './conversation.ts'
import { callsOf, roleOf, textOf } from './message-text.ts'

export interface Spoken {
  /** `system`, `user`, `assistant`, `tool`. */
  readonly role: string
  /** Of an answer, the model that was asked. */
  readonly model?: string | undefined
  readonly text: string
  /** Why an answer is not whole. */
  readonly error?: string | undefined
}

export function spokenBy(nodes: readonly Node[]): Spoken[] {
  return nodes.flatMap((node): Spoken[] => {
    if (node.kind === 'answer') {
      return [{ role: 'assistant', model: node.model, text: fullText(node.message), error: node.error }]
    }
    const messages = node.messages
      .filter(isObject)
      .map((message) => ({ role: roleOf(message), text: fullText(message) }))
    return node.system ? [{ role: 'system', text: node.system }, ...messages] : messages
  })
}

function fullText(message: Json): string {
  return [textOf(message), ...callsOf(message)].filter(Boolean).join('\n')
}
