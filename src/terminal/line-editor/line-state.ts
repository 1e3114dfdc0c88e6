/** The state of the line editor: how input changes it, and what is shown. input-line.ts performs the effects. */

import {
  deleteAll,
  editActions,
  insert,
  isEditAction,
  isOnFirstLine,
  isOnLastLine,
  lineDown,
  lineUp,
  moveTo,
  replaceAll,
  startEditing,
  type EditorState,
} from './editing.ts'
import {
  goToIndex,
  nextMatch,
  setQuery,
  startPosition,
  startSearch,
  type HistoryPosition,
  type HistorySearch,
} from './history.ts'
import type { SafeText } from '../../io/safe-text.ts'
import type { KeyboardInput } from './keyboard.ts'
import { keymap } from './keymap.ts'
import type { LineView } from './layout.ts'
import { completeWith, type Completion } from './tab-completion.ts'

export interface LineState {
  readonly editor: EditorState
  readonly position: HistoryPosition
  /** While the history is being searched. */
  readonly search: HistorySearch | undefined
  /** A message shown below the text until the next key. */
  readonly note: string | undefined
  /** The completions shown below the text until the next key. */
  readonly choices: readonly string[]
  /** The command of the last key, if pressing it twice does more. */
  readonly lastCommand: 'interrupt' | 'complete' | undefined
}

/** What input-line.ts does for a key, besides changing the state. */
export type Effect = 'send' | 'exit' | 'suspend' | 'openEditor' | 'complete' | 'redraw'

export interface Step {
  readonly line: LineState
  readonly effect?: Effect
}

export function startLine(editor: EditorState, history: readonly string[]): LineState {
  return {
    editor,
    position: startPosition(history),
    search: undefined,
    note: undefined,
    choices: [],
    lastCommand: undefined,
  }
}

/** @param history The sent texts, the oldest first. */
export function applyInput(line: LineState, input: KeyboardInput, history: readonly string[]): Step {
  const cleared: LineState = { ...line, note: undefined, choices: [], lastCommand: undefined }
  if (line.search) return applyInSearch({ ...cleared, search: line.search }, input, history)
  if (input.kind === 'text') return edited(cleared, insert(line.editor, input.text, 'typing'))
  if (input.kind === 'paste') return edited(cleared, insert(line.editor, input.text))
  return applyKey(cleared, input.name, history, line.lastCommand)
}

/** Inserts the common prefix of the candidates. The second Tab in a row lists them. */
export function applyCompletion(line: LineState, completion: Completion, isSecond: boolean): LineState {
  const { editor, choices } = completeWith(line.editor, completion)
  return { ...line, editor, choices: isSecond ? choices : [] }
}

function applyKey(
  line: LineState,
  key: string,
  history: readonly string[],
  lastCommand: LineState['lastCommand'],
): Step {
  const { editor, position } = line
  const action = keymap[key]
  if (action === undefined) return { line }
  if (isEditAction(action)) return edited(line, editActions[action](editor))
  switch (action) {
    case 'enter':
      return enter(line)
    case 'interrupt':
      return interrupt(line, lastCommand === 'interrupt')
    case 'deleteRightOrExit':
      return editor.text === '' ? { line, effect: 'exit' } : edited(line, editActions.deleteRight(editor))
    case 'complete':
      return { line: { ...line, lastCommand: 'complete' }, effect: 'complete' }
    case 'search':
      return { line: { ...line, search: startSearch() } }
    case 'up':
      return isOnFirstLine(editor) ? goTo(line, history, position.index - 1) : edited(line, lineUp(editor))
    case 'down':
      return isOnLastLine(editor) ? goTo(line, history, position.index + 1) : edited(line, lineDown(editor))
    case 'historyPrevious':
      return goTo(line, history, position.index - 1)
    case 'historyNext':
      return goTo(line, history, position.index + 1)
    case 'openEditor':
    case 'redraw':
    case 'suspend':
      return { line, effect: action }
  }
}

function edited(line: LineState, editor: EditorState): Step {
  return { line: { ...line, editor } }
}

/** A blank text is not sent. */
function enter(line: LineState): Step {
  const { editor } = line
  if (editor.text.trim() === '') return { line }
  const next = continuation(editor.text, editor.cursor)
  return next ? edited(line, replaceAll(editor, next.text, next.cursor)) : { line, effect: 'send' }
}

