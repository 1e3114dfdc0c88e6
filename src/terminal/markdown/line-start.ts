/** Parses the start of a line: the containers it opens, and the block in them (CommonMark 0.31, 4 and 5; GFM 4.10). */

export type Container =
  | { readonly kind: 'quote' }
  | {
      readonly kind: 'item'
      /** The bullet, or the character after the number. Items of one list have the same. */
      readonly delimiter: string
      readonly number: number | undefined
      /** The indent of its content, in columns. */
      readonly indent: number
      /** Whether the checkbox of a task is checked; `undefined` without a checkbox. */
      readonly isDone: boolean | undefined
    }

export type Alignment = 'left' | 'center' | 'right'

/** The columns of a table: as many alignments as names. */
export interface TableHead {
  readonly header: readonly string[]
  readonly alignments: readonly Alignment[]
}

export interface Fence {
  readonly kind: 'fence'
  /** The opening backticks or tildes. */
  readonly marker: string
  /** Columns before the marker, by which its lines may be indented, too. */
  readonly indent: number
  /** The info string, such as the language. */
  readonly info: string
}

export interface Definition {
  readonly kind: 'definition'
  /** The whole line, or both lines. */
  readonly text: string
  readonly label: string
  readonly href: string
}

/** The end of an HTML block; without one, it ends at a blank line. */
export interface HtmlEnd {
  readonly end?: RegExp
}

export type Block =
  | { readonly kind: 'blank' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'heading'; readonly depth: number; readonly text: string }
  /** The line under a paragraph that makes it a setext heading. */
  | { readonly kind: 'underline'; readonly depth: 1 | 2 }
  | { readonly kind: 'rule' }
  | Fence
  | { readonly kind: 'indented'; readonly text: string }
  | ({ readonly kind: 'html'; readonly text: string } & HtmlEnd)
  | Definition
  /** Part of a table or of a definition, or text, as the next line decides. */
  | { readonly kind: 'row'; readonly text: string }

export interface LineStart {
  readonly opened: readonly Container[]
  readonly block: Block
}

/** The part of a line that is not parsed yet. Tab stops are every four columns. */
export interface Rest {
  readonly text: string
  /** The column where it starts, for tab stops. */
  readonly column: number
}

/** Deeper containers are text: the work for a line grows with its depth, and real text is never so deep. */
const deepest = 100

/** The open blocks at the start of the line. */
interface LineContext {
  /** How many containers the line is in, and whether it is in all open ones. */
  readonly depth: number
  readonly isInAll: boolean
  /** A definition counts as the start of a paragraph: a block that cannot interrupt a paragraph cannot follow it. */
  readonly leaf: 'paragraph' | 'definition' | 'other'
  /** Whether what may be a tag, a label or a checkbox has waited for so long that it is text. */
  readonly isLate: boolean
}

/**
 * @param whole The line, or its beginning, after the marks of the containers it is in.
 * @returns `undefined` if the rest of the line is needed to decide.
 */
