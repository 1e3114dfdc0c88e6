/** The text being edited, and the actions on it: cursor movement, deletion, kill and yank, undo. */

import { backspaceFrom, boundaryFrom, graphemes, nextBoundary, previousBoundary } from '../graphemes.ts'
import { widthOf } from '../width.ts'

/** Immutable: each action returns a new state. */
export interface EditorState {
  /** Lines end in a line feed alone. */
  readonly text: string
  /** Position in UTF-16 units, always between two graphemes. */
  readonly cursor: number
  /** The text that was killed (cut) last. */
  readonly killed: string
  /** Consecutive kills are joined into one; consecutive typed characters are undone together. */
  readonly lastEdit: EditKind
  /** The column that moving up and down returns to, on lines that are long enough. */
  readonly goalColumn?: number | undefined
  readonly lastChange?: UndoStep | undefined
}

type EditKind = 'typing' | 'paste' | 'candidate' | 'kill' | 'other'

/** Linked to the one before it. */
interface UndoStep {
  readonly start: number
  readonly removed: string
  readonly inserted: string
  readonly cursorBefore: number
  readonly previous: UndoStep | undefined
}

/** Typed characters that one undo removes, as in readline. */
const charactersPerUndo = 20

/** A new state with the cursor at the end of the text and nothing to undo. */
export function startEditing(text = '', killed = ''): EditorState {
  const clean = withLineFeeds(text)
  return { text: clean, cursor: clean.length, killed, lastEdit: 'other' }
}

export function insert(state: EditorState, text: string, kind: EditKind = 'other'): EditorState {
  return replace(state, state.cursor, state.cursor, withLineFeeds(text), { kind })
}

export function replaceAll(state: EditorState, text: string, cursor = text.length): EditorState {
  if (text === state.text) return moveTo(state, cursor)
  return replace(state, 0, state.text.length, withLineFeeds(text), { cursor })
}

/** Replaces the text from `start` to `end`. The cursor moves to the end of the inserted text, unless `cursor` is given. */
export function replace(
  state: EditorState,
  start: number,
  end: number,
  inserted: string,
  { kind = 'other', cursor = start + inserted.length }: { kind?: EditKind; cursor?: number } = {},
): EditorState {
  const removed = state.text.slice(start, end)
  if (removed === '' && inserted === '') return moveTo(state, cursor)
  const text = state.text.slice(0, start) + inserted + state.text.slice(end)
  const change = { start, removed, inserted, cursorBefore: state.cursor, previous: state.lastChange }
  return {
    ...state,
    text,
    cursor: boundaryFrom(text, cursor),
    lastEdit: kind,
    goalColumn: undefined,
    lastChange: kind === 'typing' && state.lastEdit === 'typing' ? joinedToPrevious(change) : change,
  }
}

/** In pasted text, lines end in carriage returns. */
function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

function undo(state: EditorState): EditorState {
  const change = state.lastChange
  if (change === undefined) return moveTo(state, state.cursor)
  const end = change.start + change.inserted.length
  const text = state.text.slice(0, change.start) + change.removed + state.text.slice(end)
  return { ...moveTo({ ...state, text }, change.cursorBefore), lastChange: change.previous }
}

/** The change and the previous one as one undo step, if both inserted text, the one right after the other. */
function joinedToPrevious(change: UndoStep): UndoStep {
  const { previous } = change
  if (previous === undefined || previous.removed !== '' || change.removed !== '') return change
  const continues = previous.start + previous.inserted.length === change.start
  if (!continues || previous.inserted.length + change.inserted.length > charactersPerUndo) return change
  return { ...previous, inserted: previous.inserted + change.inserted }
}

export function moveTo(state: EditorState, cursor: number, goalColumn?: number): EditorState {
  return { ...state, cursor: boundaryFrom(state.text, cursor), lastEdit: 'other', goalColumn }
}

/** Finds the offset that an action moves the cursor to, or deletes up to. */
type Motion = (text: string, cursor: number) => number

type Edit = (state: EditorState) => EditorState

function moves(motion: Motion): Edit {
  return (state) => moveTo(state, motion(state.text, state.cursor))
}

/** Moves up, toward the goal column; unchanged on the first line. */
export function lineUp(state: EditorState): EditorState {
  const start = lineStart(state.text, state.cursor)
  return start === 0 ? state : toGoalColumn(state, lineStart(state.text, start - 1))
}

/** Moves down, toward the goal column; unchanged on the last line. */
export function lineDown(state: EditorState): EditorState {
  const end = lineEnd(state.text, state.cursor)
  return end === state.text.length ? state : toGoalColumn(state, end + 1)
}

