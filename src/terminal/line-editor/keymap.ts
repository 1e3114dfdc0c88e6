/** What each key does, as in readline's emacs mode. Keys are named as in keys.ts. */

import type { ActionName } from './editing.ts'

/** What keys do besides editing; line.ts knows how. */
export type Command =
  | 'complete'
  | 'deleteRightOrLeave'
  | 'down'
  | 'edit'
  | 'enter'
  | 'interrupt'
  | 'next'
  | 'previous'
  | 'redraw'
  | 'search'
  | 'suspend'
  | 'up'

export const keymap: Readonly<Record<string, ActionName | Command>> = {
  return: 'enter',
  tab: 'complete',
  'ctrl-c': 'interrupt',
  'ctrl-d': 'deleteRightOrLeave',
  'ctrl-g': 'edit',
  'ctrl-l': 'redraw',
  'ctrl-r': 'search',
  'ctrl-z': 'suspend',

  'alt-return': 'newLine',
  'ctrl-j': 'newLine',
  'shift-return': 'newLine',

  left: 'characterLeft',
  right: 'characterRight',
  'ctrl-b': 'characterLeft',
  'ctrl-f': 'characterRight',
  'ctrl-left': 'wordLeft',
  'ctrl-right': 'wordRight',
  'alt-left': 'wordLeft',
  'alt-right': 'wordRight',
  'alt-b': 'wordLeft',
  'alt-f': 'wordRight',
  home: 'toLineStart',
  end: 'toLineEnd',
  'ctrl-a': 'toLineStart',
  'ctrl-e': 'toLineEnd',
  'ctrl-home': 'toTextStart',
  'ctrl-end': 'toTextEnd',
  'alt-<': 'toTextStart',
  'alt->': 'toTextEnd',

  up: 'up',
  down: 'down',
  'ctrl-p': 'up',
  'ctrl-n': 'down',
  pageup: 'previous',
  pagedown: 'next',

  backspace: 'deleteLeft',
  delete: 'deleteRight',
  'alt-backspace': 'killWordLeft',
  'ctrl-w': 'killBlankWordLeft',
  'ctrl-delete': 'killWordRight',
  'alt-delete': 'killWordRight',
  'alt-d': 'killWordRight',
  'ctrl-k': 'killToLineEnd',
  'ctrl-u': 'killToLineStart',
  'ctrl-y': 'yank',
  'alt-y': 'yankOlder',
  'ctrl-_': 'undo',

  'ctrl-t': 'transposeCharacters',
  'alt-t': 'transposeWords',
  'alt-u': 'upperCaseWord',
  'alt-l': 'lowerCaseWord',
  'alt-c': 'capitaliseWord',
}

/** What the keys do that nobody would guess, for /help and the manual. */

export interface KeyHelp {
  readonly keys: string
  readonly help: string
}

export const keyHelp: readonly KeyHelp[] = [
  { keys: 'Enter', help: 'Send. While an answer comes: send it when that ends.' },
  { keys: 'Alt-Enter', help: 'Begin a new line; so does Enter behind a \\.' },
  { keys: '"""', help: 'What begins with it is sent once another one closes it.' },
  { keys: 'Up, Down', help: 'Go to the line above or below, then to what was sent before.' },
  { keys: 'Tab', help: 'Complete a command and what follows it; twice lists.' },
  { keys: 'Ctrl-R', help: 'Search what was sent before; again goes further back.' },
  { keys: 'Ctrl-G', help: 'Write in $EDITOR.' },
  { keys: 'Ctrl-_', help: 'Undo.' },
  { keys: 'Ctrl-C', help: 'Stop an answer, or clear the line; twice leaves.' },
  { keys: 'Ctrl-D', help: 'Leave; so do the words exit and quit alone.' },
  { keys: 'Ctrl-Z', help: 'Suspend; fg comes back.' },
]
