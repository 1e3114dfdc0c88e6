/**
 * Runs of `*`, `_` and `~`: which may begin or end emphasis, and which belong together (CommonMark 6.2). Prose that is held
 * while it arrives and text that is read as a whole both ask here.
 */

import { codePointAt, lastOf } from './breaks.ts'
import { isWithinAddress } from './links.ts'

export interface Delimiter {
  readonly character: string
  /** As written. */
  readonly length: number
  /** Whether it may begin emphasis. */
  readonly opens: boolean
  /** Whether it may end it. */
  readonly closes: boolean
  /** Whether CommonMark lets it do both, which rules 9 and 10 ask for. */
  readonly isBoth: boolean
}

/** A run that was not paired yet. */
export interface DelimiterRun extends Delimiter {
  readonly kind: 'run'
}

export interface Emphasis<Piece> {
  readonly kind: 'strong' | 'emphasis' | 'strike'
  readonly children: readonly Piece[]
}

/** So far back the beginning of an address is looked for: work stays linear. */
const longestAddress = 200

/**
 * @param from Where the text begins that is looked at.
 * @param at Where a run of this length begins.
 * @param isEnd Whether nothing follows the text.
 * @returns undefined when it depends on what follows.
 */
export function delimiterAt(
  text: string,
  from: number,
  at: number,
  length: number,
  isEnd: boolean,
): Delimiter | undefined {
  const character = text.charAt(at)
  const before = text.slice(Math.max(from, at - longestAddress), at)
  const after = text.slice(at + length, at + length + 2)
  if (!isEnd && /^[\ud800-\udbff]?$/.test(after)) return undefined
  const [last, next] = [lastOf(before), codePointAt(after, 0)]
  const [left, right] = [kindOf(last), kindOf(next)]
  const leftFlanks = right !== 'space' && (right !== 'punctuation' || left !== 'letter')
  const rightFlanks = left !== 'space' && (left !== 'punctuation' || right !== 'letter')
  const isBoth = leftFlanks && rightFlanks
  const delimiter = { character, length, opens: false, closes: false, isBoth }
  // One tilde means about.
  if ((character === '~' && length !== 2) || isWithinAddress(before, next)) return delimiter
  if (character === '_') {
    const [opens, closes] = [!isBoth || isPunctuation(last), !isBoth || isPunctuation(next)]
    return { ...delimiter, opens: leftFlanks && opens, closes: rightFlanks && closes }
  }
  return { ...delimiter, opens: leftFlanks && !(character === '*' && isOfCode(last, next)), closes: rightFlanks }
}

/**
 * Unlike CommonMark, stars between two letters or digits, and between a slash and anything else, begin no emphasis: they are
 * of expressions and paths, such as `2**8`, `n*m` and `src/*.ts`. Of 17,710 answers of 22 models, 5 begin emphasis there by
 * CommonMark, each of them a formula, and more than 60 end it there, as in `**S**trengths`.
 */
function isOfCode(last: string, next: string): boolean {
  if (last === '/') return !/[\p{L}\p{N}]/u.test(next)
  return /^[a-z\d]$/i.test(last) && /^[a-z\d]$/i.test(next)
}

/**
 * Unlike CommonMark (its open issue 650): Chinese and Japanese put no spaces beside punctuation, so beside their characters
 * everything is as in a word, and `**真，**她` is strong.
 */
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

/** Names are not longer. */
const longestName = 80

/**
 * Unlike CommonMark, a name between double underscores is not strong: `__init__`. No answer of the 17,710 has `__` for strong.
 * @param at Where two underscores stand, and no more.
 * @param isEnd Whether nothing follows the text.
 * @returns where the name ends; -1 where there is none; undefined when that depends on what follows.
 */
export function nameEnd(text: string, at: number, isEnd: boolean): number | undefined {
  const rest = text.slice(at, at + longestName)
  if (!isEnd && rest.length < longestName && /^__(?:[a-z][a-z\d_]*)?$/.test(rest)) return undefined
  const [name] = /^__[a-z][a-z\d]*(?:_[a-z\d]+)*__(?!\w)/.exec(rest) ?? []
  return name === undefined ? -1 : at + name.length
}

/** Runs that could both open and close must not add up to a multiple of three (rules 9 and 10). */
export function mayPair(opener: Delimiter, closer: Delimiter): boolean {
  if (opener.character !== closer.character) return false
  if (!opener.isBoth && !closer.isBoth) return true
  return (opener.length + closer.length) % 3 !== 0 || (opener.length % 3 === 0 && closer.length % 3 === 0)
}

interface OpenRun extends DelimiterRun {
  /** Its index among the pieces. */
  readonly place: number
  left: number
}

/** @returns the pieces with emphasis as one piece, and runs that emphasize nothing as text. */
export function paired<Piece extends { readonly kind: string }>(
  pieces: readonly (Piece | DelimiterRun)[],
  asText: (text: string) => Piece,
): (Piece | Emphasis<Piece>)[] {
  const done: (Piece | Emphasis<Piece>)[] = []
  const open: OpenRun[] = []
  for (const piece of pieces) {
    if (!isRun(piece)) {
      done.push(piece)
      continue
    }
    let left = piece.length
    while (piece.closes && left > 0) {
      const at = open.findLastIndex((opener) => mayPair(opener, piece))
      const opener = open[at]
      if (!opener) break
      const used = Math.min(opener.left, left, 2)
      opener.left -= used
      left -= used
      open.length = at + (opener.left > 0 ? 1 : 0)
      const children = done.splice(opener.place + 1) as Piece[]
      const kind = piece.character === '~' ? 'strike' : used === 2 ? 'strong' : 'emphasis'
      done[opener.place] = asText(piece.character.repeat(opener.left))
      done.push({ kind, children })
    }
    if (left > 0 && piece.opens) open.push({ ...piece, left, place: done.length })
    done.push(asText(piece.character.repeat(left)))
  }
  return done
}

function isRun(piece: { readonly kind: string }): piece is DelimiterRun {
  return piece.kind === 'run'
}
