/**
 * What a run of `*`, `_` or `~` may do by what stands around it (CommonMark 6.2). Whoever holds text back and whoever reads
 * it in the end both ask here.
 */

import { codePointAt, lastOf } from './breaks.ts'

export interface Flanks {
  /** Whether it may begin emphasis. */
  readonly opens: boolean
  /** Whether it may end it. */
  readonly closes: boolean
  /** Whether a slash stands there. */
  readonly isAfterSlash: boolean
  readonly isBeforeSlash: boolean
}

const nothing: Flanks = { opens: false, closes: false, isAfterSlash: false, isBeforeSlash: false }

/** What is between two slashes is a pattern of paths, as in `**` + `/build/` + `**`. */
export function areOfPaths(opener: Flanks, closer: Flanks): boolean {
  return opener.isBeforeSlash && closer.isAfterSlash
}

/**
 * @param from Where the text begins that is looked at.
 * @param isEnd Whether nothing follows the text.
 * @returns nothing when it depends on what follows.
 */
export function flanksOf(text: string, from: number, at: number, length: number, isEnd: boolean): Flanks | undefined {
  const run = text.slice(at, at + length)
  const before = lastOf(text.slice(Math.max(from, at - 2), at))
  const after = text.slice(at + length, at + length + 3)
  if (!isEnd && /^\.?[\ud800-\udbff]?$/.test(after)) return undefined
  // One tilde means about.
  if (run.startsWith('~') ? length !== 2 : isOfPrograms(run, before, after)) return nothing
  const next = codePointAt(after, 0)
  const [left, right] = [kindOf(before), kindOf(next)]
  const leftFlanks = right !== 'space' && (right !== 'punctuation' || left !== 'letter')
  const rightFlanks = left !== 'space' && (left !== 'punctuation' || right !== 'letter')
  // Underscores do nothing within words.
  const isWord = run.startsWith('_') && leftFlanks && rightFlanks
  const [isAfterSlash, isBeforeSlash] = [before === '/', next === '/']
  return {
    // Unlike CommonMark: a slash outside is of a path, as in `src/__init__.py`.
    opens: leftFlanks && !isAfterSlash && (!isWord || isPunctuation(before)),
    closes: rightFlanks && !isBeforeSlash && (!isWord || isPunctuation(next)),
    isAfterSlash,
    isBeforeSlash,
  }
}

/** Unlike CommonMark: what programs and shells mean by stars is not lost, as in `2**8` and `*.ts`. */
function isOfPrograms(run: string, before: string, after: string): boolean {
  if (run.startsWith('_')) return false
  return (run === '*' && /^\.[\p{L}\p{N}]/u.test(after)) || (/^[a-z\d]$/i.test(before) && /^[a-z\d]/i.test(after))
}

/** Unlike CommonMark: Chinese and Japanese put no spaces beside punctuation, so beside them everything is as in a word. */
function kindOf(character: string): 'space' | 'wide' | 'punctuation' | 'letter' {
  if (character === '' || /^\s/.test(character)) return 'space'
  if (wide.test(character)) return 'wide'
  return isPunctuation(character) ? 'punctuation' : 'letter'
}

const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3001-\u303f\uff01-\uff60]/u

function isPunctuation(character: string): boolean {
  return /^[\p{P}\p{S}]/u.test(character)
}
