/** What keys can do to the text, by name. */

import {
  capitaliseWord,
  deleteLeft,
  deleteRight,
  lowerCaseWord,
  newLine,
  transposeCharacters,
  transposeWords,
  upperCaseWord,
} from './changes.ts'
import { undo } from './editor.ts'
import {
  killBlankWordLeft,
  killToLineEnd,
  killToLineStart,
  killWordLeft,
  killWordRight,
  yank,
  yankOlder,
} from './kills.ts'
import {
  characterLeft,
  characterRight,
  toLineEnd,
  toLineStart,
  toTextEnd,
  toTextStart,
  wordLeft,
  wordRight,
} from './moves.ts'

export const actions = {
  capitaliseWord,
  characterLeft,
  characterRight,
  deleteLeft,
  deleteRight,
  killBlankWordLeft,
  killToLineEnd,
  killToLineStart,
  killWordLeft,
  killWordRight,
  lowerCaseWord,
  newLine,
  toLineEnd,
  toLineStart,
  toTextEnd,
  toTextStart,
  transposeCharacters,
  transposeWords,
  undo,
  upperCaseWord,
  wordLeft,
  wordRight,
  yank,
  yankOlder,
}

export type ActionName = keyof typeof actions

export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(actions, name)
}
