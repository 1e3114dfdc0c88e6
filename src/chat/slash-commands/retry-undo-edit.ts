/** /retry, /undo and /edit: repeat, remove or change the last message. */

import type { TurnNode } from '../../conversation/conversation.ts'
import { messageRole, userContent } from '../../conversation/message.ts'
import { FailedError } from '../../errors.ts'
import { newSystem, printNotice, type ChatState } from '../state.ts'
import { checkModel, completeModel } from './model-system.ts'
import type { SlashCommand } from './slash-command.ts'

/** In characters, of the message that /undo shows. */
const excerptLength = 60

export const retry: SlashCommand = {
  name: 'retry',
  argument: '[MODEL]',
  help: 'Send the last message again; MODEL applies only once.',
  complete: completeModel,
  run: async (model, chat) => {
    if (model !== '') await checkModel(model, '/retry', chat)
    const last = lastTurn(chat)
    if (!last) throw new FailedError('/retry: no message yet')
    const turn = { system: newSystem(chat), messages: last.messages, instead: last, isRetry: true }
    return { kind: 'ask', turn, ...(model !== '' && { model }) }
  },
}

export const undo: SlashCommand = {
  name: 'undo',
  help: 'Undo the last message and its answer.',
  run: async (_argument, chat) => {
    const turn = await chat.session.undo()
    if (!turn) throw new FailedError('/undo: no message yet')
    chat.system ??= turn.system
    const text = turnContent(turn).text.replace(/\s+/g, ' ')
    await printNotice(chat, `undone: ${text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text}`)
  },
}

export const edit: SlashCommand = {
  name: 'edit',
  help: 'Edit the last message in $EDITOR, and send it.',
  run: async (_argument, chat) => {
    const instead = lastTurn(chat)
    const { text: before, images } = instead ? turnContent(instead) : { text: '', images: [] }
    const text = await chat.edit(before)
    if (text.trim() === '' || text === before) return printNotice(chat, 'no changes, nothing sent')
    return { kind: 'replace', text, images, instead }
  },
}

function lastTurn({ session }: ChatState): TurnNode | undefined {
  return session.path.findLast((node) => node.kind === 'turn')
}

/** The user's message of a turn, ready to be sent again. */
function turnContent(turn: TurnNode): ReturnType<typeof userContent> {
  const message = turn.messages.findLast((one) => messageRole(one) === 'user') ?? null
  return userContent(message)
}
