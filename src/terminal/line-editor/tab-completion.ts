/** Completion: the candidates for the word at the cursor, and how they change the text. */

import { replace, type EditorState } from './editing.ts'

export interface Candidate {
  /** The text that is inserted, with a trailing space if the word is complete. */
  readonly text: string
  /** What the list shows instead, such as the title of a conversation. */
  readonly shown?: string | undefined
  /** One line of explanation. */
  readonly help?: string | undefined
}

export type Candidates = readonly Candidate[]

/** The candidates replace the text from `start` to the cursor. */
export interface TabCompletion<Found = Candidates> {
  readonly start: number
  /** All of them, whatever is typed; the same array until they change. */
  readonly candidates: Found
}

/** A promise's value is ignored if the text changes before it resolves. It never throws, but a promise may reject. */
export type Completer = (text: string, cursor: number) => TabCompletion<Candidates | Promise<Candidates>> | undefined

/** Inserts a candidate. Its space takes the place of one that follows, and is left out before punctuation and a line feed. */
export function withCandidate(editor: EditorState, { start }: TabCompletion, { text }: Candidate): EditorState {
  const { cursor } = editor
  const next = editor.text[cursor] ?? ''
  const inserted = /[\p{P}\n]/u.test(next) ? text.trimEnd() : text
  return replace(editor, start, next === ' ' && text.endsWith(' ') ? cursor + 1 : cursor, inserted)
}
