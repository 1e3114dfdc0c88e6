/** The message of a turn that was sent, to be changed or sent again. */

import type { TurnEntry } from '../../conversation/entry.ts'
import { messageRole, userContent } from '../../conversation/message.ts'
import type { ChatState, Draft } from '../state.ts'

/** The message of a turn without an answer, with what is attached now, which the prompt shows. */
export function unansweredDraft(turn: TurnEntry, { session, drafts, attachments }: ChatState): Draft | undefined {
  const draft = session.conversation.unanswered?.id === turn.id ? drafts.get(turn.id) : undefined
  return draft && { ...draft, attachments }
}

/** The text has that of its files. */
export function sentContent(turn: TurnEntry): ReturnType<typeof userContent> {
  return userContent(turn.messages.findLast((one) => messageRole(one) === 'user') ?? null)
}
