/** The text of a line as runs, each with how it is to look. */

import { decodeHTMLStrict } from 'entities'
import { harmless } from '../../io/harmless.ts'
import { linkAddress } from '../hyperlink.ts'
import { inlinePieces, labelOf, type InlinePiece, type LinkPiece } from './inline-pieces.ts'
import { lineBreak, plain, within, type Appearance, type Run } from './page.ts'
import type { Theme } from './theme.ts'

/** Without any of these a text means itself. */
const special = /[\\`*_~[\]<>&]|https?:|www\.|@/i
/** A heading or a cell that is longer is read part by part: work stays linear. */
const parts = /[^]{1,4000}/gu

export class Inline {
  readonly #theme: Theme
  readonly #hasLinks: boolean
  readonly #definitions = new Map<string, string>()

  constructor(theme: Theme, hasLinks: boolean) {
    this.#theme = theme
    this.#hasLinks = hasLinks
  }

  /** From here on references to this label lead there. The first definition counts. */
  define(label: string, href: string): void {
    const name = labelOf(label)
    if (!this.#definitions.has(name)) this.#definitions.set(name, href)
  }

  /** @param text Of one line. */
  runs(text: string, base: Appearance = plain): Run[] {
    if (!special.test(text)) return [{ text, appearance: base }]
    return (text.match(parts) ?? []).flatMap((part) =>
      inlinePieces(part, this.#definitions).flatMap((piece) => this.#runsOf(piece, base)),
    )
  }

  #runsOf(piece: InlinePiece, base: Appearance): Run[] {
    const theme = this.#theme
    switch (piece.kind) {
      case 'strong':
        return this.#marked('**', piece.children, within(base, theme.strong))
      case 'emphasis':
        return this.#marked('*', piece.children, within(base, theme.emphasis))
      case 'strike':
        return this.#marked('~~', piece.children, within(base, theme.strike))
      case 'code':
        return [{ text: theme.keepsMarks ? piece.raw : piece.text, appearance: within(base, theme.code) }]
      case 'link':
        return this.#link(piece, base)
      case 'break':
        return [{ text: lineBreak, appearance: base }]
      case 'verbatim':
        return [{ text: piece.text, appearance: base }]
      case 'text':
        return [{ text: decoded(piece.text), appearance: base }]
    }
  }

  /** Without styling the marks themselves say what is meant. */
  #marked(mark: string, children: readonly InlinePiece[], appearance: Appearance): Run[] {
    const inner = this.#children(children, appearance)
    if (!this.#theme.keepsMarks) return inner
    const edge = { text: mark, appearance }
    return [edge, ...inner, edge]
  }

  #children(children: readonly InlinePiece[], appearance: Appearance): Run[] {
    return children.flatMap((child) => this.#runsOf(child, appearance))
  }

  /** The text of a link, and where it leads, unless a click tells or the text says it. */
  #link(link: LinkPiece, base: Appearance): Run[] {
    const href = decoded(link.href)
    const address = linkAddress(href)
    const url = this.#hasLinks ? address : undefined
    const text = this.#children(link.children, address === undefined ? base : within(base, this.#theme.link, url))
    const isTold = link.isAddress || url !== undefined || href === '' || href === text.map((run) => run.text).join('')
    if (text.length > 0 && isTold) return text
    const target = within(base, this.#theme.target, url)
    if (text.length === 0) return [{ text: href, appearance: target }]
    return [...text, { text: ' ', appearance: base }, { text: `(${href})`, appearance: target }]
  }
}

/** An entity may stand for any character, also for one that would do harm. */
function decoded(text: string): string {
  if (!text.includes('&')) return text
  return harmless(decodeHTMLStrict(text)).replace(/[\n\t]/g, ' ')
}
