/** Which runs of `*`, `_` and `~` belong together (CommonMark 6.2). */

import type { Flanks } from './flanks.ts'

export interface Delimiter extends Flanks {
  readonly character: string
  /** As written. */
  readonly length: number
}

/** A run that was not paired yet. */
export interface DelimiterRun extends Delimiter {
  readonly kind: 'run'
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
    let isOfPath = false
    while (piece.closes && left > 0) {
      const at = open.findLastIndex((opener) => mayPair(opener, piece))
      const opener = open[at]
      if (!opener) break
      isOfPath = areOfPaths(opener, piece)
      if (isOfPath) {
        open.length = at
        break
      }
      const used = Math.min(opener.left, left, 2)
      opener.left -= used
      left -= used
      open.length = at + (opener.left > 0 ? 1 : 0)
      const children = done.splice(opener.place + 1) as Piece[]
      const kind = piece.character === '~' ? 'strike' : used === 2 ? 'strong' : 'emphasis'
      done[opener.place] = asText(piece.character.repeat(opener.left))
      done.push({ kind, children })
    }
    if (left > 0 && piece.opens && !isOfPath) open.push({ ...piece, left, place: done.length })
    done.push(asText(piece.character.repeat(left)))
  }
  return done
}

function isRun(piece: { readonly kind: string }): piece is DelimiterRun {
  return piece.kind === 'run'
}

/** Runs that could both open and close must not add up to a multiple of three (rules 9 and 10). */
export function mayPair(opener: Delimiter, closer: Delimiter): boolean {
  if (opener.character !== closer.character) return false
  if (!opener.closes && !closer.opens) return true
  return (opener.length + closer.length) % 3 !== 0 || (opener.length % 3 === 0 && closer.length % 3 === 0)
}

/** What stars have between two slashes is a pattern of paths, as in `**` + `/build/` + `**`: they pair, but mean nothing. */
export function areOfPaths(opener: Delimiter, closer: Delimiter): boolean {
  return opener.character === '*' && opener.isBeforeSlash && closer.isAfterSlash
}
