/** The message of a turn that was sent, to be changed or sent again. */

import { toChatMessage } from '../../api/chat/messages.ts'
import type { UserMessage } from '../../api/image.ts'
import { systemOf } from '../../conversation/conversation.ts'
import type { TurnEntry } from '../../conversation/entry.ts'
import { messageRole, userContent } from '../../conversation/message.ts'
import type { NewTurn } from '../../conversation/session.ts'
import type { Json } from '../../io/json/json.ts'
import { attach } from '../attachments.ts'
import { keepAsText } from '../mentions.ts'
import type { ChatState, Draft } from '../state.ts'

/** In characters, of a message in a notice or a list. */
const excerptLength = 60

/** The start of a message, on one line. */
export function excerpt(words: string): string {
  const text = words.slice(0, 20 * excerptLength).replace(/\s+/g, ' ')
  return text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text
}

/** The message of a turn without an answer, with what is attached now, which the prompt shows. */
export function unansweredDraft(turn: TurnEntry, { session, drafts, attachments }: ChatState): Draft | undefined {
  const draft = session.conversation.unanswered?.id === turn.id ? drafts.get(turn.id) : undefined
  return draft && { ...draft, attachments }
}

/** Attaches again what a message was sent with. @returns its words. */
export function takeBack(turn: TurnEntry, chat: ChatState): string {
  const { words, attachments } = draftToChange(turn, chat)
  for (const one of attachments) attach(one, chat)
  return words
}

/** What is to be changed: an `@` in a message from before this chat attaches nothing, as its words have the text of its files. */
export function draftToChange(turn: TurnEntry, chat: ChatState): Draft {
  const draft = sentDraft(turn, chat)
  if (!chat.drafts.has(turn.id)) keepAsText(draft.words, chat)
  return draft
}

/** What the message of a turn was made of. The words of a message from before this chat have the text of its files. */
export function sentDraft(turn: TurnEntry, { drafts }: ChatState): Draft {
  const { text, images } = userContent(turn.messages.findLast(isUser) ?? null)
  const attachments = images.map((image, index) => ({ kind: 'image', name: `image ${index + 1}`, image }) as const)
  return drafts.get(turn.id) ?? { words: text, attachments }
}

/**
 * @param message `undefined` to send that of `instead` again.
 * @param instead The turn that is replaced. What stands before its message is kept.
 */
export function turnWith(message: UserMessage | undefined, instead: TurnEntry | undefined, chat: ChatState): NewTurn {
  const { path } = chat.session
  const current = chat.system ?? systemOf(path)
  const before = instead ? path.slice(0, path.indexOf(instead)) : path
  const system = instead?.system === undefined && current === systemOf(before) ? undefined : current
  const kept = instead?.messages.slice(0, Math.max(0, instead.messages.findLastIndex(isUser))) ?? []
  return { system, messages: message ? [...kept, toChatMessage(message)] : [], instead }
}

function isUser(message: Json): boolean {
  return messageRole(message) === 'user'
}
