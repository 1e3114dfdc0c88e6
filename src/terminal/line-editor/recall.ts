/** Walks through the history. What is changed on the way is found again on the way back. */

import { startEditing, type EditorState } from './editor.ts'

export interface Recall {
  /** Index among the texts of the history; their number stands for the text that is being written. */
  readonly position: number
  readonly visited: ReadonlyMap<number, EditorState>
}

export function startRecall(texts: readonly string[]): Recall {
  return { position: texts.length, visited: new Map() }
}

/** @returns nothing where the history ends. */
export function recallAt(
  recall: Recall,
  editor: EditorState,
  texts: readonly string[],
  position: number,
): { recall: Recall; editor: EditorState } | undefined {
  const known = recall.visited.get(position)
  const text = known?.text ?? texts[position]
  if (text === undefined || position === recall.position) return undefined
  const visited = new Map(recall.visited).set(recall.position, editor)
  const arrived = known ?? startEditing(text)
  return { recall: { position, visited }, editor: { ...arrived, kills: editor.kills } }
}
