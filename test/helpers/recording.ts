/** Records answers in a conversation, as a run does. */

import type { NewTurn, Session } from '../../src/conversation/session.ts'
import { Answer } from '../../src/stream/answer.ts'
import type { Delta } from '../../src/stream/delta.ts'

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
