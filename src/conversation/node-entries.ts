import type { Node } from './conversation.ts'
import type { Entry } from './entry.ts'

/** The entries that a turn or an answer is written with in another conversation. */
export function entriesOf(node: Node, at: string): Entry[] {
  if (node.kind === 'turn') {
    const { kind: _kind, ...entry } = node
    return [entry]
  }
  const { id, parent = '', model, message, error } = node
  return [
    { type: 'answer', at, id, parent, ...(model !== undefined && { model }) },
    {
      type: 'end',
      at,
      answer: id,
      choices: [{ index: 0, message, finish_reason: null }],
      ...(error !== undefined && { error }),
    },
  ]
}
