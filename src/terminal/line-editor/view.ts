import type { View } from './frame.ts'
import { shownEditor, type LineState } from './line.ts'

/** What is to be seen of a line. */
export function viewOf(line: LineState, prompt: string, history: readonly string[]): View {
  const { text, cursor } = shownEditor(line, history)
  const { search, note, choices } = line
  const searching = search && `search: ${search.words}${search.isFailing ? ' (nothing more)' : ''}`
  return { prompt, text, cursor, note: searching ?? note, choices }
}
