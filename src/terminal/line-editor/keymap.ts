/** The key bindings and their help, in one table. The bindings are among those of readline's emacs mode. */

import type { EditAction } from './editing.ts'

type KeyBinding = readonly [
  /** The name of an action in editing.ts or line-state.ts. */
  action: string,
  /** Named as key-sequences.ts names them; after the prefix Ctrl-X, as `ctrl-x ctrl-e`. */
  keys: string,
  /** For /help and the man page; only for keys that differ from a shell's. */
  shownKeys?: string,
  help?: string,
]

const bindings = [
  ['enter', 'return, ctrl-return', 'Enter', 'Send. During an answer: queue, or run a command such as /usage.'],
  [
    'newLine',
    'alt-return, ctrl-j, shift-return',
    'Alt-Enter',
    'Start a new line. Shift-Enter, or a \\ before Enter, does the same.',
  ],
  // Text, no keys.
  ['enter', '@path', '@PATH', 'Attach a file or an image to this message. Tab completes the path.'],
  ['up', 'up, ctrl-p', 'Up, Down', 'Choose in a list; else go to the line or message above or below.'],
  ['down', 'down, ctrl-n'],
  ['historyPrevious', 'pageup'],
  ['historyNext', 'pagedown'],
  ['complete', 'tab', 'Tab', 'Take the candidate that is chosen in the list, or the first one.'],
  ['search', 'ctrl-r', 'Ctrl-R', 'Search earlier messages; again: the next older match.'],
  ['openEditor', 'ctrl-g, ctrl-x ctrl-e', 'Ctrl-G', 'Edit the message in $EDITOR. Ctrl-X Ctrl-E does the same.'],
  ['prefix', 'ctrl-x'],
  ['undo', 'ctrl-_, ctrl-/', 'Ctrl-_', 'Undo.'],
  ['interrupt', 'ctrl-c', 'Ctrl-C', 'Clear the line, then stop the answer; twice: exit.'],
  ['deleteRightOrExit', 'ctrl-d', 'Ctrl-D', 'Exit if the line is empty. The line exit or quit does the same.'],
  ['escape', 'escape', 'Esc', 'Close a list, or stop the answer. Twice: clear, or edit the last one.'],
  ['suspend', 'ctrl-z', 'Ctrl-Z', 'Suspend; fg resumes.'],
  ['pushScreen', 'ctrl-l', 'Ctrl-L', 'Clear the screen; its text moves up into the scrollback.'],

  ['characterLeft', 'left, ctrl-b'],
  ['characterRight', 'right, ctrl-f'],
  ['wordLeft', 'ctrl-left, alt-left, alt-b'],
  ['wordRight', 'ctrl-right, alt-right, alt-f'],
  ['toLineStart', 'home, ctrl-a'],
  ['toLineEnd', 'end, ctrl-e'],
  ['toTextStart', 'ctrl-home, alt-<'],
  ['toTextEnd', 'ctrl-end, alt->'],

  ['deleteLeft', 'backspace, shift-backspace'],
  ['deleteRight', 'delete'],
  ['killWordLeft', 'alt-backspace, ctrl-backspace'],
  ['killBlankWordLeft', 'ctrl-w'],
  ['killWordRight', 'ctrl-delete, alt-delete, alt-d'],
  ['killToLineEnd', 'ctrl-k'],
  ['killToLineStart', 'ctrl-u'],
  ['yank', 'ctrl-y'],
] as const satisfies readonly KeyBinding[]

type BoundAction = (typeof bindings)[number][0]

/** Key actions that do not edit the text; see line-state.ts. */
export type LineCommand = Exclude<BoundAction, EditAction>

/** The action for each key that has one. */
export const keymap: Readonly<Record<string, BoundAction>> = Object.fromEntries(
  bindings.flatMap(([action, keys]) => keys.split(', ').map((key) => [key, action])),
)

/** The rows for /help and the man page. */
export const keyHelp = bindings.flatMap(([action, , keys, help]) => (keys && help ? [{ action, keys, help }] : []))
