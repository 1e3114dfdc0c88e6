/** What is within a block: the lexer's tokens as runs of text. */

import { decodeHTMLStrict } from 'entities'
import { Lexer, type Token, type Tokens } from 'marked'
import { harmless } from '../../io/harmless.ts'
import { linkAddress } from '../hyperlink.ts'
import { plain, within, type Appearance, type Run } from './run.ts'
import type { Theme } from './theme.ts'

/** Without any of these a text means itself. */
const special = /[\\`*_~[\]<>&]|https?:|www\.|@/i

export class Inline {
  readonly #theme: Theme
  readonly #hasLinks: boolean
  readonly #lexer = new Lexer({ gfm: true })

  constructor(theme: Theme, hasLinks: boolean) {
    this.#theme = theme
    this.#hasLinks = hasLinks
  }

  /** From here on references to this label lead there. The first definition counts. */
  define(label: string, href: string): void {
    this.#lexer.tokens.links[label.toLowerCase().replace(/\s+/g, ' ')] ??= { href, title: null }
  }

  /** @param text Of one line. */
  runs(text: string, base: Appearance = plain): Run[] {
    if (!special.test(text)) return [{ text, appearance: base }]
    // A tag that is left open must not change how the next text is read.
    Object.assign(this.#lexer.state, { inLink: false, inRawBlock: false })
    return this.#lexer.inlineTokens(text, []).flatMap((token) => this.#runsOf(token, base))
  }

  #runsOf(token: Token, base: Appearance): Run[] {
    const theme = this.#theme
    switch (token.type) {
      case 'strong':
        return this.#marked('**', token, within(base, theme.strong))
      case 'em':
        return this.#marked('*', token, within(base, theme.emphasis))
      case 'del':
        // One tilde means about.
        if (!token.raw.startsWith('~~')) return this.#between('~', token, base)
        return this.#marked('~~', token, within(base, theme.strike))
      case 'codespan':
        return [{ text: theme.keepsMarks ? token.raw : textOf(token), appearance: within(base, theme.code) }]
      case 'link':
      case 'image':
        return this.#link(token as Tokens.Link | Tokens.Image, base)
      case 'escape':
        return [{ text: textOf(token), appearance: base }]
      case 'text':
        return token.tokens ? this.#children(token, base) : [{ text: decoded(token.raw), appearance: base }]
      default:
        return [{ text: token.raw, appearance: base }]
    }
  }

  /** Without styling the marks themselves say what is meant. */
  #marked(mark: string, token: Token, appearance: Appearance): Run[] {
    return this.#theme.keepsMarks ? this.#between(mark, token, appearance) : this.#children(token, appearance)
  }

  #between(mark: string, token: Token, appearance: Appearance): Run[] {
    const edge = { text: mark, appearance }
    return [edge, ...this.#children(token, appearance), edge]
  }

  #children(token: Token, appearance: Appearance): Run[] {
    const { tokens = [] } = token as { tokens?: Token[] }
    return tokens.flatMap((child) => this.#runsOf(child, appearance))
  }

  /** The text of a link, and where it leads, unless a click tells or the text says it. */
  #link(token: Tokens.Link | Tokens.Image, base: Appearance): Run[] {
    const isLiteral = token.type === 'link' && token.autolink === true
    const href = isLiteral ? token.href : decoded(token.href)
    const address = linkAddress(href)
    const url = this.#hasLinks ? address : undefined
    const text = this.#children(token, address === undefined ? base : within(base, this.#theme.link, url))
    const isTold = isLiteral || url !== undefined || href === '' || href === text.map((run) => run.text).join('')
    if (text.length > 0 && isTold) return text
    const target = within(base, this.#theme.target, url)
    if (text.length === 0) return [{ text: href, appearance: target }]
    return [...text, { text: ' ', appearance: base }, { text: `(${href})`, appearance: target }]
  }
}

function textOf(token: Token): string {
  return (token as { text?: string }).text ?? token.raw
}

/** An entity may stand for any character, also for one that would do harm. */
function decoded(text: string): string {
  if (!text.includes('&')) return text
  return harmless(decodeHTMLStrict(text)).replace(/[\n\t]/g, ' ')
}
