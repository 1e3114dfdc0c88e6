/** Commands that come back to what was said last. */

import { FailedError } from '../../errors.ts'
import { harmless } from '../../io/harmless.ts'
import type { TurnNode } from '../../conversation/conversation.ts'
import { messageRole, userContent, messageText } from '../../conversation/message.ts'
import { newSystem, note, type ChatState } from '../state.ts'
import type { SlashCommand } from './command.ts'
import { checkModel, modelNames } from './request.ts'

const longestNote = 60

const retry: SlashCommand = {
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

const undo: SlashCommand = {
  name: 'undo',
  help: 'Take the last message and its answer back.',
  run: async (_argument, chat) => {
    const turn = await chat.session.undo()
    if (!turn) throw new FailedError('nothing was said yet')
    chat.tally.held = 0
    chat.system ??= turn.system
    const text = contentOf(turn).text.replace(/\s+/g, ' ')
    await note(chat, `taken back: ${text.length > longestNote ? `${text.slice(0, longestNote)}…` : text}`)
  },
}

const edit: SlashCommand = {
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

const copy: SlashCommand = {
  name: 'copy',
  help: "Copy the last answer to the terminal's clipboard (OSC 52).",
  run: async (_argument, chat) => {
    const answer = chat.session.path.findLast((node) => node.kind === 'answer')
    if (!answer) throw new FailedError('there is no answer to copy yet')
    if (chat.context.io.env.TERM === 'dumb') {
      throw new FailedError('this terminal has no clipboard', { hint: '/save FILE writes to a file' })
    }
    const text = messageText(answer.message)
    await chat.context.io.out.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`)
    await note(chat, `copied ${text.length} characters, where the terminal allows it`)
  },
}

export const againCommands = [retry, undo, edit, copy]

function lastTurn({ session }: ChatState): TurnNode | undefined {
  return session.path.findLast((node) => node.kind === 'turn')
}

/** What the user said in a turn, as it can be said again. */
function contentOf(turn: TurnNode): ReturnType<typeof userContent> {
  const message = turn.messages.findLast((one) => messageRole(one) === 'user') ?? null
  const { text, images } = userContent(message)
  return { text: harmless(text), images }
}
