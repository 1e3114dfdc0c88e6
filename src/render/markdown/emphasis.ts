/** Which runs of `*`, `_` and `~` belong together (CommonMark 6.2). */

import { areOfPaths, type Flanks } from './flanks.ts'

/** A run that was not paired yet. */
export interface DelimiterRun extends Flanks {
  readonly kind: 'run'
  readonly character: string
  /** As written. */
  readonly length: number
}

export interface Emphasis<Piece> {
  readonly kind: 'strong' | 'emphasis' | 'strike'
  readonly children: readonly Piece[]
}

interface OpenRun extends DelimiterRun {
  /** Where it stands among the pieces. */
  readonly place: number
  left: number
}

/** @returns the pieces with what is emphasised as one, and what emphasises nothing as text. */
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

/** Runs that could both open and close must not add up to a multiple of three (rules 9 and 10). */
function mayPair(opener: OpenRun, closer: DelimiterRun): boolean {
  if (opener.character !== closer.character || areOfPaths(opener, closer)) return false
  if (!opener.closes && !closer.opens) return true
  return (opener.length + closer.length) % 3 !== 0 || (opener.length % 3 === 0 && closer.length % 3 === 0)
}
