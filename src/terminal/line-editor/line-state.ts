/**
 * The state of the line editor: how input changes it, by keymap.ts and the rules here, and what is shown. input-line.ts
 * performs the effects.
 */

import {
  editActions,
  insert,
  isEditAction,
  lineDown,
  lineUp,
  moveTo,
  replace,
  replaceAll,
  startEditing,
  type EditAction,
  type EditorState,
  wordStart,
} from './editing.ts'
import { choose, type CandidateList, withCandidate } from './candidate-list.ts'
import { goToIndex, nextMatch, setQuery, emptySearch, type HistoryPosition, type HistorySearch } from './history.ts'
import type { SafeText } from '../../io/text/safe-text.ts'
import type { KeyboardInput } from './key-sequences.ts'
import { keymap, type LineCommand } from './keymap.ts'
import type { LineView } from './layout.ts'
import { backspaceFrom } from '../graphemes.ts'

export interface LineState {
  readonly editor: EditorState
  readonly position: HistoryPosition
  /** While the history is being searched. */
  readonly search?: HistorySearch | undefined
  /** A message shown below the text until the next key. */
  readonly note?: string | undefined
  /** The candidates for the word at the cursor. Where there is no room for them, they are not shown. */
  readonly list?: CandidateList | undefined
  /** The start of the word whose list was closed, or that was taken from it. */
  readonly closedWord?: number | undefined
  /** The command of the last key, if the next one depends on it. */
  readonly lastCommand?: 'escape' | 'interrupt' | 'prefix' | 'recall' | 'shelve' | undefined
}

/** What the line editor knows of the chat; without it, no answer runs, and nothing is queued. */
interface Situation {
  /** Whether an answer or a command runs. */
  readonly isBusy?: boolean
  /** Whether the line changes a message that was sent. */
  readonly isEdit?: boolean
  readonly hasList?: boolean
  /** Whether messages are listed above the line. */
  readonly hasQueued?: boolean
  /** Whether an answer was stopped within the last half second: the keys may still be meant for it. */
  readonly wasJustStopped?: boolean
  readonly hasLast?: boolean
}

/** The states of the chat or of the line that keys depend on. */
const conditions = {
  answering: (_line, { isBusy }) => isBusy,
  emptiedEdit: ({ editor }, { isEdit }) => isEdit && editor.text.trim() === '',
  withText: ({ editor }) => editor.text !== '',
  searching: ({ search }) => search !== undefined,
  chosen: ({ list }, { hasList }) => hasList && list?.chosen !== undefined,
  listed: (_line, { hasList }) => hasList,
  withListOrNote: ({ note }, { hasList }) => hasList || note !== undefined,
  // Right after Ctrl-C, Up brings back what that cleared.
  withQueued: ({ editor, lastCommand }, { hasQueued }) => hasQueued && editor.text === '' && lastCommand !== 'shelve',
  secondInterrupt: ({ lastCommand }) => lastCommand === 'interrupt',
  secondEscape: ({ lastCommand, editor }, { wasJustStopped }) =>
    lastCommand === 'escape' && editor.text !== '' && !wasJustStopped,
  emptyAfterMessage: ({ editor }, { hasLast, wasJustStopped }) => hasLast && editor.text === '' && !wasJustStopped,
  secondOnEmpty: ({ lastCommand }) => lastCommand === 'recall',
} satisfies Record<string, (line: LineState, of: Situation) => boolean | undefined>

/**
 * The keys whose effect depends on the state: for each, the first rule whose condition holds, else the action that has the
 * name of the command. Actions are those of editing.ts, or below.
 */
