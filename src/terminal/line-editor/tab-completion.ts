/** Completes what stands before the cursor. */

import { replace, type EditorState } from './editing.ts'
import { previousBoundary } from './text-boundaries.ts'

export interface Candidate {
  /** What stands in the text once it is chosen, a blank behind it included where one is wanted. */
  readonly text: string
  /** What the list shows instead, such as a path's last name. */
  readonly shown?: string | undefined
}

export interface Completion {
  /** What the candidates take the place of. */
  readonly start: number
  readonly end: number
  readonly candidates: readonly Candidate[]
}

/** A plain value is used at once; after a promise the text must not have changed, or it comes to nothing. */
export type Completer = (text: string, cursor: number) => Completion | Promise<Completion> | undefined

interface Completed {
  readonly editor: EditorState
  /** What is left to choose from, where nothing more is certain. */
  readonly choices: readonly string[]
}

/** Puts in what all candidates begin with. */
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
