/** Parses the inlines of a line (CommonMark 6, GFM 6, and formulas) into runs of text with their appearance. */

import { decodeHTMLStrict } from 'entities'
import { sanitizeForTerminal } from '../../io/safe-text.ts'
import type { Secrets } from '../../io/secrets.ts'
import { hostIfMisleading, linkAddress } from '../hyperlink.ts'
import { delimiterAt, nameEnd, paired, type DelimiterRun, type Emphasis } from './delimiters.ts'
import type { Definition } from './line-start.ts'
import { angleAutolink, bareUrl, inlineTarget, emailAddress } from './links.ts'
import { lineBreak, plain, withPaint, type Appearance, type Run } from './page.ts'
import { lineBreakEnd, spanEnd } from './spans.ts'
import type { Theme } from './theme.ts'

export type InlinePiece =
  /** Its entities are not decoded yet. */
  | { readonly kind: 'text'; readonly text: string }
  /** Shown as written. */
  | { readonly kind: 'verbatim'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly raw: string }
  | { readonly kind: 'break' }
  | LinkPiece
  | Emphasis<InlinePiece>

export interface LinkPiece {
  readonly kind: 'link'
  readonly href: string
  /** Whether the text is the URL itself (an autolink). */
  readonly isAddress: boolean
  readonly children: readonly InlinePiece[]
}

/** The URLs of link references, by label. */
type Definitions = ReadonlyMap<string, string>

/** In characters: https://spec.commonmark.org/0.31.2/#link-label. Without a limit, the work would be O(n²) for many brackets. */
const longestLabel = 999

function normalizedLabel(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ')
}

/** Defines a link reference for the text that follows. The first definition of a label counts. */
export function define(definitions: Map<string, string>, { label, href }: Definition): void {
  const name = normalizedLabel(label)
  if (!definitions.has(name)) definitions.set(name, href)
}

/** Parses a complete text, such as a line, a heading or a cell. */
export function parseInlines(text: string, definitions: Definitions): readonly InlinePiece[] {
  if (!marks.test(text)) return [asText(text)]
  return (text.match(parts) ?? []).flatMap((part) => new InlineParser(part, definitions).parse())
}

