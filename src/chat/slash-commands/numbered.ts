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

export interface NumberedTurn {
  readonly number: number
  readonly turn: TurnEntry
  readonly answer: AnswerNode | undefined
}

/** Without those that nobody wrote, such as requests for a summary. The answer is the last one before the next message. */
export function numberedTurns({ session: { path } }: ChatState): NumberedTurn[] {
  const turns: Omit<NumberedTurn, 'number'>[] = []
  for (const node of path) {
    const last = turns.at(-1)
    if (node.type === 'turn' && !hasOnlyResults(node)) turns.push({ turn: node, answer: undefined })
    else if (node.type === 'answer' && last) turns[turns.length - 1] = { ...last, answer: node }
  }
  return turns.filter(({ turn }) => !isSummaryTurn(turn)).map((one, index) => ({ number: index + 1, ...one }))
}

/**
 * @param typed The number; `undefined` for the last message.
 * @throws FailedError without messages since /compact, UsageError if there is none with this number.
 */
export function numberedTurn(typed: string | undefined, command: string, chat: ChatState): NumberedTurn {
  const turns = numberedTurns(chat)
  const last = turns.at(-1)
  if (!lastTurn(chat) || !last) throw new FailedError(`${command}: no message yet`)
  if (typed === undefined) return last
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
    .map(({ number, turn }) => ({ text: String(number), help: excerpt(sentDraft(turn, chat).words, chat) }))
    .toReversed()
}
