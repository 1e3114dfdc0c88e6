import type { Stored } from './folder.ts'

/** What a list tells of a conversation. Times are ISO 8601, UTC. */
export interface Summary {
  readonly id: string
  readonly name: string | null
  /** The first words of the first prompt. */
  readonly title: string
  readonly created: string
  readonly updated: string
  /** On the way to the latest. */
  readonly turns: number
  readonly model: string | null
  readonly path: string
}

export function summaryOf({ conversation, path, updated }: Stored): Summary {
  const { id, name = null, firstWords, created, lastModel = null } = conversation
  return {
    id,
    name,
    title: firstWords,
    created,
    updated: new Date(updated).toISOString(),
    turns: conversation.path().filter(({ kind }) => kind === 'turn').length,
    model: lastModel,
    path,
  }
}
