/** What is within a line: its text taken apart by CommonMark 6 and GFM 6, with formulas besides. */

import { paired, type DelimiterRun, type Emphasis } from './emphasis.ts'
import { flanksOf } from './flanks.ts'
import { angledAddress, bareAddress, inlineTarget, mailAddress } from './link-target.ts'
import { nameEnd } from './names.ts'
import { lineBreakEnd, spanEnd } from './spans.ts'

export type InlinePiece =
  /** Entities in it are still to be read. */
  | { readonly kind: 'text'; readonly text: string }
  /** As it is. */
  | { readonly kind: 'verbatim'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly raw: string }
  | { readonly kind: 'break' }
  | LinkPiece
  | Emphasis<InlinePiece>

export interface LinkPiece {
  readonly kind: 'link'
  readonly href: string
  /** Whether the text is the address. */
  readonly isAddress: boolean
  readonly children: readonly InlinePiece[]
}

/** Where references lead, by their labels. */
export type Definitions = ReadonlyMap<string, string>

export function labelOf(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ')
}

export function inlinePieces(text: string, definitions: Definitions): readonly InlinePiece[] {
  return new InlineReader(text, definitions).read()
}

interface OpenBracket {
  /** Where its text begins. */
  readonly start: number
  /** Where it stands among the pieces. */
  readonly place: number
  readonly isImage: boolean
}