/** Clears the line, which undo restores. On an empty line, exits at the second Ctrl-C in a row. */
function interrupt(line: LineState, isSecond: boolean): Step {
  const { editor } = line
  if (editor.text !== '') return edited(line, deleteAll(editor))
  if (isSecond) return { line, effect: 'exit' }
  return { line: { ...line, lastCommand: 'interrupt', note: 'press Ctrl-C again to exit' } }
}

function goTo(line: LineState, history: readonly string[], index: number): Step {
  return { line: { ...line, ...goToIndex(line.position, line.editor, history, index) } }
}

function applyInSearch(
  line: LineState & { search: HistorySearch },
  input: KeyboardInput,
  history: readonly string[],
): Step {
  const { search } = line
  if (input.kind === 'text') return searched(line, setQuery(search, search.query + input.text, history))
  if (input.kind === 'paste') return applyInput(withMatch(line, history), input, history)
  switch (input.name) {
    case 'backspace':
      return searched(line, setQuery(search, search.query.slice(0, -1), history))
    case 'ctrl-r':
      return searched(line, nextMatch(search, history, 'older'))
    case 'ctrl-s':
      return searched(line, nextMatch(search, history, 'newer'))
    case 'ctrl-g':
    case 'ctrl-c':
      return { line: { ...line, search: undefined } }
    case 'escape':
    case 'tab':
      return { line: withMatch(line, history) }
    default:
      return applyInput(withMatch(line, history), input, history)
  }
}

function searched(line: LineState, search: HistorySearch): Step {
  return { line: { ...line, search } }
}

/** Ends the search, with its match in the line. */
function withMatch(line: LineState, history: readonly string[]): LineState {
  const ended = { ...line, search: undefined }
  const match = line.search?.match
  if (match === undefined) return ended
  const shown = shownEditor(line, history)
  const arrived = { ...ended, ...goToIndex(line.position, line.editor, history, match) }
  return { ...arrived, editor: replaceAll(arrived.editor, shown.text, shown.cursor) }
}

/** During a search, the match is shown instead of the line, with the cursor at the query. */
function shownEditor({ editor, search }: LineState, history: readonly string[]): EditorState {
  const text = search?.match === undefined ? undefined : history[search.match]
  if (search === undefined || text === undefined) return editor
  return moveTo(startEditing(text, editor.killRing), search.offset)
}

export function lineView(line: LineState, prompt: SafeText, history: readonly string[]): LineView {
  const { text, cursor } = shownEditor(line, history)
  const { search, note, choices } = line
  const searchNote = search && `search: ${search.query}${search.isFailing ? ' (no more matches)' : ''}`
  return { prompt, text, cursor, note: searchNote ?? note, choices }
}

const tripleQuote = '"""'

/**
 * The text after an Enter that does not send it: in an open `"""` block, and after a backslash at the end.
 * @returns `undefined` if the message is complete.
 */
function continuation(text: string, cursor: number): { text: string; cursor: number } | undefined {
  if (isOpenBlock(text)) return { text: `${text.slice(0, cursor)}\n${text.slice(cursor)}`, cursor: cursor + 1 }
  // Two backslashes are literal, as a path may end in them.
  const [slashes = ''] = /\\*$/.exec(text) ?? []
  if (slashes.length % 2 === 0 || isBlock(text)) return undefined
  return { text: `${text.slice(0, -1)}\n`, cursor: text.length }
}

/** The message to send: without the `"""` around it. */
export function withoutTripleQuotes(text: string): string {
  if (!isBlock(text) || tripleQuoteCount(text) !== 2 || !text.trimEnd().endsWith(tripleQuote)) return text
  return text
    .trim()
    .slice(tripleQuote.length, -tripleQuote.length)
    .replace(/^\n|\n$/g, '')
}

function isBlock(text: string): boolean {
  return text.trimStart().startsWith(tripleQuote)
}

/** An even number is not an open block: pasted code may contain docstrings. */
function isOpenBlock(text: string): boolean {
  return isBlock(text) && tripleQuoteCount(text) % 2 === 1
}

function tripleQuoteCount(text: string): number {
  return text.split(tripleQuote).length - 1
}
