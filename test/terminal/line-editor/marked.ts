/** Texts with a bar at the cursor. */

import { startEditing, type EditorState } from '../../../src/terminal/line-editor/editing.ts'
import { safe } from '../../../src/io/text/safe-text.ts'
import { listCandidates, type CandidateList } from '../../../src/terminal/line-editor/candidate-list.ts'
import type { LineView } from '../../../src/terminal/line-editor/layout.ts'

export function marked({ text, cursor }: Pick<EditorState, 'text' | 'cursor'>): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`
}

export function editing(text: string): EditorState {
  return { ...startEditing(text.replace('|', '')), cursor: text.indexOf('|') }
}

export function view(text: string, others: Partial<LineView> = {}): LineView {
  return {
    prompt: safe`> `,
    text: text.replace('|', ''),
    cursor: text.indexOf('|'),
    note: undefined,
    ...others,
  }
}

/** The list of these names, of which none is chosen; `undefined` without names. */
export function listOf(names: readonly string[]): CandidateList | undefined {
  const candidates = names.map((text) => ({ text, help: `${text} ${text}` }))
  return listCandidates({ start: 0, candidates }, '')
}
