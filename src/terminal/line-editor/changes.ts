/** Deletes, exchanges and recases what stands at the cursor. */

import { insert, replace, type EditorState } from './editor.ts'
import { graphemes, nextBoundary, previousBoundary } from './graphemes.ts'
import { lineEnd, lineStart, wordEndAfter, wordStartAfter, wordStartBefore } from './words.ts'

export function newLine(state: EditorState): EditorState {
  return insert(state, '\n')
}

export function deleteLeft(state: EditorState): EditorState {
  return replace(state, previousBoundary(state.text, state.cursor), state.cursor, '')
}

export function deleteRight(state: EditorState): EditorState {
  return replace(state, state.cursor, nextBoundary(state.text, state.cursor), '', { cursor: state.cursor })
}

export function deleteAll(state: EditorState): EditorState {
  return replace(state, 0, state.text.length, '')
}

/** Drags the character before the cursor over the one behind it; at the end of a line the last two change places. */
export function transposeCharacters(state: EditorState): EditorState {
  const { text, cursor } = state
  const isAtEnd = lineEnd(text, cursor) === cursor
  const middle = isAtEnd ? previousBoundary(text, cursor) : cursor
  const start = previousBoundary(text, middle)
  if (middle <= lineStart(text, cursor)) return state
  const end = nextBoundary(text, middle)
  return replace(state, start, end, text.slice(middle, end) + text.slice(start, middle))
}

/** Drags the word before the cursor over the one behind it; at the end the last two change places. */
export function transposeWords(state: EditorState): EditorState {
  const { text } = state
  const end = wordEndAfter(text, state.cursor)
  const second = wordStartBefore(text, end)
  const first = wordStartBefore(text, second)
  const firstEnd = wordEndAfter(text, first)
  if (firstEnd > second) return state
  const between = text.slice(firstEnd, second)
  const secondEnd = wordEndAfter(text, second)
  return replace(state, first, secondEnd, text.slice(second, secondEnd) + between + text.slice(first, firstEnd))
}

export function upperCaseWord(state: EditorState): EditorState {
  return recase(state, (word) => word.toUpperCase())
}

export function lowerCaseWord(state: EditorState): EditorState {
  return recase(state, (word) => word.toLowerCase())
}

export function capitaliseWord(state: EditorState): EditorState {
  return recase(state, (word) => {
    const [first = ''] = graphemes(word)
    return first.toUpperCase() + word.slice(first.length).toLowerCase()
  })
}

function recase(state: EditorState, change: (word: string) => string): EditorState {
  const start = wordStartAfter(state.text, state.cursor)
  const end = wordEndAfter(state.text, start)
  return replace(state, start, end, change(state.text.slice(start, end)))
}