export function readLineStart(whole: Rest, isWhole: boolean, context: LineContext): LineStart | undefined {
  let rest = whole
  const opened: Container[] = []
  for (;;) {
    const isInParagraph = context.leaf === 'paragraph' && opened.length === 0
    const isInterrupting = context.leaf !== 'other' && opened.length === 0
    const indent = indentOf(rest)
    const inner = dropColumns(rest, indent)
    if (inner.text === '') return isWhole ? { opened, block: { kind: 'blank' } } : undefined
    if (indent >= 4) {
      if (isInterrupting) return { opened, block: { kind: 'text', text: rest.text } }
      return isWhole ? { opened, block: { kind: 'indented', text: dropColumns(rest, 4).text } } : undefined
    }
    const isText = context.isLate && /^[[<]/.test(inner.text)
    if (!isWhole && !isText && mayChange(inner.text, isInParagraph)) return undefined
    const underline = isInParagraph && context.isInAll ? /^(=+|-+)[ \t]*$/.exec(inner.text)?.[1] : undefined
    if (underline) return { opened, block: { kind: 'underline', depth: underline.startsWith('=') ? 1 : 2 } }
    const isDeepest = context.depth + opened.length >= deepest
    const container = isDeepest ? undefined : openContainer(inner, indent, isInterrupting && context.isInAll)
    if (!container) {
      const html = htmlEnd(inner.text, isInterrupting)
      const block = html ? ({ kind: 'html', ...html } as const) : blockOf(inner.text, indent, isInParagraph)
      const isAsWritten = block.kind === 'html' || block.kind === 'text'
      return { opened, block: isAsWritten ? { ...block, text: rest.text } : block }
    }
    opened.push(container.container)
    rest = container.rest
  }
}

const tabStop = 4

/** The width of its leading whitespace, in columns. */
export function indentOf({ text, column }: Rest): number {
  let end = column
  for (const character of text) {
    if (character === ' ') end++
    else if (character === '\t') end += tabStop - (end % tabStop)
    else break
  }
  return end - column
}

/** Removes columns of the indent. A tab that extends further is replaced with the remaining spaces. */
export function dropColumns({ text, column }: Rest, columns: number): Rest {
  const end = column + columns
  let [at, reached] = [0, column]
  while (reached < end) {
    reached += text.charAt(at) === '\t' ? tabStop - (reached % tabStop) : 1
    at++
  }
  return { text: ' '.repeat(reached - end) + text.slice(at), column: end }
}

/** @returns the rest of a line inside the container; `undefined` if the line is not in it. */
export function enterContainer(container: Container, rest: Rest): Rest | undefined {
  const indent = indentOf(rest)
  if (container.kind === 'quote') return indent <= 3 ? afterQuoteMark(dropColumns(rest, indent)) : undefined
  if (rest.text.trim() === '') return { ...rest, text: '' }
  return indent >= container.indent ? dropColumns(rest, container.indent) : undefined
}

/** @param rest Without its indent. */
function afterQuoteMark({ text, column }: Rest): Rest | undefined {
  if (!text.startsWith('>')) return undefined
  const inner = { text: text.slice(1), column: column + 1 }
  return indentOf(inner) > 0 ? dropColumns(inner, 1) : inner
}

/** @param isInterrupting Whether a paragraph is open. A list interrupts it only with text, and only with the number 1. */
function openContainer(
  rest: Rest,
  indent: number,
  isInterrupting: boolean,
): { container: Container; rest: Rest } | undefined {
  const quoted = afterQuoteMark(rest)
  if (quoted) return { container: { kind: 'quote' }, rest: quoted }
  if (isRule(rest.text)) return undefined
  const [marker, digits, point, bullet = ''] = /^(?:(\d{1,9})([.)])|([-*+]))(?=[ \t]|$)/.exec(rest.text) ?? []
  if (marker === undefined) return undefined
  const after = { text: rest.text.slice(marker.length), column: rest.column + marker.length }
  const isEmpty = after.text.trim() === ''
  if (isInterrupting && (isEmpty || (digits !== undefined && Number(digits) !== 1))) return undefined
  const spaces = indentOf(after)
  const padding = isEmpty || spaces > 4 ? 1 : spaces
  const inner = isEmpty ? { text: '', column: after.column } : dropColumns(after, padding)
  const [box, done] = /^\[([ xX])\][ \t]+(?=\S)/.exec(inner.text) ?? []
  const container = {
    kind: 'item',
    delimiter: point ?? bullet,
    number: digits === undefined ? undefined : Number(digits),
    indent: indent + marker.length + padding,
    isDone: done === undefined ? undefined : done !== ' ',
  } as const
  return { container, rest: { text: inner.text.slice(box?.length ?? 0), column: inner.column + (box?.length ?? 0) } }
}

/**
 * In characters: a longer line is text, unless it continues code or HTML. Real ones are shorter, and some of the regular
 * expressions here overflow the stack at a million.
 */
export const longestLine = 32_000

