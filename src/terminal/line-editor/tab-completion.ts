/** Tab completion: the candidates for the text at the cursor, and how they change the text. */

import { replace } from './editing.ts'
import type { LineState } from './line-state.ts'
import { commonLength } from './text-boundaries.ts'

export interface TabCandidate {
  /** The text that is inserted, with a trailing space if the word is complete. */
  readonly text: string
  /** What the list shows instead, such as the last part of a path. */
  readonly shown?: string | undefined
  /** One line about it. */
  readonly help?: string
}

export interface TabCompletion {
  /** The candidates replace the text from `start` to `end`. */
  readonly start: number
  readonly end: number
  readonly candidates: readonly TabCandidate[]
}

/** A promise's value is ignored if the text changes before it resolves. */
export type Completer = (text: string, cursor: number) => TabCompletion | Promise<TabCompletion> | undefined

/**
 * Inserts the longest common prefix of the candidates.
 * @param isSecond Whether Tab was pressed before: then the candidates are listed if that prefix is already typed.
 */
export function applyCompletion(line: LineState, completion: TabCompletion, isSecond: boolean): LineState {
  const { start, end, candidates } = completion
  const [first = '', ...others] = candidates.map(({ text }) => text)
  const prefix = others.reduce((common, text) => common.slice(0, commonLength(common, text)), first)
  const typed = line.editor.text.slice(start, end)
  const isOnly = candidates.length === 1
  if (isOnly ? prefix !== typed : prefix.length > typed.length) {
    return { ...line, editor: replace(line.editor, start, end, prefix) }
  }
  return isOnly || !isSecond ? line : { ...line, choices: candidates.map(({ text, shown }) => shown ?? text.trimEnd()) }
}
