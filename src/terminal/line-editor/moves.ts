/** Moves the cursor. */

import { widthOf } from '../width.ts'
import { moveTo, type EditorState } from './editor.ts'
import { graphemes, nextBoundary, previousBoundary } from './graphemes.ts'
import { lineEnd, lineStart, wordEndAfter, wordStartBefore } from './words.ts'

export function characterLeft(state: EditorState): EditorState {
  return moveTo(state, previousBoundary(state.text, state.cursor))
}

export function characterRight(state: EditorState): EditorState {
  return moveTo(state, nextBoundary(state.text, state.cursor))
}

export function wordLeft(state: EditorState): EditorState {
  return moveTo(state, wordStartBefore(state.text, state.cursor))
}

export function wordRight(state: EditorState): EditorState {
  return moveTo(state, wordEndAfter(state.text, state.cursor))
}

export function toLineStart(state: EditorState): EditorState {
  return moveTo(state, lineStart(state.text, state.cursor))
}

export function toLineEnd(state: EditorState): EditorState {
  return moveTo(state, lineEnd(state.text, state.cursor))
}

export function toTextStart(state: EditorState): EditorState {
  return moveTo(state, 0)
}

export function toTextEnd(state: EditorState): EditorState {
  return moveTo(state, state.text.length)
}

export function isOnFirstLine({ text, cursor }: EditorState): boolean {
  return lineStart(text, cursor) === 0
}

export function isOnLastLine({ text, cursor }: EditorState): boolean {
  return lineEnd(text, cursor) === text.length
}

/** Keeps to the column where moving up and down began, as far as the lines reach; stays on the first line. */
export function lineUp(state: EditorState): EditorState {
  const start = lineStart(state.text, state.cursor)
  return start === 0 ? state : toColumn(state, lineStart(state.text, start - 1))
}

export function lineDown(state: EditorState): EditorState {
  const end = lineEnd(state.text, state.cursor)
  return end === state.text.length ? state : toColumn(state, end + 1)
}

function toColumn(state: EditorState, start: number): EditorState {
  const { text, cursor } = state
  const column = state.column ?? widthOf(text.slice(lineStart(text, cursor), cursor))
  let at = start
  let passed = 0
  for (const grapheme of graphemes(text.slice(start, lineEnd(text, start)))) {
    passed += widthOf(grapheme)
    if (passed > column) break
    at += grapheme.length
  }
  return moveTo(state, at, column)
}
