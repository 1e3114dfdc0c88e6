import { beginning, plural } from './phrases.ts'
import type { Task } from './task.ts'

/** What the user said before: proof that the conversation was sent along. */
export function writeRecall({ turns }: Task): string | undefined {
  const said = turns.filter((turn) => turn.role === 'user').slice(0, -1)
  if (said.length === 0) return 'Nothing: this is the **first message** of our conversation.'
  const lines = said.map(({ text }, at) => `${at + 1}. “${beginning(text, 120)}”`)
  return [`Before this you sent ${plural(said.length, 'message')}:`, '', ...lines].join('\n')
}