/** @param start The start of the line that the cursor moves to. */
function toGoalColumn(state: EditorState, start: number): EditorState {
  const { text, cursor } = state
  const column = state.goalColumn ?? widthOf(text.slice(lineStart(text, cursor), cursor))
  let at = start
  let passed = 0
  for (const grapheme of graphemes(text.slice(start, lineEnd(text, start)))) {
    passed += widthOf(grapheme)
    if (passed > column) break
    at += grapheme.length
  }
  return moveTo(state, at, column)
}

function deletes(motion: Motion): Edit {
  return (state) => deleteTo(state, motion(state.text, state.cursor), 'other')
}

function deleteTo(state: EditorState, to: number, kind: EditKind): EditorState {
  return replace(state, Math.min(to, state.cursor), Math.max(to, state.cursor), '', { kind })
}

function kills(motion: Motion): Edit {
  return (state) => {
    const { text, cursor, lastEdit } = state
    const to = Math.max(0, motion(text, cursor))
    const killed = text.slice(Math.min(to, cursor), Math.max(to, cursor))
    if (killed === '') return state
    const before = lastEdit === 'kill' ? state.killed : ''
    return { ...deleteTo(state, to, 'kill'), killed: to < cursor ? killed + before : before + killed }
  }
}

/** At the end of a line, also its line feed, which joins the next line. */
function killedLineEnd(text: string, cursor: number): number {
  const end = lineEnd(text, cursor)
  return end === cursor ? end + 1 : end
}

/** At the start of a line, also the line feed before it. */
function killedLineStart(text: string, cursor: number): number {
  const start = lineStart(text, cursor)
  return start === cursor ? start - 1 : start
}

/** The actions that a key can be bound to; see keymap.ts. */
export const editActions = {
  newLine: (state) => insert(state, '\n'),
  characterLeft: moves(previousBoundary),
  characterRight: moves(nextBoundary),
  wordLeft: moves(wordStartBefore),
  wordRight: moves(wordEndAfter),
  toLineStart: moves(lineStart),
  toLineEnd: moves(lineEnd),
  toTextStart: moves(() => 0),
  toTextEnd: moves((text) => text.length),
  deleteLeft: deletes(backspaceFrom),
  deleteRight: deletes(nextBoundary),
  killWordLeft: kills(wordStartBefore),
  killWordRight: kills(wordEndAfter),
  killBlankWordLeft: kills(blankWordStartBefore),
  killToLineStart: kills(killedLineStart),
  killToLineEnd: kills(killedLineEnd),
  yank: (state) => insert(state, state.killed),
  undo,
} satisfies Readonly<Record<string, Edit>>

export type EditAction = keyof typeof editActions

export function isEditAction(name: string): name is EditAction {
  return Object.hasOwn(editActions, name)
}

function wordStartBefore(text: string, at: number): number {
  const end = skip(text, at, previousBoundary, (grapheme) => !isWord(grapheme))
  return skip(text, end, previousBoundary, isWord)
}

function wordEndAfter(text: string, at: number): number {
  const start = skip(text, at, nextBoundary, (grapheme) => !isWord(grapheme))
  return skip(text, start, nextBoundary, isWord)
}

/** Words separated by whitespace only, as for Ctrl-W in shells. */
function blankWordStartBefore(text: string, at: number): number {
  const end = skip(text, at, previousBoundary, isBlank)
  return skip(text, end, previousBoundary, (grapheme) => !isBlank(grapheme))
}

/** The start of the word that ends at a position, separated by blanks; after a blank, the position itself. */
export function wordStart(text: string, at: number): number {
  return Math.max(lineStart(text, at), at === 0 ? 0 : text.lastIndexOf(' ', at - 1) + 1)
}

export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/** Length of the common prefix, in whole graphemes. */
export function commonLength(one: string, other: string): number {
  let length = 0
  while (length < one.length) {
    const next = nextBoundary(one, length)
    if (next !== nextBoundary(other, length) || one.slice(length, next) !== other.slice(length, next)) break
    length = next
  }
  return length
}

/** Words are letters and digits, as in readline. */
function isWord(grapheme: string): boolean {
  return /[\p{L}\p{N}]/u.test(grapheme)
}

function isBlank(grapheme: string): boolean {
  return /^\s/.test(grapheme)
}

/** Moves by graphemes while they are of a kind. @param next `nextBoundary` or `previousBoundary`. */
function skip(text: string, from: number, next: typeof nextBoundary, holds: (grapheme: string) => boolean): number {
  for (let at = from; ;) {
    const after = next(text, at)
    if (after === at || !holds(text.slice(Math.min(at, after), Math.max(at, after)))) return at
    at = after
  }
}