const keyRules = [
  ['enter', 'chosen', 'take'],
  ['enter', 'answering', 'enter'],
  ['enter', 'emptiedEdit', 'shelve'],
  ['complete', 'searching', 'acceptSearch'],
  ['complete', 'listed', 'take'],
  ['up', 'listed', 'chooseAbove'],
  ['down', 'listed', 'chooseBelow'],
  ['up', 'withQueued', 'takeBack'],
  ['interrupt', 'searching', 'cancelSearch'],
  ['interrupt', 'withText', 'shelve'],
  ['interrupt', 'emptiedEdit', 'shelve'],
  ['interrupt', 'answering', 'stop'],
  ['interrupt', 'secondInterrupt', 'exit'],
  ['escape', 'searching', 'acceptSearch'],
  ['escape', 'secondOnEmpty', 'recall'],
  ['escape', 'withListOrNote', 'closeList'],
  ['escape', 'answering', 'stop'],
  ['escape', 'secondEscape', 'shelve'],
  ['escape', 'emptyAfterMessage', 'askToRecall'],
  ['deleteRightOrExit', 'withText', 'deleteRight'],
  ['deleteRightOrExit', 'answering', 'ignore'],
] as const satisfies readonly (readonly [key: LineCommand, when: keyof typeof conditions, does: string])[]

type Action = EditAction | LineCommand | (typeof keyRules)[number][2]

/** What input-line.ts does for a key, besides changing the state. */
export type Effect = PlainEffect | 'recall' | 'send' | 'shelve'

type PlainEffect = (typeof plainEffects)[number]

/** The actions that change nothing here. */
const plainEffects = ['complete', 'exit', 'openEditor', 'pushScreen', 'stop', 'suspend', 'takeBack'] as const

export interface Step {
  readonly line: LineState
  readonly effect?: Effect | undefined
}

/** What a key changes, besides clearing the note and the last command. */
type Change = Partial<LineState> & { readonly effect?: Effect }

/** @param texts The history. */
export function startLine(editor: EditorState, texts: readonly string[]): LineState {
  return { editor, position: { texts, index: texts.length, visited: new Map() } }
}

export function applyInput(line: LineState, input: KeyboardInput, situation: Situation = {}): Step {
  const cleared: LineState = { ...line, note: undefined, lastCommand: undefined }
  const prefix = line.lastCommand === 'prefix' ? 'ctrl-x ' : ''
  const command = input.kind === 'key' ? keymap[`${prefix}${input.name}`] : undefined
  const rule = keyRules.find(([key, when]) => key === command && conditions[when](line, situation))
  const action = rule?.[2] ?? command
  const found = line.search && changeInSearch({ ...cleared, search: line.search }, input, action)
  // Other keys end the search.
  if (line.search && !found) return applyInput(withMatch(cleared), input, situation)
  const { effect, ...change } = found ?? changeBy(input, action, line)
  return { line: { ...cleared, ...change }, effect }
}

function changeBy(input: KeyboardInput, action: Action | undefined, line: LineState): Change {
  const { editor } = line
  if (input.kind === 'text') return { editor: insert(editor, input.text, 'typing') }
  if (input.kind === 'paste') return { editor: insert(editor, input.text, 'paste') }
  if (action === undefined) return {}
  if (isEditAction(action)) return { editor: editActions[action](editor) }
  return isPlainEffect(action) ? { effect: action } : lineActions[action](line)
}

function isPlainEffect(action: Action): action is PlainEffect {
  return plainEffects.some((effect) => effect === action)
}

type LineAction = (line: LineState) => Change

/** Takes the candidate that is chosen, or the first one. */
export function take(line: LineState): Pick<LineState, 'editor' | 'list' | 'closedWord'> {
  const { list } = line
  const candidate = list?.matches[list.chosen ?? 0]
  if (list === undefined || candidate === undefined) return line
  const editor = withCandidate(line.editor, list.completion, candidate)
  // The next word, or what is in a directory, is listed.
  const isOpen = /[ /]$/.test(editor.text.slice(0, editor.cursor))
  return { editor, list: undefined, closedWord: isOpen ? undefined : wordStart(editor.text, editor.cursor) }
}

/** Another message of the history, so many further. */
function goBy(count: number): LineAction {
  return (line) => goToIndex(line, line.position.index + count)
}

