/** Parses the inlines of a line (CommonMark 6, GFM 6, and formulas) into runs of text with their appearance. */

import { decodeHTMLStrict } from 'entities'
import { sanitizeName } from '../../io/text/safe-text.ts'
import { linkAddress } from '../link-address.ts'
import { codePointAt, lastCodePoint } from './breaks.ts'
import {
  asText,
  delimiterAt,
  nameEnd,
  Pairing,
  type DelimiterRun,
  type Emphasis,
  type TextPiece,
} from './delimiters.ts'
import { formulaText } from './formula.ts'
import type { Definition } from './line-start.ts'
import { angleAutolink, bareUrl, inlineTarget, emailAddress, noTarget, type LinkTarget } from './links.ts'
import { lineBreak, plain, withPaint, type Appearance, type Run } from './line-printer.ts'
import { lineBreakEnd, spanEnd } from './spans.ts'
import type { Theme } from './theme.ts'

export type InlinePiece =
  | TextPiece
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
  return (text.match(parts) ?? []).flatMap((part) => {
    const parser = new InlineParser(definitions)
    parser.append(part)
    while (parser.step(true));
    return parser.take()
  })
}

/** A text without any of these is plain. */
const marks = /[\\`*_^~[\]<>&]|https?:|www\.|@/i
/** A longer heading or cell is parsed in parts, to keep the work linear. */
const parts = /[^]{1,4000}/gu

export class Inline {
  readonly #theme: Theme
  readonly #definitions = new Map<string, string>()

  constructor(theme: Theme) {
    this.#theme = theme
  }

  define(definition: Definition): void {
    define(this.#definitions, definition)
  }

  proseParser(): InlineParser {
    return new InlineParser(this.#definitions)
  }

  /** @param text A complete text, such as a heading or a cell. */
  runs(text: string, base: Appearance = plain): Run[] {
    return this.runsOf(parseInlines(text.replaceAll(/[ \t]+/g, ' '), this.#definitions), base)
  }

  runsOf(pieces: readonly InlinePiece[], base: Appearance = plain): Run[] {
    const [first] = pieces
    if (pieces.length === 1 && first?.kind === 'text' && !marks.test(first.text))
      return [{ text: first.text, appearance: base }]
    return joined(pieces.flatMap((piece) => this.#runsOf(piece, base)))
  }

  #runsOf(piece: InlinePiece, base: Appearance): Run[] {
    const theme = this.#theme
    if (piece.kind === 'text') return [{ text: decoded(piece.text), appearance: base }]
    if (piece.kind === 'verbatim') return [{ text: piece.text, appearance: base }]
    if (piece.kind === 'break') return [{ text: lineBreak, appearance: base }]
    if (piece.kind === 'link') return this.#link(piece, base)
    const appearance = withPaint(base, theme[piece.kind])
    if (piece.kind !== 'code') return this.#emphasized(piece, appearance)
    return [{ text: theme.keepsMarks ? piece.raw : piece.text, appearance }]
  }

  /** Without styling, the marks are shown. */
  #emphasized({ mark: text, children }: Emphasis<InlinePiece>, appearance: Appearance): Run[] {
    const inner = this.#children(children, appearance)
    const mark = { text, appearance }
    return this.#theme.keepsMarks ? [mark, ...inner, mark] : inner
  }

  #children(children: readonly InlinePiece[], appearance: Appearance): Run[] {
    return children.flatMap((child) => this.#runsOf(child, appearance))
  }

  /** The text of a link, followed by its URL unless the text is the URL. */
  #link(link: LinkPiece, base: Appearance): Run[] {
    const href = decoded(link.href)
    const appearance = linkAddress(href) === undefined ? base : withPaint(base, this.#theme.link)
    const text = this.#children(link.children, appearance)
    const isComplete = href === '' || href === text.map((run) => run.text).join('')
    if (link.isAddress) return text.map((run) => ({ ...run, isWhole: true }))
    if (text.length > 0 && isComplete) return text
    const target = withPaint(base, this.#theme.target)
    if (text.length === 0) return [{ text: href, appearance: target, isWhole: true }]
    return [...text, { text: ' ', appearance: base }, { text: `(${href})`, appearance: target, isWhole: true }]
  }
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
  return sanitizeName(decodeHTMLStrict(text))
}

interface OpenBracket {
  /** The start of the link text. */
  readonly start: number
  /** Its index among the pieces. */
  readonly index: number
  readonly isImage: boolean
}

/** What ends plain text: a mark, or the end of a word. At the end of the text, also what may become a mark. */
const special = /[\\`*_~[\]<$@ \t\u2e80-\u{10ffff}]|!(?:\[|$)|https?:\/\/|www\.|(?:h|ht|htt|https?:?\/?|ww?w?)$/giu
const tag =
  /<(?:\/[a-z][a-z\d-]*\s*|[a-z][a-z\d-]*(?:\s+[a-z:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?|!--[^]*?--|\?[^]*?\?|![a-z][^<>\s\u2e80-\uffff]*)>/iy
const partialTag =
  /<(?:\/?(?:[a-z][a-z\d-]*(?:\s+[a-z:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*(?:\s*=?\s*(?:"[^"]*|'[^']*)?|\s*\/))?|\?[^]*|!(?:-|--[^]*|[a-z][^<>\s\u2e80-\uffff]*)?)?$/iy

/** In characters: what is read of prose is taken after so much, even within a word, to keep the work linear. */
export const longestWord = 4000

/** In characters: a longer tag is text, and a longer run of marks is several. So much of a word is looked at around a backslash. */
const longestTag = 2000
const longestRun = 500

/** A word with a drive letter, `\\` at its start, or a backslash before a letter, a digit or a quotation mark: a path or pattern. */
const keepsBackslashes = /(?<![a-z\d])[a-z]:\\|^\\\\|\\[a-z\d"]/i

/**
 * Parses inlines by the algorithm for nested emphasis and links in CommonMark's appendix. The text may arrive in pieces, as
 * prose does: then what is read is taken word by word, where no mark is open, so that the result is that of the whole line.
 */
export class InlineParser {
  readonly #definitions: Definitions
  /** The current line, or what follows of it. */
  #text = ''
  /** The lines after it, each after its line feed: they arrive while code or a tag is open. */
  #later = ''
  #at = 0
  /** The start of the plain text before `#at`. */
  #plainStart = 0
  /** What is not paired yet, because a bracket before it is open. */
  #pieces: (InlinePiece | DelimiterRun)[] = []
  #brackets: OpenBracket[] = []
  #pairing = new Pairing<InlinePiece>()

  constructor(definitions: Definitions) {
    this.#definitions = definitions
  }

  /** How much text is read and not taken, in characters. */
  get length(): number {
    return this.#at
  }

  /** The last code point that is read; empty if all is taken. */
  get last(): string {
    return lastCodePoint(this.#text.slice(Math.max(0, this.#at - 2), this.#at))
  }

  /** The next code point; empty at the end. */
  get next(): string {
    return codePointAt(this.#text, this.#at)
  }

  /** All that is not taken. */
  get held(): string {
    return this.#text + this.#later
  }

  get unread(): string {
    return this.#text.slice(this.#at)
  }

  /** Whether text that follows may still turn out to be emphasized, struck through or the text of a link. */
  get hasOpenMarks(): boolean {
    if (this.#brackets.length > 0) return true
    this.#pair()
    return this.#pairing.hasOpenRuns
  }

  /** Whether lines follow the current one. */
  get hasNextLine(): boolean {
    return this.#later !== ''
  }

  /** The last line, or what is not taken of it. */
  get lastLine(): string {
    return (this.#text + this.#later).replace(/^[^]*\n/, '')
  }

  append(text: string): void {
    if (this.hasNextLine) this.#later += text
    else this.#text += text
  }

  /** Ends the last line. Open code or an open tag may continue on the next one. */
  endLine(): void {
    this.#later += '\n'
  }

  /** Goes on to the next line. All of the current one must be taken. */
  nextLine(): void {
    this.#split(this.#later.slice(1))
  }

  /** Makes the text up to a line feed the current line. */
  #split(text: string, from = 0): void {
    const feed = text.indexOf('\n', from)
    const end = feed === -1 ? text.length : feed
    ;[this.#text, this.#later] = [text.slice(0, end), text.slice(end)]
  }

  /** Leaves out the next characters. Nothing may have been read before them. */
  drop(length: number): void {
    this.#text = this.#text.slice(length)
  }

  /** What is read, with marks that are still open as text. */
  take(): readonly InlinePiece[] {
    this.#takePlain(this.#at)
    this.#brackets = []
    this.#pair()
    const { pieces } = this.#pairing
    this.#pairing = new Pairing()
    this.#text = this.unread
    this.#at = 0
    this.#plainStart = 0
    return pieces
  }

  /**
   * Reads the plain text up to the next mark or space, or the mark or space itself.
   * @param isEnd Whether the line is complete.
   * @param isLast Whether no line follows, on which code or a tag may continue.
   * @returns `false` if it depends on the text that follows, or at the end.
   */
  step(isEnd: boolean, isLast = isEnd): boolean {
    if (this.#at === this.#text.length) return false
    special.lastIndex = this.#at
    const next = special.exec(this.#text)?.index ?? this.#text.length
    const plainEnd = Math.min(next, Math.max(longestWord, this.#at + 1))
    const end = next > this.#at ? plainEnd : this.#readMark(isEnd, isLast)
    this.#at = end ?? this.#at
    return end !== undefined
  }

  /** @returns where the text continues; `undefined` if that depends on the text that follows. So do the methods below. */
  #readMark(isEnd: boolean, isLast: boolean): number | undefined {
    const character = this.next
    const isAtEnd = this.#at + 1 === this.#text.length
    if (character === ' ') return this.#at + 1
    if ('\\`$'.includes(character)) return this.#readSpan(character, isEnd, isLast)
    if ('*_~'.includes(character)) return this.#readRun(character, isEnd)
    if (character === '!' && isAtEnd) return isEnd ? this.#at + 1 : undefined
    if (character === '!' || character === '[') return this.#openBracket(character === '!')
    if (character === ']') return this.#closeBracket(isEnd)
    if (character === '<') return this.#readAngle(isEnd, isLast)
    if (character === '@') return this.#readMail(isEnd)
    if ('hHwW'.includes(character)) {
      return this.#readAddress(bareUrl(this.#text, this.#at, this.#brackets.length > 0, isEnd))
    }
    const isHalf = isAtEnd && /^[\ud800-\udbff]$/.test(character)
    return isHalf && !isEnd ? undefined : this.#at + character.length
  }

  #pair(): void {
    this.#pairing.add(this.#pieces)
    this.#pieces = []
  }

  #takePlain(end: number): void {
    if (end > this.#plainStart) this.#pieces.push(asText(this.#text.slice(this.#plainStart, end)))
    this.#plainStart = end
  }

  #push(piece: InlinePiece | DelimiterRun, end: number, start = this.#at): number {
    this.#takePlain(start)
    if (end > this.#text.length) this.#split(this.#text + this.#later, end)
    this.#pieces.push(piece)
    this.#plainStart = end
    return end
  }

  #readSpan(character: string, isEnd: boolean, isLast: boolean): number | undefined {
    const isCode = character === '`'
    const text = isCode ? this.#text + this.#later : this.#text
    const end = spanEnd(text, this.#at, isCode ? isLast : isEnd)
    if (end === undefined) return undefined
    if (end === -1) return character === '\\' ? this.#readBackslash(isEnd) : this.#runEnd(character)
    const raw = text.slice(this.#at, end)
    if (isCode) return this.#push({ kind: 'code', text: codeText(raw), raw }, end)
    // Part of a pattern or a command, such as `s/\(a_1\)/` and `$a_1/$b`, is no formula.
    const around = `${text.slice(Math.max(0, this.#at - 100), this.#at)}${character}${text.charAt(end) || ' '}`
    const isApart = !/(?:[\w\\|]|[/.]\S*)[\\$].$|[\w\\/|({$]$|(?<!\*)\\\*$/.test(around)
    return this.#push({ kind: 'verbatim', text: (isApart && formulaText(raw)) || raw }, end)
  }

  /** Unlike in CommonMark, the backslashes of some words stay. What they escape is no mark there either. */
  #readBackslash(isEnd: boolean): number | undefined {
    const [text, at] = [this.#text, this.#at]
    const next = text.charAt(at + 1)
    if (!/^[!-/:-@[-`{-~]$/.test(next)) return at + 1
    const [before] = /[^\s\u2e80-\uffff]*$/.exec(text.slice(Math.max(0, at - longestRun), at)) ?? []
    const [after = ''] = /^[^\s\u2e80-\uffff]*/.exec(text.slice(at, at + longestRun)) ?? []
    const isKept = keepsBackslashes.test(`${before}${after}`)
    const mayGrow = !isEnd && at + after.length === text.length && after.length < longestRun
    if (!isKept && mayGrow) return undefined
    return this.#push({ kind: 'verbatim', text: isKept ? `\\${next}` : next }, at + 2)
  }

  #readRun(character: string, isEnd: boolean): number | undefined {
    const end = this.#runEnd(character)
    const length = end - this.#at
    const name = character === '_' && length === 2 ? nameEnd(this.#text, this.#at, isEnd) : -1
    if (name !== -1) return name
    const run = delimiterAt(this.#text, this.#at, length, isEnd)
    return run?.opens || run?.closes ? this.#push(run, end) : run && end
  }

  #runEnd(character: string): number {
    let end = this.#at + 1
    while (this.#text.charAt(end) === character && end - this.#at < longestRun) end++
    return end
  }

  #openBracket(isImage: boolean): number {
    const start = this.#at + (isImage ? 2 : 1)
    this.#takePlain(this.#at)
    if (this.#brackets.length === 0) this.#pair()
    this.#brackets.push({ start, index: this.#pieces.length, isImage })
    return this.#push({ kind: 'verbatim', text: this.#text.slice(this.#at, start) }, start)
  }

  #closeBracket(isEnd: boolean): number | undefined {
    const opener = this.#brackets.at(-1)
    const target = opener ? this.#targetOf(opener, isEnd) : noTarget
    if (!target) return undefined
    this.#brackets.pop()
    if (!opener || target.end === -1) return this.#at + 1
    this.#takePlain(this.#at)
    const pieces = new Pairing<InlinePiece>().add(this.#pieces.splice(opener.index))
    const children = pieces.slice(1).flatMap(withoutAutolinks)
    // Links cannot contain links.
    if (!opener.isImage) this.#brackets = this.#brackets.filter(({ isImage }) => isImage)
    return this.#push({ kind: 'link', href: target.href, isAddress: false, children }, target.end)
  }

  #targetOf({ start }: OpenBracket, isEnd: boolean): LinkTarget | undefined {
    const end = this.#at + 1
    const target = inlineTarget(this.#text, end, isEnd)
    if (target?.end !== -1 || this.#definitions.size === 0) return target
    const after = this.#text.slice(end, end + 1000)
    if (!isEnd && after.length < 1000 && /^\[(?:\\.?|[^\\[\]])*$/.test(after)) return undefined
    const text = this.#at - start > longestLabel ? '' : this.#text.slice(start, this.#at)
    const [whole = '', label = ''] = /^\[((?:\\.|[^\\[\]])*)\]/.exec(after) ?? []
    const href = this.#definitions.get(normalizedLabel(label === '' ? text : label))
    return href === undefined ? noTarget : { href, end: end + whole.length }
  }

  #readAngle(isEnd: boolean, isLast: boolean): number | undefined {
    const breakEnd = lineBreakEnd(this.#text, this.#at, isEnd)
    if (breakEnd !== -1) return breakEnd && this.#push({ kind: 'break' }, breakEnd)
    const address = angleAutolink(this.#text, this.#at, isEnd)
    if (address?.end !== -1) return this.#readAddress(address, this.#at + 1, 1)
    const rest = (this.#text + this.#later).slice(this.#at, this.#at + longestTag)
    const mayGrow = !isLast && rest.length < longestTag
    tag.lastIndex = 0
    partialTag.lastIndex = 0
    const [text] = tag.exec(rest) ?? []
    if (text !== undefined) return this.#push({ kind: 'verbatim', text }, this.#at + text.length)
    return mayGrow && partialTag.test(rest) ? undefined : this.#at + 1
  }

  #readMail(isEnd: boolean): number | undefined {
    const mail = emailAddress(this.#text, this.#at, isEnd)
    const isPlain = mail && mail.end !== -1 && mail.start >= this.#plainStart
    return mail && this.#readAddress(isPlain ? mail : noTarget, mail.start)
  }

  /** @param start The start of the link's text, which ends `padding` characters before the link. */
  #readAddress(address: LinkTarget | undefined, start = this.#at, padding = 0): number | undefined {
    if (!address || address.end === -1) return address && this.#at + 1
    const children = [asText(this.#text.slice(start, address.end - padding))]
    const link = { kind: 'link', href: address.href, isAddress: true, children } as const
    return this.#push(link, address.end, start - padding)
  }
}

/** An autolink in the text of a link is text. */
function withoutAutolinks(piece: InlinePiece): readonly InlinePiece[] {
  if (!('children' in piece)) return [piece]
  const children = piece.children.flatMap(withoutAutolinks)
  return piece.kind === 'link' && piece.isAddress ? children : [{ ...piece, children }]
}

/** The code without its backticks, and without a space or line feed on each side, which separates its own backticks. */
function codeText(raw: string): string {
  const [ticks = ''] = /^`+/.exec(raw) ?? []
  const code = raw.slice(ticks.length, -ticks.length)
  return /^[ \n][^]*[ \n]$/.test(code) && code.trim() !== '' ? code.slice(1, -1) : code
}