const rule = /^([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const definition =
  /^\[(?!\^)((?:\\.|[^\\[\]])+)\]:[ \t]*(?:\n(?=.*[/#]))?(<[^<>]*>|[^\s<]\S*)(?:[ \t]+(?:"(?:\\.|[^\\"])*"|'(?:\\.|[^\\'])*'|\((?:\\.|[^\\()])*\)))?[ \t]*$/
/** A link definition with its URL on the next line. */
const labelAlone = /^\[(?!\^)(?:\\.|[^\\[\]])+\]:[ \t]*$/

/** @param text A line, or two. */
export function definitionOf(text: string): Definition | undefined {
  const [, label, target = ''] = text.length > longestLine ? [] : (definition.exec(text) ?? [])
  return label === undefined ? undefined : { kind: 'definition', text, label, href: target.replace(/^<(.*)>$/, '$1') }
}

function isRule(text: string): boolean {
  return text.length <= longestLine && rule.test(text)
}

/** @param text Without its indent; complete, unless it can only be plain text. */
function blockOf(text: string, indent: number, isInParagraph: boolean): Block {
  if (text.length > longestLine) return { kind: 'text', text }
  if (isRule(text)) return { kind: 'rule' }
  const [, hashes, title = ''] = /^(#{1,6})(?:[ \t]+(.*))?$/.exec(text) ?? []
  if (hashes !== undefined) return { kind: 'heading', depth: hashes.length, text: withoutClosing(title) }
  const [, ticks, tickInfo = '', tildes, tildeInfo = ''] = /^(`{3,})([^`]*)$|^(~{3,})(.*)$/.exec(text) ?? []
  const marker = ticks ?? tildes
  if (marker !== undefined) return { kind: 'fence', marker, indent, info: (tickInfo || tildeInfo).trim() }
  if (text.startsWith('|') || (!isInParagraph && labelAlone.test(text))) return { kind: 'row', text }
  return (isInParagraph ? undefined : definitionOf(text)) ?? { kind: 'text', text }
}

/** Removes any number of `#` after a space at the end of a heading. */
function withoutClosing(title: string): string {
  const text = title.trim()
  let end = text.length
  while (text.charAt(end - 1) === '#') end--
  return end === 0 || /[ \t]/.test(text.charAt(end - 1)) ? text.slice(0, end).trimEnd() : text
}

export function isClosingFence(rest: Rest, { marker }: Fence): boolean {
  const closing = indentOf(rest) <= 3 ? rest.text.trim() : ''
  return closing.startsWith(marker) && closing === marker.charAt(0).repeat(closing.length)
}

/** Whether the rest of the line is needed to decide which block this beginning belongs to. */
function mayChange(text: string, isInParagraph: boolean): boolean {
  if (/^([-*_])[ \t]*(?:\1[ \t]*)*$|^\+[ \t]*$|^\d{1,9}(?:[.)][ \t]*)?$/.test(text)) return true
  if (/^#{1,6}(?:[ \t]|$)|^(`{1,2}|~{1,2})$|^(```|~~~)|^\|/.test(text)) return true
  if (partialTag.test(text) || /^<[!?]/.test(text) || htmlEnd(text, isInParagraph)) return true
  if (isInParagraph) return /^=+[ \t]*$/.test(text)
  return /^\[(?!\^)(?:(?:\\.|[^\\\]])*\\?(?:\](?::.*)?)?|[ xX]\][ \t]*)$/.test(text)
}

/** HTML blocks that continue over blank lines (CommonMark 4.6, kinds 1 to 5). */
const elements: readonly { begin: RegExp; end: RegExp }[] = [
  { begin: /^<(?:script|pre|style|textarea)(?=[\s>]|$)/i, end: /<\/(?:script|pre|style|textarea)>/i },
  { begin: /^<!--/, end: /-->/ },
  { begin: /^<\?/, end: /\?>/ },
  { begin: /^<!\[CDATA\[/, end: /\]\]>/ },
  { begin: /^<![a-z]/i, end: />/ },
]
/** Kind 6. */
const blockTag =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=[\s/>]|$)/i
/** Kind 7, which may not interrupt a paragraph. `<br>` alone is text, which breaks the line. */
const tagAlone = /^<(?!br\b)(?:[a-z][a-z\d-]*(?:[ \t][^<>]*)?\/?|\/[a-z][a-z\d-]*[ \t]*)>[ \t]*$/i
const partialTag = /^<\/?(?:[a-z][a-z\d-]*(?:[ \t][^<>]*|\/)?)?(?:>[ \t]*)?$/i

/** @returns `undefined` if the line does not start an HTML block. */
function htmlEnd(text: string, isInParagraph: boolean): HtmlEnd | undefined {
  const element = elements.find(({ begin }) => begin.test(text))
  if (element) return { end: element.end }
  return blockTag.test(text) || (!isInParagraph && tagAlone.test(text)) ? {} : undefined
}

/** @returns `undefined` if the two lines are not the header and the delimiter row of a table. */
export function tableOf(header: string, delimiters: string): TableHead | undefined {
  const cells = cellsOf(delimiters)
  if (!/[|:]/.test(delimiters) || !cells.every((cell) => /^:?-+:?$/.test(cell))) return undefined
  const names = cellsOf(header)
  return names.length === cells.length ? { header: names, alignments: cells.map(alignmentOf) } : undefined
}

function alignmentOf(delimiter: string): Alignment {
  if (!delimiter.endsWith(':')) return 'left'
  return delimiter.startsWith(':') ? 'center' : 'right'
}

/** More columns are no table, and more cells of a row are text in its last one. */
const mostColumns = 1000

/** The cells of a row. An escaped pipe does not end a cell, and is text even in code. */
export function cellsOf(row: string): string[] {
  const cells = ['']
  for (const [part] of row.trim().matchAll(/\\\||\||[^|\\]+|\\/g)) {
    if (part === '|' && cells.length < mostColumns) cells.push('')
    else cells[cells.length - 1] += part === '\\|' ? '|' : part
  }
  const trimmed = cells.map((cell) => cell.trim())
  if (trimmed[0] === '') trimmed.shift()
  if (trimmed.at(-1) === '' && row.trimEnd().endsWith('|')) trimmed.pop()
  return trimmed
}
