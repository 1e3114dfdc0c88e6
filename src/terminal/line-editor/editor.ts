/** A text that is being edited: what every key starts from and ends in. Values, never changed. */

import { boundaryFrom } from './graphemes.ts'

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
