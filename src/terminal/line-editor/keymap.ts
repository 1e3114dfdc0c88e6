/** What each key does, as in readline's emacs mode. Keys are named as in keys.ts. */

import type { ActionName } from './actions.ts'

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
