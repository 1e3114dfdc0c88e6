/** Texts with a bar at the cursor. */

import { startEditing, type EditorState } from '../../../src/terminal/line-editor/editing.ts'
import { safe } from '../../../src/io/text/safe-text.ts'
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
    choices: [],
    ...others,
  }
}
