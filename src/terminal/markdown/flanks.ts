/**
 * What a run of `*`, `_` or `~` may do by what stands around it (CommonMark 6.2). Whoever holds text back and whoever reads
 * it in the end both ask here.
 */

import { codePointAt, lastOf } from './breaks.ts'
import { isWithinAddress } from './link-target.ts'

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

/** So far the rest of a word is looked at, and an address before: work stays linear. */
const longestWord = 200

/**
 * @param from Where the text begins that is looked at.
 * @param isEnd Whether nothing follows the text.
 * @returns nothing when it depends on what follows.
 */
export function flanksOf(text: string, from: number, at: number, length: number, isEnd: boolean): Flanks | undefined {
  const character = text.charAt(at)
  const before = text.slice(Math.max(from, at - longestWord), at)
  const after = text.slice(at + length, at + length + longestWord)
  if (!isEnd && /^[./]?[\ud800-\udbff]?$/.test(after)) return undefined
  // One tilde means about.
  if (character === '~' && length !== 2) return nothing
  if (isOfPrograms(character, length, before, after) || isWithinAddress(before, after)) return nothing
  const [last, next] = [lastOf(before), codePointAt(after, 0)]
  const [left, right] = [kindOf(last), kindOf(next)]
  const leftFlanks = right !== 'space' && (right !== 'punctuation' || left !== 'letter')
  const rightFlanks = left !== 'space' && (left !== 'punctuation' || right !== 'letter')
  const [isAfterSlash, isBeforeSlash] = [last === '/', next === '/']
  if (character === '*' && isAscii(last) && isAscii(next)) return flanksInWord(length, before, after, isEnd)
  if (character !== '_') return { opens: leftFlanks, closes: rightFlanks, isAfterSlash, isBeforeSlash }
  // Underscores do nothing within words.
  const isWord = leftFlanks && rightFlanks
  return {
    // Unlike CommonMark: a slash outside is of a path, unless it parts what is emphasised on both sides.
    opens: leftFlanks && (!isWord || isPunctuation(last)) && !/(?:^|[^*_~])\/$/.test(before),
    closes: rightFlanks && (!isWord || isPunctuation(next)) && !/^\/(?:[^*_~]|$)/.test(after),
    isAfterSlash,
    isBeforeSlash,
  }
}

/** Unlike CommonMark: what programs mean by stars is not lost, as in `(x)**2`, `*.ts` and `src/**` + `/a-*` + `/b`. */
function isOfPrograms(character: string, length: number, before: string, after: string): boolean {
  if (before.endsWith('/') && after.startsWith('/')) return true
  if (character !== '*') return false
  if (/[)\]]$/.test(before) && /^\d/.test(after)) return true
  if (length !== 1) return false
  if (/^\.[\p{L}\p{N}]/u.test(after)) return true
  return (before.endsWith('/') && /^[-.]/.test(after)) || (/[-_]$/.test(before) && after.startsWith('/'))
}

/** Unlike CommonMark: what programs mean by stars between letters and digits is not lost, as in `2**8`. */
function flanksInWord(length: number, before: string, after: string, isEnd: boolean): Flanks | undefined {
  // Only a word that began so ends so, as in `**SHA**` + `256`.
  if (/^\d/.test(after)) return { ...nothing, closes: length === 2 && /(?:^|[^a-z\d*])\*\*[a-z]+$/i.test(before) }
  if (/\d$/.test(before)) return { ...nothing, closes: true }
  // What is not closed in the same word is a product, as in `width*height`.
  const [rest = ''] = /^[^\s*]*/.exec(after) ?? []
  if (!isEnd && rest.length === after.length && after.length < longestWord) return undefined
  if (length === 1 && isProduct(before, after)) return nothing
  return { ...nothing, opens: after.charAt(rest.length) === '*', closes: true }
}

/** Of letters, as in `a*b*c`. */
function isProduct(before: string, after: string): boolean {
  return /^[a-z](?![a-z\d])/i.test(after) && /(?:^|[^a-z\d*])(?:[a-z\d]\*)*[a-z\d]$/i.test(before.slice(-21))
}

function isAscii(character: string): boolean {
  return /^[a-z\d]$/i.test(character)
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
