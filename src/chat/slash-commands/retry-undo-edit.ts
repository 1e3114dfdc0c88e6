/** /retry, /undo and /edit: another answer to the last message, or another message instead of it. */

import type { TurnNode } from '../../conversation/conversation.ts'
import { messageRole, userContent } from '../../conversation/message.ts'
import { FailedError } from '../../errors.ts'
import { sanitizeForTerminal } from '../../io/sanitize.ts'
import { newSystem, note, type ChatState } from '../state.ts'
import { checkModel, modelNames } from './model-system.ts'
import type { SlashCommand } from './slash-command.ts'

/** Characters of the message that /undo shows. */
const shownLength = 60

export const retry: SlashCommand = {
  name: 'retry',
  argument: '[MODEL]',
  help: 'Ask the last message again, or of another model for once.',
  complete: modelNames,
  run: async (model, chat) => {
    if (model !== '') await checkModel(model, '/retry', chat)
    const turn = lastTurn(chat)
    if (!turn) throw new FailedError('nothing was said yet')
    const said = { system: newSystem(chat), messages: turn.messages, instead: turn, isRetry: true }
    return { kind: 'ask', said, ...(model !== '' && { model }) }
  },
}

export const undo: SlashCommand = {
  name: 'undo',
  help: 'Take the last message and its answer back.',
  run: async (_argument, chat) => {
    const turn = await chat.session.undo()
    if (!turn) throw new FailedError('nothing was said yet')
    chat.usageTotals.contextTokens = 0
    chat.system ??= turn.system
    const text = contentOf(turn).text.replace(/\s+/g, ' ')
    await note(chat, `taken back: ${text.length > shownLength ? `${text.slice(0, shownLength)}…` : text}`)
  },
}

export const edit: SlashCommand = {
  name: 'edit',
  help: 'Write the last message anew in $EDITOR, and send it.',
  run: async (_argument, chat) => {
    const instead = lastTurn(chat)
    const { text: before, images } = instead ? contentOf(instead) : { text: '', images: [] }
    const text = await chat.edit(before)
    if (text.trim() === '' || text === before) return note(chat, 'nothing was written, and nothing is changed')
    return { kind: 'say', text, images, instead }
  },
}

function lastTurn({ session }: ChatState): TurnNode | undefined {
  return session.path.findLast((node) => node.kind === 'turn')
}

/** The user's message of a turn, as it can be sent again. */
function contentOf(turn: TurnNode): ReturnType<typeof userContent> {
  const message = turn.messages.findLast((one) => messageRole(one) === 'user') ?? null
  const { text, images } = userContent(message)
  return { text: sanitizeForTerminal(text), images }
}
