/** A text that is being edited: what every key starts from and ends in. Values, never changed. */

import { widthOf } from '../width.ts'
import {
  blankWordStartBefore,
  boundaryFrom,
  graphemes,
  lineEnd,
  lineStart,
  nextBoundary,
  previousBoundary,
  wordEndAfter,
  wordStartAfter,
  wordStartBefore,
} from './text-boundaries.ts'

export interface EditorState {
  /** Lines end in a line feed alone. */
  readonly text: string
  /** Where text goes in, in UTF-16 units; always between two graphemes. */
  readonly cursor: number
  /** What was cut out, the newest last. */
  readonly kills: readonly string[]
  /** What the last action put in from the kills, which another one may take the place of. */
  readonly yanked: Yanked | undefined
  /** Kills in a row are one kill, and typed characters are undone together. */
  readonly manner: Manner
  /** The column that moving up and down keeps to. */
  readonly column: number | undefined
  readonly past: Change | undefined
}

export type Manner = 'typing' | 'killing' | 'other'

interface Yanked {
  readonly start: number
  /** Index among the kills. */
  readonly kill: number
}

/** One step back, and the steps before it. */
interface Change {
  readonly start: number
  readonly removed: string
  readonly inserted: string
  /** Where the cursor stood before. */
  readonly cursor: number
  readonly before: Change | undefined
}

/** Characters that one undo takes back, as in readline. */
const undoneTogether = 20

/** A fresh text with the cursor at its end, and nothing to undo. */
export function startEditing(text = '', kills: readonly string[] = []): EditorState {
  const clean = withLineFeeds(text)
  return {
    text: clean,
    cursor: clean.length,
    kills,
    yanked: undefined,
    manner: 'other',
    column: undefined,
    past: undefined,
  }
}

export function insert(state: EditorState, text: string, manner: Manner = 'other'): EditorState {
  return replace(state, state.cursor, state.cursor, withLineFeeds(text), { manner })
}

export function replaceAll(state: EditorState, text: string, cursor = text.length): EditorState {
  if (text === state.text) return moveTo(state, cursor)
  return replace(state, 0, state.text.length, withLineFeeds(text), { cursor })
}

/** Puts a text in the place of another; the cursor then stands behind it, unless it is told where to. */
export function replace(
  state: EditorState,
  start: number,
  end: number,
  inserted: string,
  { manner = 'other', cursor = start + inserted.length }: { manner?: Manner; cursor?: number } = {},
): EditorState {
  const removed = state.text.slice(start, end)
  if (removed === '' && inserted === '') return moveTo(state, cursor)
  const text = state.text.slice(0, start) + inserted + state.text.slice(end)
  const change = { start, removed, inserted, cursor: state.cursor, before: state.past }
  return {
    ...state,
    text,
    cursor: boundaryFrom(text, cursor),
    yanked: undefined,
    manner,
    column: undefined,
    past: manner === 'typing' && state.manner === 'typing' ? joined(change) : change,
  }
}

export function moveTo(state: EditorState, cursor: number, column?: number): EditorState {
  return { ...state, cursor: boundaryFrom(state.text, cursor), yanked: undefined, manner: 'other', column }
}

export function undo(state: EditorState): EditorState {
  const { past } = state
  if (past === undefined) return moveTo(state, state.cursor)
  const end = past.start + past.inserted.length
  const text = state.text.slice(0, past.start) + past.removed + state.text.slice(end)
  return { ...moveTo({ ...state, text }, past.cursor), past: past.before }
}

/** The change and the one before it as one, where both only typed on. */
function joined(change: Change): Change {
  const { before } = change
  if (before === undefined || before.removed !== '' || change.removed !== '') return change
  const typesOn = before.start + before.inserted.length === change.start
  if (!typesOn || before.inserted.length + change.inserted.length > undoneTogether) return change
  return { ...before, inserted: before.inserted + change.inserted }
}

/** Terminals paste lines that end in a carriage return. */
function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

/** Moves the cursor. */

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

/** Deletes, exchanges and recases what stands at the cursor. */

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

/** Cuts text out into the ring of kills, and puts it back. */

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

/** What keys can do to the text, by name. */

export const actions = {
  capitaliseWord,
  characterLeft,
  characterRight,
  deleteLeft,
  deleteRight,
  killBlankWordLeft,
  killToLineEnd,
  killToLineStart,
  killWordLeft,
  killWordRight,
  lowerCaseWord,
  newLine,
  toLineEnd,
  toLineStart,
  toTextEnd,
  toTextStart,
  transposeCharacters,
  transposeWords,
  undo,
  upperCaseWord,
  wordLeft,
  wordRight,
  yank,
  yankOlder,
}

export type ActionName = keyof typeof actions

export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(actions, name)
}
