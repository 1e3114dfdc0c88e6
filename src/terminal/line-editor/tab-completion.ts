/** Tab completion: the candidates for the text at the cursor, and how they change the text. */

import { replace, type EditorState } from './editing.ts'
import { previousBoundary } from '../graphemes.ts'

export interface Candidate {
  /** The text that is inserted, with a trailing space if the word is complete. */
  readonly text: string
  /** What the list shows instead, such as the last part of a path. */
  readonly shown?: string | undefined
}

export interface Completion {
  /** The candidates replace the text from `start` to `end`. */
  readonly start: number
  readonly end: number
  readonly candidates: readonly Candidate[]
}

/** A promise's value is ignored if the text changes before it resolves. */
export type Completer = (text: string, cursor: number) => Completion | Promise<Completion> | undefined

interface Completed {
  readonly editor: EditorState
  /** The candidates, if their common prefix is already typed. */
  readonly choices: readonly string[]
}

/** Inserts the longest common prefix of the candidates. */
export function completeWith(editor: EditorState, { start, end, candidates }: Completion): Completed {
  const [only, ...others] = candidates
  if (only === undefined) return { editor, choices: [] }
  const prefix = commonPrefix(candidates.map(({ text }) => text))
  const typed = editor.text.slice(start, end)
  const isCertain = others.length === 0 ? prefix !== typed : prefix.length > typed.length
  if (isCertain) return { editor: replace(editor, start, end, prefix), choices: [] }
  if (others.length === 0) return { editor, choices: [] }
  return { editor, choices: candidates.map(({ text, shown }) => shown ?? text.trimEnd()) }
}

function commonPrefix(texts: readonly string[]): string {
  const [first = '', ...others] = texts
  let length = first.length
  for (const other of others) {
    while (!other.startsWith(first.slice(0, length))) length = previousBoundary(first, length)
  }
  return first.slice(0, length)
}