const special = /[\\`*_~[\]<$@]|!\[|https?:\/\/|www\./gi
const tag =
  /<(?:\/[a-z][a-z\d-]*\s*|[a-z][a-z\d-]*(?:\s+[a-z:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?|!--.*?--|\?.*?\?|![a-z][^<>\s\u2e80-\uffff]*)>/iy

class InlineReader {
  readonly #text: string
  readonly #definitions: Definitions
  #at = 0
  #pieces: (InlinePiece | DelimiterRun)[] = []
  #brackets: OpenBracket[] = []

  constructor(text: string, definitions: Definitions) {
    this.#text = text
    this.#definitions = definitions
  }

  read(): readonly InlinePiece[] {
    while (this.#at < this.#text.length) {
      special.lastIndex = this.#at
      const next = special.exec(this.#text)?.index ?? this.#text.length
      this.#take(next)
      if (next < this.#text.length) this.#readMark(this.#text.charAt(next))
    }
    return paired(this.#pieces, asText)
  }

  #readMark(character: string): void {
    switch (character) {
      case '\\':
      case '`':
      case '$':
        return this.#readSpan(character)
      case '*':
      case '_':
      case '~':
        return this.#readRun(character)
      case '!':
      case '[':
        return this.#openBracket(character === '!')
      case ']':
        return this.#closeBracket()
      case '<':
        return this.#readAngle()
      case '@':
        return this.#readMail()
      default:
        return this.#readAddress()
    }
  }

  /** Text up to there, as it is. */
  #take(end: number): void {
    const text = this.#text.slice(this.#at, end)
    const last = this.#pieces.at(-1)
    if (last?.kind === 'text') this.#pieces[this.#pieces.length - 1] = asText(last.text + text)
    else if (text !== '') this.#pieces.push(asText(text))
    this.#at = end
  }

  #push(piece: InlinePiece | DelimiterRun, end: number): void {
    this.#pieces.push(piece)
    this.#at = end
  }

  #readSpan(character: string): void {
    const end = spanEnd(this.#text, this.#at, true) ?? -1
    const raw = this.#text.slice(this.#at, end)
    if (end === -1) this.#readNoSpan(character)
    else if (character === '`') this.#push({ kind: 'code', text: withinTicks(raw), raw }, end)
    else this.#push({ kind: 'verbatim', text: raw }, end)
  }

  #readNoSpan(character: string): void {
    const next = this.#text.charAt(this.#at + 1)
    const isEscape = character === '\\' && /^[!-/:-@[-`{-~]$/.test(next)
    if (isEscape) this.#push({ kind: 'verbatim', text: next }, this.#at + 2)
    else this.#take(character === '\\' ? this.#at + 1 : this.#runEnd(character))
  }

  #readRun(character: string): void {
    const end = this.#runEnd(character)
    const length = end - this.#at
    const name = character === '_' && length === 2 ? (nameEnd(this.#text, 0, this.#at, true) ?? -1) : -1
    if (name !== -1) return this.#take(name)
    const flanks = flanksOf(this.#text, 0, this.#at, length, true)
    if (flanks?.opens || flanks?.closes) this.#push({ kind: 'run', character, length, ...flanks }, end)
    else this.#take(end)
  }

  #runEnd(character: string): number {
    let end = this.#at + 1
    while (this.#text.charAt(end) === character) end++
    return end
  }

  #openBracket(isImage: boolean): void {
    const start = this.#at + (isImage ? 2 : 1)
    this.#brackets.push({ start, place: this.#pieces.length, isImage })
    this.#push({ kind: 'verbatim', text: this.#text.slice(this.#at, start) }, start)
  }

  #closeBracket(): void {
    const opener = this.#brackets.pop()
    const target = opener && this.#targetOf(opener)
    if (!target) return this.#take(this.#at + 1)
    const children = paired(this.#pieces.splice(opener.place), asText).slice(1).flatMap(withoutAddresses)
    this.#push({ kind: 'link', href: target.href, isAddress: false, children }, target.end)
    // No links in links.
    if (!opener.isImage) this.#brackets = this.#brackets.filter(({ isImage }) => isImage)
  }

  #targetOf({ start }: OpenBracket): { href: string; end: number } | undefined {
    const end = this.#at + 1
    const target = inlineTarget(this.#text, end)
    if (target || this.#definitions.size === 0) return target
    const text = this.#text.slice(start, this.#at)
    const [whole = '', label = ''] = /^\[((?:\\.|[^\\[\]])*)\]/.exec(this.#text.slice(end, end + 1000)) ?? []
    const href = this.#definitions.get(labelOf(label === '' ? text : label))
    return href === undefined ? undefined : { href, end: end + whole.length }
  }

  #readAngle(): void {
    const breakEnd = lineBreakEnd(this.#text, this.#at, true) ?? -1
    if (breakEnd !== -1) return this.#push({ kind: 'break' }, breakEnd)
    const address = angledAddress(this.#text, this.#at)
    if (address) return this.#push(addressPiece(address.href, address.text), address.end)
    tag.lastIndex = this.#at
    if (!tag.test(this.#text)) return this.#take(this.#at + 1)
    return this.#push({ kind: 'verbatim', text: this.#text.slice(this.#at, tag.lastIndex) }, tag.lastIndex)
  }

  #readMail(): void {
    const mail = mailAddress(this.#text, this.#at)
    const last = this.#pieces.at(-1)
    const before = mail ? this.#text.slice(mail.start, this.#at) : ''
    if (!mail || last?.kind !== 'text' || !last.text.endsWith(before)) return this.#take(this.#at + 1)
    this.#pieces[this.#pieces.length - 1] = asText(last.text.slice(0, last.text.length - before.length))
    const address = this.#text.slice(mail.start, mail.end)
    return this.#push(addressPiece(`mailto:${address}`, address), mail.end)
  }

  #readAddress(): void {
    const address = bareAddress(this.#text, this.#at, this.#brackets.length > 0)
    if (!address) return this.#take(this.#at + 1)
    return this.#push(addressPiece(address.href, this.#text.slice(this.#at, address.end)), address.end)
  }
}

function asText(text: string): InlinePiece {
  return { kind: 'text', text }
}

function addressPiece(href: string, text: string): LinkPiece {
  return { kind: 'link', href, isAddress: true, children: [asText(text)] }
}

/** An address in the text of a link is text. */
function withoutAddresses(piece: InlinePiece): readonly InlinePiece[] {
  if (!('children' in piece)) return [piece]
  const children = piece.children.flatMap(withoutAddresses)
  return piece.kind === 'link' && piece.isAddress ? children : [{ ...piece, children }]
}

/** One space on each side may keep backticks of the code apart from those around it. */
function withinTicks(raw: string): string {
  const [ticks = ''] = /^`+/.exec(raw) ?? []
  const code = raw.slice(ticks.length, -ticks.length)
  return /^ .* $/.test(code) && code.trim() !== '' ? code.slice(1, -1) : code
}
