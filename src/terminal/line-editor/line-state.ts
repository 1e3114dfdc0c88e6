/** The line that is being written: what each key makes of it, and what is left for the outside world to do. */

import {
  actions,
  deleteAll,
  type EditorState,
  insert,
  isActionName,
  isOnFirstLine,
  isOnLastLine,
  lineDown,
  lineUp,
  moveTo,
  replaceAll,
  startEditing,
} from './editing.ts'
import { type Recall, recallAt, type Search, searchFor, searchOn, startRecall, startSearch } from './history.ts'
import type { Input } from './keyboard.ts'
import { keymap } from './keymap.ts'
import type { View } from './layout.ts'
import { completeWith, type Completion } from './tab-completion.ts'

export interface LineState {
  readonly editor: EditorState
  readonly recall: Recall
  /** While the history is being searched. */
  readonly search: Search | undefined
  /** Stands below the text until the next key. */
  readonly note: string | undefined
  /** What Tab has to offer; stands below the text until the next key. */
  readonly choices: readonly string[]
  /** What the key before asked for, where a second one of its kind does more. */
  readonly before: 'interrupt' | 'complete' | undefined
}

/** What a key asks of the outside world. */
export type Wish = 'send' | 'leave' | 'suspend' | 'edit' | 'complete' | 'redraw'

export interface Step {
  readonly line: LineState
  readonly wish?: Wish
}

export function startLine(editor: EditorState, history: readonly string[]): LineState {
  return {
    editor,
    recall: startRecall(history),
    search: undefined,
    note: undefined,
    choices: [],
    before: undefined,
  }
}

/**
 * @param input What was typed.
 * @param history The texts sent before, the oldest first.
 */
export function press(line: LineState, input: Input, history: readonly string[]): Step {
  const calm: LineState = { ...line, note: undefined, choices: [], before: undefined }
  if (line.search) return pressInSearch({ ...calm, search: line.search }, input, history)
  if (input.kind === 'text') return edited(calm, insert(line.editor, input.text, 'typing'))
  if (input.kind === 'paste') return edited(calm, insert(line.editor, input.text))
  return pressKey(calm, input.name, history, line.before)
}

/** The line once the candidates are known. Choices are listed for the second Tab in a row. */
export function complete(line: LineState, completion: Completion, isSecond: boolean): LineState {
  const { editor, choices } = completeWith(line.editor, completion)
  return { ...line, editor, choices: isSecond ? choices : [] }
}

function pressKey(line: LineState, key: string, history: readonly string[], before: LineState['before']): Step {
  const { editor, recall } = line
  const name = keymap[key]
  if (name === undefined) return { line }
  if (isActionName(name)) return edited(line, actions[name](editor))
  switch (name) {
    case 'enter':
      return enter(line)
    case 'interrupt':
      return interrupt(line, before === 'interrupt')
    case 'deleteRightOrLeave':
      return editor.text === '' ? { line, wish: 'leave' } : edited(line, actions.deleteRight(editor))
    case 'complete':
      return { line: { ...line, before: 'complete' }, wish: 'complete' }
    case 'search':
      return { line: { ...line, search: startSearch() } }
    case 'up':
      return isOnFirstLine(editor) ? walk(line, history, recall.position - 1) : edited(line, lineUp(editor))
    case 'down':
      return isOnLastLine(editor) ? walk(line, history, recall.position + 1) : edited(line, lineDown(editor))
    case 'previous':
      return walk(line, history, recall.position - 1)
    case 'next':
      return walk(line, history, recall.position + 1)
    case 'edit':
    case 'redraw':
    case 'suspend':
      return { line, wish: name }
  }
}

function edited(line: LineState, editor: EditorState): Step {
  return { line: { ...line, editor } }
}

/** There is nothing to send in a blank text. */
function enter(line: LineState): Step {
  const { editor } = line
  if (editor.text.trim() === '') return { line }
  const more = continued(editor.text, editor.cursor)
  return more ? edited(line, replaceAll(editor, more.text, more.cursor)) : { line, wish: 'send' }
}

