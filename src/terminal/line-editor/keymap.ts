/** The key bindings and their help, in one table. The bindings are those of readline's emacs mode. */

import type { EditAction } from './editing.ts'

interface KeyBinding {
  /** Named as key-sequences.ts names them; after the prefix Ctrl-X, as `ctrl-x ctrl-e`. */
  readonly keys: readonly string[]
  /** Of editing.ts, or of line-state.ts. */
  readonly action: string
  /** For /help and the man page; only for keys that differ from a shell's. */
  readonly help?: readonly [keys: string, help: string]
}

const bindings = [
  {
    keys: ['return', 'ctrl-return'],
    action: 'enter',
    help: ['Enter', 'Send. During an answer: queue, and send when it ends.'],
  },
  {
    keys: ['alt-return', 'ctrl-j', 'shift-return'],
    action: 'newLine',
    help: ['Alt-Enter', 'Start a new line. Shift-Enter, or a \\ before Enter, does the same.'],
  },
  // Not a key, but text that changes what Enter does.
  { keys: [], action: 'enter', help: ['"""', 'Start a message of several lines; another """ ends it.'] },
  {
    keys: ['up', 'ctrl-p'],
    action: 'up',
    help: ['Up, Down', 'Go to the line above or below, to queued and to earlier messages.'],
  },
  { keys: ['down', 'ctrl-n'], action: 'down' },
  { keys: ['pageup'], action: 'historyPrevious' },
  { keys: ['pagedown'], action: 'historyNext' },
  { keys: ['tab'], action: 'complete', help: ['Tab', 'Complete a slash command or its argument; twice: list them.'] },
  { keys: ['ctrl-r'], action: 'search', help: ['Ctrl-R', 'Search earlier messages; again: the next older match.'] },
  {
    keys: ['ctrl-g', 'ctrl-x ctrl-e'],
    action: 'openEditor',
    help: ['Ctrl-G', 'Edit the message in $EDITOR. Ctrl-X Ctrl-E does the same.'],
  },
  { keys: ['ctrl-x'], action: 'prefix' },
  { keys: ['ctrl-_'], action: 'undo', help: ['Ctrl-_', 'Undo.'] },
  {
    keys: ['ctrl-c'],
    action: 'interrupt',
    help: ['Ctrl-C', 'Clear the line, then stop the answer; twice: exit.'],
  },
  {
    keys: ['ctrl-d'],
    action: 'deleteRightOrExit',
    help: ['Ctrl-D', 'Exit if the line is empty. The line exit or quit does the same.'],
  },
  {
    keys: ['escape'],
    action: 'escape',
    help: ['Esc', 'Stop the answer. Twice, without an answer: clear the line.'],
  },
  { keys: ['ctrl-z'], action: 'suspend', help: ['Ctrl-Z', 'Suspend; fg resumes.'] },
  {
    keys: ['ctrl-l'],
    action: 'pushScreen',
    help: ['Ctrl-L', 'Clear the screen; its text moves up into the scrollback.'],
  },

  { keys: ['left', 'ctrl-b'], action: 'characterLeft' },
  { keys: ['right', 'ctrl-f'], action: 'characterRight' },
  { keys: ['ctrl-left', 'alt-left', 'alt-b'], action: 'wordLeft' },
  { keys: ['ctrl-right', 'alt-right', 'alt-f'], action: 'wordRight' },
  { keys: ['home', 'ctrl-a'], action: 'toLineStart' },
  { keys: ['end', 'ctrl-e'], action: 'toLineEnd' },
  { keys: ['ctrl-home', 'alt-<'], action: 'toTextStart' },
  { keys: ['ctrl-end', 'alt->'], action: 'toTextEnd' },

  { keys: ['backspace', 'shift-backspace'], action: 'deleteLeft' },
  { keys: ['delete'], action: 'deleteRight' },
  { keys: ['alt-backspace', 'ctrl-backspace'], action: 'killWordLeft' },
  { keys: ['ctrl-w'], action: 'killBlankWordLeft' },
  { keys: ['ctrl-delete', 'alt-delete', 'alt-d'], action: 'killWordRight' },
  { keys: ['ctrl-k'], action: 'killToLineEnd' },
  { keys: ['ctrl-u'], action: 'killToLineStart' },
  { keys: ['ctrl-y'], action: 'yank' },
  { keys: ['alt-y'], action: 'yankOlder' },

  { keys: ['ctrl-t'], action: 'transposeCharacters' },
  { keys: ['alt-t'], action: 'transposeWords' },
  { keys: ['alt-u'], action: 'upperCaseWord' },
  { keys: ['alt-l'], action: 'lowerCaseWord' },
  { keys: ['alt-c'], action: 'capitalizeWord' },
] as const satisfies readonly KeyBinding[]

type BoundAction = (typeof bindings)[number]['action']

/** Key actions that do not edit the text; see line-state.ts. */
export type LineCommand = Exclude<BoundAction, EditAction>

/** The action for each key that has one. */
export const keymap: Readonly<Record<string, BoundAction>> = Object.fromEntries(
  bindings.flatMap(({ keys, action }) => keys.map((key) => [key, action])),
)

/** The rows for /help and the man page. */
export const keyHelp: readonly { readonly action: string; readonly keys: string; readonly help: string }[] =
  bindings.flatMap((binding) =>
    'help' in binding ? [{ action: binding.action, keys: binding.help[0], help: binding.help[1] }] : [],
  )
