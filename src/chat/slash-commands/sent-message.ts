/** The message of a turn that was sent, to be changed or sent again. */

import type { TurnEntry } from '../../conversation/entry.ts'
import { messageRole, userContent } from '../../conversation/message.ts'
import { attach } from '../attachments.ts'
import type { ChatState, Draft } from '../state.ts'

/** The message of a turn without an answer, with what is attached now, which the prompt shows. */
export function unansweredDraft(turn: TurnEntry, { session, drafts, attachments }: ChatState): Draft | undefined {
  const draft = session.conversation.unanswered?.id === turn.id ? drafts.get(turn.id) : undefined
  return draft && { ...draft, attachments }
}

/** Attaches again what a message was sent with. @returns its words. */
export function takeBack(turn: TurnEntry, chat: ChatState): string {
  const { words, attachments } = draftOf(turn, chat)
  for (const one of attachments) attach(one, chat)
  return words
}

/** Of a message from before this chat, the words have the text of its files. */
export function draftOf(turn: TurnEntry, { drafts }: ChatState): Draft {
  const { text, images } = sentContent(turn)
  const attachments = images.map((image, index) => ({ kind: 'image', name: `image ${index + 1}`, image }) as const)
  return drafts.get(turn.id) ?? { words: text, attachments }
}

/** The text has that of its files. */
export function sentContent(turn: TurnEntry): ReturnType<typeof userContent> {
  return userContent(turn.messages.findLast((one) => messageRole(one) === 'user') ?? null)
}