/** Clears the line, which undo brings back; leaves an empty one when asked twice. */
function interrupt(line: LineState, isSecond: boolean): Step {
  const { editor } = line
  if (editor.text !== '') return edited(line, deleteAll(editor))
  if (isSecond) return { line, wish: 'leave' }
  return { line: { ...line, before: 'interrupt', note: 'press Ctrl-C again to leave' } }
}

function walk(line: LineState, history: readonly string[], position: number): Step {
  return { line: { ...line, ...recallAt(line.recall, line.editor, history, position) } }
}

function pressInSearch(line: LineState & { search: Search }, input: Input, history: readonly string[]): Step {
  const { search } = line
  if (input.kind === 'text') return searching(line, searchFor(search, search.words + input.text, history))
  if (input.kind === 'paste') return press(takeFound(line, history), input, history)
  switch (input.name) {
    case 'backspace':
      return searching(line, searchFor(search, search.words.slice(0, -1), history))
    case 'ctrl-r':
      return searching(line, searchOn(search, history, 'older'))
    case 'ctrl-s':
      return searching(line, searchOn(search, history, 'newer'))
    case 'ctrl-g':
    case 'ctrl-c':
      return { line: { ...line, search: undefined } }
    case 'escape':
    case 'tab':
      return { line: takeFound(line, history) }
    default:
      return press(takeFound(line, history), input, history)
  }
}

function searching(line: LineState, search: Search): Step {
  return { line: { ...line, search } }
}

/** What stands in the line while the history is being searched: the text that was found, the cursor at the words. */
export function shownEditor({ editor, search }: LineState, history: readonly string[]): EditorState {
  const text = search?.found === undefined ? undefined : history[search.found]
  if (search === undefined || text === undefined) return editor
  return moveTo(startEditing(text, editor.kills), search.place)
}

function takeFound(line: LineState, history: readonly string[]): LineState {
  const ended = { ...line, search: undefined }
  const found = line.search?.found
  if (found === undefined) return ended
  const shown = shownEditor(line, history)
  const walked = { ...ended, ...recallAt(line.recall, line.editor, history, found) }
  return { ...walked, editor: replaceAll(walked.editor, shown.text, shown.cursor) }
}

/** What is to be seen of a line. */
export function viewOf(line: LineState, prompt: string, history: readonly string[]): View {
  const { text, cursor } = shownEditor(line, history)
  const { search, note, choices } = line
  const searching = search && `search: ${search.words}${search.isFailing ? ' (nothing more)' : ''}`
  return { prompt, text, cursor, note: searching ?? note, choices }
}

/** When Enter ends a message, and what the message then is. */

const fence = '"""'

/**
 * What goes on instead of being sent, once Enter was pressed: `"""` until the closing one, a backslash at the end.
 * @returns the text to go on with and the cursor's place; nothing when the message is whole.
 */
export function continued(text: string, cursor: number): { text: string; cursor: number } | undefined {
  if (isOpenBlock(text)) return { text: `${text.slice(0, cursor)}\n${text.slice(cursor)}`, cursor: cursor + 1 }
  // Two backslashes stand for themselves, as a path's end may have them.
  const [slashes = ''] = /\\*$/.exec(text) ?? []
  if (slashes.length % 2 === 0 || isBlock(text)) return undefined
  return { text: `${text.slice(0, -1)}\n`, cursor: text.length }
}

/** The message without the fences that held it together. */
export function messageOf(text: string): string {
  if (!isBlock(text) || fenceCount(text) !== 2 || !text.trimEnd().endsWith(fence)) return text
  return text
    .trim()
    .slice(fence.length, -fence.length)
    .replace(/^\n|\n$/g, '')
}

function isBlock(text: string): boolean {
  return text.trimStart().startsWith(fence)
}

/** Whole docstrings of pasted code, of which every one is closed, hold nothing open. */
function isOpenBlock(text: string): boolean {
  return isBlock(text) && fenceCount(text) % 2 === 1
}

function fenceCount(text: string): number {
  return text.split(fence).length - 1
}
