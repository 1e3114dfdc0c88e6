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
  type EditAction,
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
import { keymap, type LineCommand } from './keymap.ts'
import { ruleFor, type RuleEffect, type Situation } from './key-rules.ts'
import type { LineView } from './layout.ts'
import { completeWith, type Completion } from './tab-completion.ts'
import { previousBoundary } from '../graphemes.ts'

/** Why Ctrl-D does not exit. */
export const answeringNote = 'an answer is running: Esc stops it'

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
  readonly lastCommand: 'complete' | 'escape' | 'interrupt' | 'prefix' | 'shelve' | undefined
}

/** What input-line.ts does for a key, besides changing the state. */
export type Effect =
  | 'cancelQuestion'
  | 'complete'
  | 'exit'
  | 'openEditor'
  | 'pushScreen'
  | 'queue'
  | 'send'
  | 'shelve'
  | 'stop'
  | 'suspend'
  | 'takeBack'

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
export function applyInput(
  line: LineState,
  input: KeyboardInput,
  history: readonly string[],
  situation: Situation = idle,
): Step {
  const cleared: LineState = { ...line, note: undefined, choices: [], lastCommand: undefined }
  const prefix = line.lastCommand === 'prefix' ? 'ctrl-x ' : ''
  const command = input.kind === 'key' ? keymap[`${prefix}${input.name}`] : undefined
  const action = command && !isEditAction(command) ? (ruleFor(command, line, situation) ?? command) : command
  const { search } = line
  if (search) return applyInSearch({ ...cleared, search }, input, action, history, situation)
  if (input.kind === 'text') return edited(cleared, insert(line.editor, input.text, 'typing'))
  if (input.kind === 'paste') return edited(cleared, insert(line.editor, input.text))
  return action === undefined ? { line: cleared } : perform(cleared, action, history, command)
}

/** No answer runs, and nothing is queued. */
const idle: Situation = {
  isBusy: false,
  isQuestion: false,
  hasQueued: false,
  hasUnsent: false,
  wasJustStopped: false,
}

/** Inserts the common prefix of the candidates. The second Tab in a row lists them. */
export function applyCompletion(line: LineState, completion: Completion, isSecond: boolean): LineState {
  const { editor, choices } = completeWith(line.editor, completion)
  return { ...line, editor, choices: isSecond ? choices : [] }
}

function perform(
  line: LineState,
  action: EditAction | LineCommand | RuleEffect,
  history: readonly string[],
  command: EditAction | LineCommand | undefined,
): Step {
  const { editor, position } = line
  if (isEditAction(action)) return edited(line, editActions[action](editor))
  switch (action) {
    case 'enter':
      return enter(line, 'send')
    case 'queue':
      return enter(line, 'queue')
    case 'answerQuestion':
      return { line, effect: 'send' }
    case 'shelve':
      return { line: { ...line, editor: deleteAll(editor), lastCommand: 'shelve' }, effect: 'shelve' }
    case 'askToExit':
      return { line: { ...line, lastCommand: 'interrupt', note: 'press Ctrl-C again to exit' } }
    case 'sayAnswering':
      return { line: { ...line, note: answeringNote } }
    case 'complete':
      return { line: { ...line, lastCommand: 'complete' }, effect: 'complete' }
    case 'prefix':
      return { line: { ...line, lastCommand: 'prefix' } }
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
    case 'acceptSearch':
    case 'cancelSearch':
    case 'closeList':
    case 'deleteRightOrExit':
    case 'escape':
    case 'interrupt':
    case 'nothing':
      return { line: command === 'escape' && action === 'nothing' ? { ...line, lastCommand: 'escape' } : line }
    case 'cancelQuestion':
    case 'exit':
    case 'openEditor':
    case 'pushScreen':
    case 'stop':
    case 'suspend':
    case 'takeBack':
      return { line, effect: action }
  }
}

function edited(line: LineState, editor: EditorState): Step {
  return { line: { ...line, editor } }
}

/** A blank text is not sent. */
function enter(line: LineState, effect: 'send' | 'queue'): Step {
  const { editor } = line
  if (editor.text.trim() === '') return { line }
  const next = continuation(editor.text, editor.cursor)
  return next ? edited(line, replaceAll(editor, next.text, next.cursor)) : { line, effect }
}

function goTo(line: LineState, history: readonly string[], index: number): Step {
  return { line: { ...line, ...goToIndex(line.position, line.editor, history, index) } }
}

function applyInSearch(
  line: LineState & { search: HistorySearch },
  input: KeyboardInput,
  action: EditAction | LineCommand | RuleEffect | undefined,
  history: readonly string[],
  situation: Situation,
): Step {
  const { search } = line
  const { query } = search
  if (input.kind === 'text') return searched(line, setQuery(search, query + input.text, history))
  const rest = (): Step => applyInput(withMatch(line, history), input, history, situation)
  if (input.kind === 'paste') return rest()
  if (action === 'deleteLeft') {
    return searched(line, setQuery(search, query.slice(0, previousBoundary(query, query.length)), history))
  }
  if (action === 'search') return searched(line, nextMatch(search, history, 'older'))
  if (input.name === 'ctrl-s') return searched(line, nextMatch(search, history, 'newer'))
  if (action === 'cancelSearch' || action === 'openEditor') return { line: { ...line, search: undefined } }
  if (action === 'acceptSearch' || action === 'complete') return { line: withMatch(line, history) }
  return rest()
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
