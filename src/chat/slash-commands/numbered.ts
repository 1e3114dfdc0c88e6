/** The messages of the current branch by their numbers, from 1, as commands take them. */

import { type AnswerNode, hasOnlyResults, isSummaryTurn } from '../../conversation/conversation.ts'
import type { TurnEntry } from '../../conversation/entry.ts'
import { FailedError, UsageError } from '../../errors.ts'
import { invalidValue } from '../../fields/problem.ts'
import { quote } from '../../io/json/json.ts'
import { pluralize } from '../../io/text/plural.ts'
import type { Candidate } from '../../terminal/line-editor/tab-completion.ts'
import { type ChatState, lastTurn } from '../state.ts'
import { excerpt, sentDraft } from './sent-message.ts'

/** Number 0 is the one whose answer is a summary: nobody wrote it. The answer is the last one before the next message. */
export function allTurns({ session: { path } }: ChatState) {
  const turns: { readonly turn: TurnEntry; answer: AnswerNode | undefined }[] = []
  for (const node of path) {
    const last = turns.at(-1)
    if (node.type === 'turn' && !hasOnlyResults(node)) turns.push({ turn: node, answer: undefined })
    else if (node.type === 'answer' && last) last.answer = node
  }
  const first = isSummaryTurn(path[0]) ? 0 : 1
  return turns.map((one, index) => ({ number: first + index, ...one }))
}

export function numberedTurns(chat: ChatState) {
  return allTurns(chat).filter(({ number }) => number > 0)
}

/**
 * @param typed The number; `undefined` for the last message, or else the summary.
 * @throws FailedError without messages since /compact, UsageError if there is none with this number.
 */
export function numberedTurn(typed: string | undefined, command: string, chat: ChatState) {
  const last = allTurns(chat).at(-1)
  if (!last) throw new FailedError(`${command}: no message yet`)
  if (typed === undefined) return last
  lastTurn(chat)
  const turns = numberedTurns(chat)
  if (!/^[1-9]\d*$/.test(typed)) {
    throw invalidValue(command, { path: [], found: quote(typed), expected: 'the number of a message' })
  }
  const turn = turns[Number(typed) - 1]
  if (!turn) throw new UsageError(`${command} ${typed}: the conversation has ${pluralize(turns.length, 'message')}`)
  return turn
}

/** The numbers for Tab, the newest first, with what the messages begin with. */
export function completeNumber(_typed: string, chat: ChatState): Candidate[] {
  return numberedTurns(chat)
    .map(({ number, turn }) => ({ text: String(number), help: excerpt(sentDraft(turn, chat).words) }))
    .toReversed()
}
