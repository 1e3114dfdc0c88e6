/**
 * The candidates for the word at the cursor, and how one changes the text; the list of them below the line: which match what is
 * typed, and the rows that show them.
 */

import { largestOf } from '../../io/arrays.ts'
import { sanitizeName, type SafeText } from '../../io/text/safe-text.ts'
import { cutTo, padTo, widthOf } from '../width.ts'
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
  const end = next === ' ' && text.endsWith(' ') ? cursor + 1 : cursor
  return replace(editor, start, end, inserted, { kind: 'candidate' })
}

export interface CandidateList {
  readonly completion: TabCompletion
  /** Match what is typed, the best first; at least one. */
  readonly matches: readonly Candidate[]
  /** Index of the match that the arrow keys have chosen. */
  readonly chosen: number | undefined
}

/** With the row that counts the others. */
export const maximumListRows = 8

/** In columns: of a terminal with a list, of an explanation, and of a name that is cut to leave room for one. */
const least = { columns: 10, help: 8, name: 28 }

/** @param before The text before the cursor. @returns `undefined` if none matches. */
export function listCandidates(completion: TabCompletion, before: string): CandidateList | undefined {
  const matches = matching(completion.candidates, before.slice(completion.start).toLowerCase())
  return matches.length === 0 ? undefined : { completion, matches, chosen: undefined }
}

/** Chooses the next match, or the one before for -1. Between the last and the first one, none is chosen. */
export function choose(list: CandidateList, step: 1 | -1): CandidateList {
  const count = list.matches.length + 1
  const next = ((list.chosen ?? -1) + 1 + step + count) % count
  return { ...list, chosen: next === 0 ? undefined : next - 1 }
}

/** @returns as many rows as fit; none if there is no room for a candidate. */
export function layOutList(
  list: CandidateList | undefined,
  { columns, rows }: { readonly columns: number; readonly rows: number },
  dim: (text: string) => string,
): { lead: string; text: string }[] {
  const { matches = [], chosen } = list ?? {}
  const hasMore = matches.length > rows
  const height = hasMore ? rows - 1 : matches.length
  if (height < 1 || columns < least.columns) return []
  const first = Math.max(0, Math.min((chosen ?? 0) - Math.floor(height / 2), matches.length - height))
  const visible = matches.slice(first, first + height)
  const nameOf = ({ text, shown = text.trimEnd() }: Candidate): SafeText => sanitizeName(shown)
  const room = columns - 2
  const longest = visible.some(({ help }) => help) ? Math.max(least.name, Math.floor((columns * 2) / 3)) : room
  // Some that are not visible count too, so that the explanations keep their column.
  const names = [...matches.slice(0, 50), ...visible].map(nameOf)
  const width = Math.min(largestOf(names.map(widthOf)), longest, room)
  const listed = visible.map((candidate, index) => {
    const isChosen = first + index === chosen
    const name = cutTo(nameOf(candidate), width)
    const explanation = room - width - 2 < least.help ? '' : cutTo(sanitizeName(candidate.help ?? ''), room - width - 2)
    const shown = isChosen ? explanation : dim(explanation)
    return { lead: isChosen ? '> ' : '  ', text: explanation === '' ? name : `${padTo(name, width)}  ${shown}` }
  })
  const place = chosen === undefined ? `… ${matches.length - height} more` : `${chosen + 1} of ${matches.length}`
  return hasMore ? [...listed, { lead: '  ', text: dim(cutTo(place, room)) }] : listed
}

/** Two names of each candidate, without case. Made once for each array, as all are compared at each key. */
const foldedNames = new WeakMap<readonly Candidate[], readonly string[]>()

/** Parts of the number by which matches are sorted, which takes 2 ms for 20,000: the rank, the length, and the index. */
const places = { rank: 2 ** 40, length: 2 ** 20 }

function matching(candidates: readonly Candidate[], query: string): readonly Candidate[] {
  if (query === '') return candidates
  const names =
    foldedNames.get(candidates) ??
    candidates.flatMap(({ text, shown = '' }) => [text.trimEnd().toLowerCase(), shown.toLowerCase()])
  foldedNames.set(candidates, names)
  const keys: number[] = []
  for (const [at, name] of names.entries()) {
    const rank = rankOf(name, query)
    if (rank !== undefined) keys.push(rank * places.rank + name.length * places.length + Math.floor(at / 2))
  }
  const sorted = Float64Array.from(keys).sort()
  return [...new Set(Array.from(sorted, (key) => candidates[key % places.length] ?? { text: '' }))]
}

/** How well a name matches: the lower the better; `undefined` if it does not. */
function rankOf(name: string, query: string): number | undefined {
  if (name.startsWith(query)) return name.length === query.length ? 0 : 1
  if (matchingWord(name, query) !== -1) return 2
  const first = query.charAt(0)
  // Each letter begins a word or follows the one before, such as those of `mato` in `max_tokens`.
  if (hasLetters(name, query, matchingWord(name, first), matchingWord)) return 3
  if (name.includes(query)) return 4
  // Three letters are in most texts somewhere.
  const start = query.length > 2 ? matchingWord(name, first) : name.indexOf(first)
  return hasLetters(name, query, start, (_name, letter, from) => name.indexOf(letter, from)) ? 5 : undefined
}

/** Whether the letters follow each other, the first one at `start`: at once, or where `find` finds the next one. */
function hasLetters(name: string, query: string, start: number, find: typeof matchingWord): boolean {
  let at = start
  for (let index = 1; index < query.length && at !== -1; index++) {
    const letter = query.charAt(index)
    at = name.charAt(at + 1) === letter ? at + 1 : find(name, letter, at + 1)
  }
  return at !== -1
}

const wordCharacter = /[\p{L}\p{M}\p{N}]/u

/** The offset at which a word starts with these letters; -1 if none does. */
function matchingWord(name: string, letters: string, from = 0): number {
  let at = name.indexOf(letters, from)
  while (at > 0 && wordCharacter.test(name.charAt(at - 1))) at = name.indexOf(letters, at + 1)
  return at
}
