/** Texts with a bar where the cursor stands. */

import { startEditing, type EditorState } from '../../../src/terminal/line-editor/editing.ts'

export function marked({ text, cursor }: Pick<EditorState, 'text' | 'cursor'>): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`
}

export function editing(text: string): EditorState {
  return { ...startEditing(text.replace('|', '')), cursor: text.indexOf('|') }
}
