/** What was said in a conversation, and by whom, for people to read. */

import { isObject, type Json } from '../io/json.ts'
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
  /** Why it does not go on from here. */
  readonly note?: string | undefined
}

export function spokenBy(nodes: readonly Node[]): Spoken[] {
  return nodes.flatMap((node): Spoken[] => {
    if (node.kind === 'answer') return [spoken(node.message, node)]
    const messages = node.messages
      .filter(isObject)
      .map((message) => ({ role: roleOf(message), text: fullText(message) }))
    return node.system ? [{ role: 'system', text: node.system }, ...messages] : messages
  })
}

/** With all choices of an answer, and what is to be noted of the first. */
export function spokenWithChoices(node: Node, note: string | undefined): Spoken[] {
  const first = spokenBy([node]).map((one) => ({ ...one, note }))
  if (node.kind === 'turn') return first
  return [...first, ...node.others.map((message) => ({ ...spoken(message, node), note: 'another choice' }))]
}

function spoken(message: Json, { model, error }: Pick<Spoken, 'model' | 'error'>): Spoken {
  return { role: 'assistant', model, text: fullText(message), error }
}

function fullText(message: Json): string {
  return [textOf(message), ...callsOf(message)].filter(Boolean).join('\n')
}