/** Another line of the text; from the first or the last one, another message. */
function goByLine(move: (editor: EditorState) => EditorState, count: number): LineAction {
  return (line) => {
    const editor = move(line.editor)
    return editor === line.editor ? goBy(count)(line) : { editor }
  }
}

const nothing: LineAction = () => ({})

const lineActions: Readonly<Record<Exclude<Action, EditAction | PlainEffect>, LineAction>> = {
  enter,
  shelve: ({ editor }) => ({ editor: replaceAll(editor, ''), lastCommand: 'shelve', effect: 'shelve' }),
  interrupt: () => ({ lastCommand: 'interrupt', note: 'press Ctrl-C again to exit' }),
  askToRecall: () => ({ lastCommand: 'recall', note: 'press Esc again to edit the last message' }),
  recall: () => ({ effect: 'recall' }),
  escape: () => ({ lastCommand: 'escape' }),
  prefix: () => ({ lastCommand: 'prefix' }),
  take,
  chooseAbove: ({ list }) => ({ list: list && choose(list, -1) }),
  chooseBelow: ({ list }) => ({ list: list && choose(list, 1) }),
  search: () => ({ search: emptySearch }),
  up: goByLine(lineUp, -1),
  down: goByLine(lineDown, 1),
  historyPrevious: goBy(-1),
  historyNext: goBy(1),
  acceptSearch: nothing,
  cancelSearch: nothing,
  closeList: ({ editor }) => ({ list: undefined, closedWord: wordStart(editor.text, editor.cursor) }),
  deleteRightOrExit: () => ({ effect: 'exit' }),
  ignore: nothing,
}

/** A blank text is not sent. After a backslash at the end, the message goes on. */
function enter({ editor }: LineState): Change {
  const { text } = editor
  if (text.trim() === '') return {}
  // Two backslashes are literal, as a path may end in them.
  const [slashes = ''] = /\\*$/.exec(text) ?? []
  if (slashes.length % 2 === 0) return { effect: 'send' }
  return { editor: replace(editor, text.length - 1, text.length, '\n') }
}

/** @returns `undefined` for what is no part of the search. */
function changeInSearch(
  line: LineState & { search: HistorySearch },
  input: KeyboardInput,
  action: Action | undefined,
): Change | undefined {
  const { search, position } = line
  const { query } = search
  if (input.kind === 'text') return { search: setQuery(search, query + input.text, position.texts) }
  if (input.kind === 'paste') return undefined
  if (action === 'deleteLeft') {
    return { search: setQuery(search, query.slice(0, backspaceFrom(query, query.length)), position.texts) }
  }
  if (action === 'search') return { search: nextMatch(search, position.texts, -1) }
  if (input.name === 'ctrl-s') return { search: nextMatch(search, position.texts, 1) }
  if (action === 'cancelSearch' || action === 'openEditor') return { search: undefined }
  return action === 'acceptSearch' ? withMatch(line) : undefined
}

/** Ends the search, with its match in the line. */
function withMatch(line: LineState): LineState {
  const ended = { ...line, search: undefined }
  const match = line.search?.match
  if (match === undefined) return ended
  const shown = shownEditor(line)
  const arrived = { ...ended, ...goToIndex(line, match) }
  return { ...arrived, editor: replaceAll(arrived.editor, shown.text, shown.cursor) }
}

/** During a search, the match is shown instead of the line, with the cursor at the query. */
function shownEditor({ editor, search, position }: LineState): EditorState {
  const text = search?.match === undefined ? undefined : position.texts[search.match]
  if (search === undefined || text === undefined) return editor
  return moveTo(startEditing(text, editor.killed), search.offset)
}

export function lineView(line: LineState, prompt: SafeText): LineView {
  const { text, cursor } = shownEditor(line)
  const { search, note, list } = line
  const index = search === undefined ? line.position.index : undefined
  const searchNote = search && `search: ${search.query}${search.isFailing ? ' (no more matches)' : ''}`
  return { prompt, text, cursor, note: searchNote ?? note, list, index }
}
