/** What is typed while nobody reads: it is kept, unseen, for the next time. */

import { actions, isActionName } from './actions.ts'
import { deleteRight } from './changes.ts'
import { insert, type EditorState } from './editor.ts'
import type { Input } from './keys.ts'
import { keymap } from './keymap.ts'

interface Ahead {
  readonly editor: EditorState
  readonly wish?: 'interrupt' | 'suspend'
}

/**
 * Enter begins a new line and sends nothing: nobody sends what they don't see. Neither the history nor the completion
 * answers to their keys, because both are for the eye.
 */
export function pressAhead(editor: EditorState, input: Input): Ahead {
  if (input.kind === 'text') return { editor: insert(editor, input.text, 'typing') }
  if (input.kind === 'paste') return { editor: insert(editor, input.text) }
  const name = keymap[input.name]
  if (name === undefined) return { editor }
  if (isActionName(name)) return { editor: actions[name](editor) }
  switch (name) {
    case 'interrupt':
    case 'suspend':
      return { editor, wish: name }
    case 'enter':
      return { editor: editor.text === '' ? editor : insert(editor, '\n') }
    case 'deleteRightOrLeave':
      return { editor: deleteRight(editor) }
    case 'complete':
    case 'down':
    case 'edit':
    case 'next':
    case 'previous':
    case 'redraw':
    case 'search':
    case 'up':
      return { editor }
  }
}

/** The Enter that was meant to send it takes no line of its own. */
export function aheadText({ text }: EditorState): string {
  return text.replace(/\n+$/, '')
}
