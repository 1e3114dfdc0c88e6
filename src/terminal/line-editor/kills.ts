/** Cuts text out into the ring of kills, and puts it back. */

import { replace, type EditorState } from './editor.ts'
import { blankWordStartBefore, lineEnd, lineStart, wordEndAfter, wordStartBefore } from './words.ts'

/** How many kills are kept, as in readline. */
const ringSize = 10

/** At the end of a line the line feed itself, so that the next line follows. */
export function killToLineEnd(state: EditorState): EditorState {
  const end = lineEnd(state.text, state.cursor)
  return killForward(state, end === state.cursor ? end + 1 : end)
}

/** At the start of a line the line feed before it. */
export function killToLineStart(state: EditorState): EditorState {
  const start = lineStart(state.text, state.cursor)
  return killBackward(state, start === state.cursor ? start - 1 : start)
}

export function killWordRight(state: EditorState): EditorState {
  return killForward(state, wordEndAfter(state.text, state.cursor))
}

export function killWordLeft(state: EditorState): EditorState {
  return killBackward(state, wordStartBefore(state.text, state.cursor))
}

export function killBlankWordLeft(state: EditorState): EditorState {
  return killBackward(state, blankWordStartBefore(state.text, state.cursor))
}

export function yank(state: EditorState): EditorState {
  return yankOne(state, state.cursor, state.kills.length - 1)
}

/** Puts the kill before in the place of the one just yanked; nothing where the last action yanked none. */
export function yankOlder(state: EditorState): EditorState {
  const { yanked, kills } = state
  if (yanked === undefined) return state
  return yankOne(state, yanked.start, (yanked.kill + kills.length - 1) % kills.length)
}

function yankOne(state: EditorState, start: number, kill: number): EditorState {
  const text = state.kills[kill]
  if (text === undefined) return state
  return { ...replace(state, start, state.cursor, text), yanked: { start, kill } }
}

function killForward(state: EditorState, end: number): EditorState {
  const killed = state.text.slice(state.cursor, end)
  return kill(state, state.cursor, end, killed, (last) => last + killed)
}

function killBackward(state: EditorState, start: number): EditorState {
  const from = Math.max(0, start)
  const killed = state.text.slice(from, state.cursor)
  return kill(state, from, state.cursor, killed, (last) => killed + last)
}

function kill(
  state: EditorState,
  start: number,
  end: number,
  killed: string,
  join: (last: string) => string,
): EditorState {
  if (killed === '') return state
  const last = state.manner === 'killing' ? state.kills.at(-1) : undefined
  const kills = last === undefined ? [...state.kills, killed] : [...state.kills.slice(0, -1), join(last)]
  return { ...replace(state, start, end, '', { manner: 'killing' }), kills: kills.slice(-ringSize) }
}
