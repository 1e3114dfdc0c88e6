/** What lists and look-ups need of a conversation. */

import type { ConversationFile, StoredConversation } from './folder.ts'

/** As in JSON. Times are ISO 8601, UTC. */
export interface ConversationSummary {
  readonly id: string
  readonly name: string | null
  /** The start of the first prompt. */
  readonly title: string
  readonly created: string
  readonly updated: string
  /** On the current branch. */
  readonly turns: number
  readonly model: string | null
  readonly path: string
}

/** What the index stores. */
export interface SummaryRow {
  readonly name?: string | undefined
  readonly title: string
  readonly created: string
  /** In milliseconds since 1970. */
  readonly updated: number
  readonly turns: number
  readonly model?: string | undefined
  /** Whether it has no turn and no answer. Lists omit it. */
  readonly isEmpty: boolean
}

export function rowOf({ conversation, updated }: Pick<StoredConversation, 'conversation' | 'updated'>): SummaryRow {
  const { name, firstWords, created, lastModel, nodes } = conversation
  const turns = conversation.path().filter(({ kind }) => kind === 'turn').length
  return { name, title: firstWords, created, updated, turns, model: lastModel, isEmpty: nodes.length === 0 }
}

export function summaryOf({ id, path }: Pick<ConversationFile, 'id' | 'path'>, row: SummaryRow): ConversationSummary {
  const { name = null, title, created, updated, turns, model = null } = row
  return { id, name, title, created, updated: new Date(updated).toISOString(), turns, model, path }
}
