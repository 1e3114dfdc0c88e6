/** How much of a conversation is shown, and what is to be said of the rest. */

import type { Json, JsonObject } from '../io/json.ts'
import { isAnswered, type Conversation, type Node } from './conversation.ts'
import { messagesOf } from './messages.ts'
import { spokenBy, spokenWithChoices, type Spoken } from './spoken.ts'

export interface Shown {
  readonly spoken: readonly Spoken[]
  readonly json: Json[]
  /** What a reader should know. */
  readonly notice: string | undefined
}

/** The way to the latest turn, as messages that can be sent. */
export function latestWay(conversation: Conversation): Shown {
  const path = conversation.path()
  return { spoken: spokenBy(path), json: messagesOf(path), notice: noticeOf(conversation, path) }
}

/** All turns and answers in the order in which they were said, whether the conversation goes on from them or not. */
export function everything(conversation: Conversation): Shown {
  const { id, nodes } = conversation
  const path = new Set(conversation.path())
  const standingOf = (node: Node): Standing => {
    if (path.has(node)) return 'current'
    return conversation.wasTakenBack(node) ? 'taken back' : 'on another branch'
  }
  return {
    spoken: nodes.flatMap((node) => spokenWithChoices(node, noteOf(node, standingOf(node)))),
    json: nodes.map((node) => recordOf(node, standingOf(node))),
    notice: nodes.length === 0 ? nothingIn(id) : undefined,
  }
}

type Standing = 'current' | 'taken back' | 'on another branch'

function noticeOf({ id, nodes }: Conversation, path: readonly Node[]): string | undefined {
  const beside = nodes.filter((node) => node.kind === 'answer' && !path.includes(node) && isAnswered(node)).length
  if (beside === 1) return 'not shown: 1 answer that was taken back or is on another branch; --all shows it'
  if (beside > 1) return `not shown: ${beside} answers that were taken back or are on other branches; --all shows them`
  if (path.length > 0) return undefined
  return nodes.length === 0 ? nothingIn(id) : `all that was said in ${id} was taken back; --all shows it`
}

function nothingIn(id: string): string {
  return `nothing is said in ${id}`
}

/** An answer without a word tells by its error that nothing goes on from it. */
function noteOf(node: Node, standing: Standing): string | undefined {
  if (standing === 'current' || (node.kind === 'answer' && !isAnswered(node))) return undefined
  return standing
}

function recordOf(node: Node, standing: Standing): JsonObject {
  const { kind: type, id, parent = null, at } = node
  const common = { type, id, parent, at, standing }
  if (node.kind === 'turn') {
    return { ...common, ...(node.system !== undefined && { system: node.system }), messages: [...node.messages] }
  }
  const { model, message, others, error } = node
  return {
    ...common,
    ...(model !== undefined && { model }),
    messages: [message, ...others],
    ...(error !== undefined && { error }),
  }
}