/** A text without any of these is plain. */
const marks = /[\\`*_~[\]<>&]|https?:|www\.|@/i
/** A longer heading or cell is parsed in parts, to keep the work linear. */
const parts = /[^]{1,4000}/gu

interface InlineOptions {
  readonly theme: Theme
  /** Whether the terminal supports hyperlinks. */
  readonly hasLinks: boolean
  readonly secrets: Secrets
}

export class Inline {
  readonly #theme: Theme
  readonly #hasLinks: boolean
  readonly #secrets: Secrets
  readonly #definitions = new Map<string, string>()

  constructor({ theme, hasLinks, secrets }: InlineOptions) {
    this.#theme = theme
    this.#hasLinks = hasLinks
    this.#secrets = secrets
  }

  define(definition: Definition): void {
    define(this.#definitions, definition)
  }

  /** @param text One line or part of it. */
  runs(text: string, base: Appearance = plain): Run[] {
    if (!marks.test(text)) return [{ text, appearance: base }]
    const runs = parseInlines(text, this.#definitions).flatMap((piece) => this.#runsOf(piece, base))
    return this.#withHosts(this.#masked(joined(runs)))
  }

  /** The terminal's sink masks keys, too. Here they are masked before a cell of a table breaks them across its lines. */
  #masked(runs: Run[]): Run[] {
    const texts = runs.map((run) => run.text)
    const masked = this.#secrets.maskAcross(texts)
    return masked === texts ? runs : runs.map((run, at) => ({ ...run, text: masked[at] ?? '' }))
  }

  /** Adds the host to a link whose text looks like the address of another one: `bank.com (evil.example)`. */
  #withHosts(runs: Run[]): Run[] {
    if (!this.#hasLinks || !runs.some(({ appearance }) => appearance.url !== undefined)) return runs
    const text = runs.map((run) => run.text).join('')
    const shown: Run[] = []
    let start = 0
    for (let at = 0; at < runs.length;) {
      const url = runs[at]?.appearance.url
      let end = start
      for (; at < runs.length && runs[at]?.appearance.url === url; at++) {
        const run = runs[at] as Run
        shown.push(run)
        end += run.text.length
      }
      const host = url === undefined ? undefined : hostIfMisleading(wordsAt(text, start, end), url)
      if (host !== undefined) {
        const appearance = withPaint(plain, this.#theme.target, url)
        shown.push({ text: ' ', appearance: plain }, { text: `(${host})`, appearance, isWhole: true })
      }
      start = end
    }
    return shown
  }

  #runsOf(piece: InlinePiece, base: Appearance): Run[] {
    const theme = this.#theme
    switch (piece.kind) {
      case 'strong':
        return this.#marked('**', piece.children, withPaint(base, theme.strong))
      case 'emphasis':
        return this.#marked('*', piece.children, withPaint(base, theme.emphasis))
      case 'strike':
        return this.#marked('~~', piece.children, withPaint(base, theme.strike))
      case 'code':
        return [{ text: theme.keepsMarks ? piece.raw : piece.text, appearance: withPaint(base, theme.code) }]
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

  /** Without styling, the marks are shown. */
  #marked(mark: string, children: readonly InlinePiece[], appearance: Appearance): Run[] {
    const inner = this.#children(children, appearance)
    if (!this.#theme.keepsMarks) return inner
    const edge = { text: mark, appearance }
    return [edge, ...inner, edge]
  }

  #children(children: readonly InlinePiece[], appearance: Appearance): Run[] {
    return children.flatMap((child) => this.#runsOf(child, appearance))
  }

  /** The text of a link, followed by its URL unless the terminal opens links or the text is the URL. */
  #link(link: LinkPiece, base: Appearance): Run[] {
    const href = decoded(link.href)
    const address = linkAddress(href)
    const url = this.#hasLinks ? address : undefined
    const text = this.#children(link.children, address === undefined ? base : withPaint(base, this.#theme.link, url))
    const isComplete = url !== undefined || href === '' || href === text.map((run) => run.text).join('')
    if (link.isAddress) return text.map((run) => ({ ...run, isWhole: true }))
    if (text.length > 0 && isComplete) return text
    const target = withPaint(base, this.#theme.target, url)
    if (text.length === 0) return [{ text: href, appearance: target, isWhole: true }]
    return [...text, { text: ' ', appearance: base }, { text: `(${href})`, appearance: target, isWhole: true }]
  }
}

/** In characters. Without a limit, the work would be O(n²) for a word of many links. */
const longestNeighbor = 200

/** A part of a text, with what stands next to it without a space. */
function wordsAt(text: string, start: number, end: number): string {
  const [before = ''] = /\S*$/.exec(text.slice(Math.max(0, start - longestNeighbor), start)) ?? []
  const [after = ''] = /^\S*/.exec(text.slice(end, end + longestNeighbor)) ?? []
  return before + text.slice(start, end) + after
}

/** Neighbors that look the same become one run: each mark that turned out to be text is a piece of its own. */
function joined(runs: readonly Run[]): Run[] {
  const whole: Run[] = []
  for (const run of runs) {
    const last = whole.at(-1)
    const isSame = last?.appearance === run.appearance && !last.isWhole && !run.isWhole
    if (isSame) whole[whole.length - 1] = { text: last.text + run.text, appearance: run.appearance }
    else whole.push(run)
  }
  return whole
}

/** Decodes entities, which may encode control characters. */
export function decoded(text: string): string {
  if (!text.includes('&')) return text
  return sanitizeForTerminal(decodeHTMLStrict(text)).replace(/[\n\t]/g, ' ')
}

interface OpenBracket {
  /** The start of the link text. */
  readonly start: number
  /** Its index among the pieces. */
  readonly index: number
  readonly isImage: boolean
}

const special = /[\\`*_~[\]<$@]|!\[|https?:\/\/|www\./gi
const tag =
  /<(?:\/[a-z][a-z\d-]*\s*|[a-z][a-z\d-]*(?:\s+[a-z:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?|!--.*?--|\?.*?\?|![a-z][^<>\s\u2e80-\uffff]*)>/iy

/** Parses one line by the algorithm for nested emphasis and links in CommonMark's appendix. */
class InlineParser {
  readonly #text: string
  readonly #definitions: Definitions
  #at = 0
  #pieces: (InlinePiece | DelimiterRun)[] = []
  #brackets: OpenBracket[] = []

  constructor(text: string, definitions: Definitions) {
    this.#text = text
    this.#definitions = definitions
  }

  parse(): readonly InlinePiece[] {
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

  /** Takes plain text up to `end`. */
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
    else if (character === '`') this.#push({ kind: 'code', text: codeText(raw), raw }, end)
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
    const name = character === '_' && length === 2 ? (nameEnd(this.#text, this.#at, true) ?? -1) : -1
    if (name !== -1) return this.#take(name)
    const run = delimiterAt(this.#text, 0, this.#at, length, true)
    if (run?.opens || run?.closes) this.#push({ kind: 'run', ...run }, end)
    else this.#take(end)
  }

  #runEnd(character: string): number {
    let end = this.#at + 1
    while (this.#text.charAt(end) === character) end++
    return end
  }

  #openBracket(isImage: boolean): void {
    const start = this.#at + (isImage ? 2 : 1)
    this.#brackets.push({ start, index: this.#pieces.length, isImage })
    this.#push({ kind: 'verbatim', text: this.#text.slice(this.#at, start) }, start)
  }

  #closeBracket(): void {
    const opener = this.#brackets.pop()
    const target = opener && this.#targetOf(opener)
    if (!target) return this.#take(this.#at + 1)
    const children = paired(this.#pieces.splice(opener.index), asText).slice(1).flatMap(withoutAutolinks)
    this.#push({ kind: 'link', href: target.href, isAddress: false, children }, target.end)
    // Links cannot contain links.
    if (!opener.isImage) this.#brackets = this.#brackets.filter(({ isImage }) => isImage)
  }

  #targetOf({ start }: OpenBracket): { href: string; end: number } | undefined {
    const end = this.#at + 1
    const target = inlineTarget(this.#text, end)
    if (target || this.#definitions.size === 0) return target
    const text = this.#at - start > longestLabel ? '' : this.#text.slice(start, this.#at)
    const [whole = '', label = ''] = /^\[((?:\\.|[^\\[\]])*)\]/.exec(this.#text.slice(end, end + 1000)) ?? []
    const href = this.#definitions.get(normalizedLabel(label === '' ? text : label))
    return href === undefined ? undefined : { href, end: end + whole.length }
  }

  #readAngle(): void {
    const breakEnd = lineBreakEnd(this.#text, this.#at, true) ?? -1
    if (breakEnd !== -1) return this.#push({ kind: 'break' }, breakEnd)
    const address = angleAutolink(this.#text, this.#at)
    if (address) return this.#push(addressPiece(address.href, address.text), address.end)
    tag.lastIndex = this.#at
    if (!tag.test(this.#text)) return this.#take(this.#at + 1)
    return this.#push({ kind: 'verbatim', text: this.#text.slice(this.#at, tag.lastIndex) }, tag.lastIndex)
  }

  #readMail(): void {
    const mail = emailAddress(this.#text, this.#at)
    const last = this.#pieces.at(-1)
    const before = mail ? this.#text.slice(mail.start, this.#at) : ''
    if (!mail || last?.kind !== 'text' || !last.text.endsWith(before)) return this.#take(this.#at + 1)
    this.#pieces[this.#pieces.length - 1] = asText(last.text.slice(0, last.text.length - before.length))
    const address = this.#text.slice(mail.start, mail.end)
    return this.#push(addressPiece(`mailto:${address}`, address), mail.end)
  }

  #readAddress(): void {
    const address = bareUrl(this.#text, this.#at, this.#brackets.length > 0)
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

/** An autolink in the text of a link is text. */
function withoutAutolinks(piece: InlinePiece): readonly InlinePiece[] {
  if (!('children' in piece)) return [piece]
  const children = piece.children.flatMap(withoutAutolinks)
  return piece.kind === 'link' && piece.isAddress ? children : [{ ...piece, children }]
}

/** The code without its backticks, and without one space on each side, which separates backticks of the code from them. */
function codeText(raw: string): string {
  const [ticks = ''] = /^`+/.exec(raw) ?? []
  const code = raw.slice(ticks.length, -ticks.length)
  return /^ .* $/.test(code) && code.trim() !== '' ? code.slice(1, -1) : code
}
