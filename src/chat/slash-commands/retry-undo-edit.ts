/** /retry, /undo and /edit: repeat, remove or change the last message. */

import { toChatMessage } from '../../api/chat/messages.ts'
import type { Image } from '../../api/image.ts'
import type { TurnEntry } from '../../conversation/entry.ts'
import { messageRole, userContent } from '../../conversation/message.ts'
import { FailedError } from '../../errors.ts'
import { attach, messageOf, printStillAttached } from '../attachments.ts'
import { type Attachment, lastTurn, newSystem, printNotice, type ChatState, type Draft } from '../state.ts'
import { checkedModel, completeModel } from './model-system.ts'
import type { SlashCommand } from './slash-command.ts'

/** In characters, of the message that /undo shows. */
const excerptLength = 60

export const retry: SlashCommand = {
  name: 'retry',
  argument: '[MODEL]',
  help: 'Send the last message again; MODEL applies only once.',
  complete: completeModel,
  run: async (typed, chat) => {
    const model = typed === '' ? '' : await checkedModel(typed, '/retry', chat)
    const last = lastTurn(chat)
    if (!last) throw new FailedError('/retry: no message yet')
    const draft = unansweredDraft(last, chat)
    const message = draft && messageOf(draft)
    const messages = message ? [toChatMessage(message)] : last.messages
    const turn = { system: newSystem(chat), messages, instead: last, isRetry: true }
    return { kind: 'ask', turn, ...(draft && { draft }), ...(model !== '' && { model }) }
  },
}

export const undo: SlashCommand = {
  name: 'undo',
  help: 'Undo the last message and its answer; edit it again.',
  run: async (_argument, chat) => {
    const turn = await chat.session.undo()
    if (!turn) throw new FailedError('/undo: no message yet')
    chat.system ??= turn.system
    const { words, attachments } = chat.drafts.get(turn.id) ?? draftOf(turn)
    for (const one of attachments) attach(one, chat)
    const text = words.replace(/\s+/g, ' ')
    await printNotice(chat, `undone: ${text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text}`)
    await printStillAttached(chat)
    return { kind: 'prefill', text: words }
  },
}

export const edit: SlashCommand = {
  name: 'edit',
  help: 'Edit the last message in $EDITOR, and send it.',
  run: async (_argument, chat) => {
    const instead = lastTurn(chat)
    const draft = instead ? unansweredDraft(instead, chat) : { words: '', attachments: chat.attachments }
    const { text: before, images } = instead ? turnContent(instead) : { text: '', images: [] }
    const text = await chat.edit(draft?.words ?? before)
    if (text.trim() === '' || text === (draft?.words ?? before)) return printNotice(chat, 'no changes, nothing sent')
    chat.showMessage(text)
    const edited = draft && { ...draft, words: text }
    const message = (edited && messageOf(edited)) ?? { role: 'user', text, images }
    const turn = { system: newSystem(chat), messages: [toChatMessage(message)], instead }
    return { kind: 'ask', turn, ...(edited && { draft: edited }) }
  },
}

/** The message of a turn without an answer, with what is attached now, which the prompt shows. */
function unansweredDraft(turn: TurnEntry, { session, drafts, attachments }: ChatState): Draft | undefined {
  const draft = session.conversation.unanswered?.id === turn.id ? drafts.get(turn.id) : undefined
  return draft && { ...draft, attachments }
}

/** Of a message from before this chat. The text has that of its files. */
function draftOf(turn: TurnEntry): Draft {
  const { text, images } = turnContent(turn)
  const named = (image: Image, index: number): Attachment => ({ kind: 'image', name: `image ${index + 1}`, image })
  return { words: text, attachments: images.map(named) }
}

/** The user's message of a turn, ready to be sent again. */
function turnContent(turn: TurnEntry): ReturnType<typeof userContent> {
  const message = turn.messages.findLast((one) => messageRole(one) === 'user') ?? null
  return userContent(message)
}
