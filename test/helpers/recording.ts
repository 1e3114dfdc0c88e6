/** Records answers in a conversation, as a run does. */

import type { NewTurn, Session } from '../../src/conversation/session.ts'
import { ConversationStore } from '../../src/conversation/store.ts'
import { Answer } from '../../src/stream/answer.ts'
import type { Delta } from '../../src/stream/delta.ts'
import { emptyStoreFolder } from './conversations.ts'

export interface Recording {
  add(deltas: readonly Delta[]): Promise<void>
  end(error?: unknown): Promise<void>
}

export async function startRecording(session: Session, turn: NewTurn, model = 'hf:a'): Promise<Recording> {
  const recorder = await session.record(turn, model)
  const answer = new Answer()
  return {
    add: async (deltas) => {
      await recorder.add(deltas)
      answer.add(deltas)
    },
    end: (error) => recorder.end(answer, error),
  }
}

export interface StoreSetup {
  readonly folder: string
  readonly notices: string[]
  newStore(): ConversationStore
}

/** Stores in one folder, whose time stands still. */
export function storesIn(folder = emptyStoreFolder()): StoreSetup {
  const notices: string[] = []
  const notify = (text: string): Promise<void> => Promise.resolve(void notices.push(text))
  const now = (): number => Date.UTC(2026, 10, 21, 10)
  return { folder, notices, newStore: () => new ConversationStore({ folder, notify, now }) }
}

export function textDeltas(...texts: string[]): Delta[] {
  return texts.map((text) => ({ type: 'text', index: 0, text }))
}
