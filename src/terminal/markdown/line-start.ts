/** What a line of the source begins: which containers it stays in and opens, and which block is in them (CommonMark 4, 5). */

import { afterQuoteMark, enter, type Container, type Opening } from './containers.ts'
import { dropColumns, indentOf, type Rest } from './rest.ts'

export type Block =
  | { readonly kind: 'blank' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'heading'; readonly depth: number; readonly text: string }
  | { readonly kind: 'rule' }
  /** The line under a paragraph that makes a heading of it. */
  | { readonly kind: 'underline'; readonly character: string }
  | { readonly kind: 'fence'; readonly marker: string; readonly indent: number; readonly info: string }
  | { readonly kind: 'indented'; readonly rest: Rest }
  | { readonly kind: 'html'; readonly rest: Rest }
  | { readonly kind: 'definition'; readonly text: string; readonly label: string; readonly href: string }
  /** May be a row of a table; text otherwise. */
  | { readonly kind: 'row'; readonly text: string }

export interface LineStart {
  /** How many of the open containers the line is in. */
  readonly matched: number
  readonly opened: readonly Opening[]
  readonly block: Block
}

/** Deeper, what looks like a container is text: each line costs as much as it is deep, and nobody writes so. */
const deepest = 100

/**
 * @param isWhole Whether the line is complete.
 * @param hasParagraph Whether a paragraph is open, which the line may go on with.
 * @returns nothing when it depends on what of the line is still to come.
 */
export function readLine(
  line: string,
  isWhole: boolean,
  containers: readonly Container[],
  hasParagraph: boolean,
): LineStart | undefined {
  let [matched, rest] = enterAll(line, containers)
  const opened: Opening[] = []
  for (;;) {
    const isInParagraph = hasParagraph && opened.length === 0
    const indent = indentOf(rest)
    const inner = dropColumns(rest, indent)
    const found = (block: Block): LineStart => ({ matched, opened, block })
    if (inner.text === '') return isWhole ? found({ kind: 'blank' }) : undefined
    if (indent >= 4) {
      if (isInParagraph) return found({ kind: 'text', text: inner.text })
      return isWhole ? found({ kind: 'indented', rest: dropColumns(rest, 4) }) : undefined
    }
    if (!isWhole && mayChange(inner.text, isInParagraph)) return undefined
    const isFollowing = isInParagraph && matched === containers.length
    const underline = /^(=+|-+)[ \t]*$/.exec(inner.text)?.[1]
    if (isFollowing && underline) return found({ kind: 'underline', character: underline.charAt(0) })
    const isDeepest = matched + opened.length >= deepest
    const container = isDeepest ? undefined : openContainer(inner, indent, isFollowing)
    if (!container) {
      return found(htmlBlock.test(inner.text) ? { kind: 'html', rest } : blockOf(inner.text, indent, isInParagraph))
    }
    opened.push(container.opening)
    rest = container.rest
  }
}

/** How many of the containers a line is in, and what is left of it. */
export function enterAll(line: string, containers: readonly Container[]): [matched: number, rest: Rest] {
  let rest: Rest = { text: line, column: 0 }
  for (const [index, container] of containers.entries()) {
    const inner = enter(container, rest)
    if (!inner) return [index, rest]
    rest = inner
  }
  return [containers.length, rest]
}

/** What the beginning of a line may yet turn into something else, or must be seen as a whole. */
function mayChange(text: string, isInParagraph: boolean): boolean {
  if (/^([-*_])[ \t]*(?:\1[ \t]*)*$|^\+[ \t]*$|^\d{1,9}(?:[.)][ \t]*)?$/.test(text)) return true
  if (/^#{1,6}(?:[ \t]|$)|^(`{1,2}|~{1,2})$|^(```|~~~)|^\|/.test(text)) return true
  if (/^<\/?[a-z\d]{0,10}$/i.test(text) || htmlBlock.test(text)) return true
  if (isInParagraph) return /^=+[ \t]*$/.test(text)
  return /^\[(?!\^)(?:(?:\\.|[^\\\]])*\\?(?:\](?::.*)?)?|[ xX]\][ \t]*)$/.test(text)
}

const htmlBlock =
  /^<(?:!|\?|(?:script|pre|style|textarea|\/?(?:address|article|aside|base|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul))(?=[\s/>]|$))/i
const rule = /^([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const definition =
  /^\[(?!\^)((?:\\.|[^\\[\]])+)\]:[ \t]*(<[^<>]*>|[^\s<]\S*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/

/** @param text Without its indent, whole where it is not plain text. */
function blockOf(text: string, indent: number, isInParagraph: boolean): Block {
  if (rule.test(text)) return { kind: 'rule' }
  const [, hashes, title = ''] = /^(#{1,6})(?:[ \t]+(.*))?$/.exec(text) ?? []
  if (hashes !== undefined) return { kind: 'heading', depth: hashes.length, text: withoutClosing(title) }
  const [, ticks, tickInfo = '', tildes, tildeInfo = ''] = /^(`{3,})([^`]*)$|^(~{3,})(.*)$/.exec(text) ?? []
  const marker = ticks ?? tildes
  if (marker !== undefined) return { kind: 'fence', marker, indent, info: (tickInfo || tildeInfo).trim() }
  if (text.startsWith('|')) return { kind: 'row', text }
  const [, label, target = ''] = isInParagraph ? [] : (definition.exec(text) ?? [])
  if (label !== undefined) return { kind: 'definition', text, label, href: target.replace(/^<(.*)>$/, '$1') }
  return { kind: 'text', text }
}

/** A heading may end with as many `#` as it likes, after a space. */
function withoutClosing(title: string): string {
  const text = title.trim()
  let end = text.length
  while (text.charAt(end - 1) === '#') end--
  return end === 0 || /[ \t]/.test(text.charAt(end - 1)) ? text.slice(0, end).trimEnd() : text
}

/** @param isFollowing Whether a paragraph would go on, which a list may not break off at any number. */
function openContainer(rest: Rest, indent: number, isFollowing: boolean): { opening: Opening; rest: Rest } | undefined {
  const quoted = afterQuoteMark(rest)
  if (quoted) return { opening: { kind: 'quote' }, rest: quoted }
  if (rule.test(rest.text)) return undefined
  const [marker, digits, point, bullet = ''] = /^(?:(\d{1,9})([.)])|([-*+]))(?=[ \t]|$)/.exec(rest.text) ?? []
  if (marker === undefined) return undefined
  const after = { text: rest.text.slice(marker.length), column: rest.column + marker.length }
  const isEmpty = after.text.trim() === ''
  if (isFollowing && (isEmpty || (digits !== undefined && Number(digits) !== 1))) return undefined
  const spaces = indentOf(after)
  const padding = isEmpty || spaces > 4 ? 1 : spaces
  const inner = isEmpty ? { text: '', column: after.column } : dropColumns(after, padding)
  const [box, done] = /^\[([ xX])\][ \t]+(?=\S)/.exec(inner.text) ?? []
  const opening = {
    kind: 'item',
    delimiter: point ?? bullet,
    number: digits === undefined ? undefined : Number(digits),
    indent: indent + marker.length + padding,
    isDone: done === undefined ? undefined : done !== ' ',
  } as const
  return { opening, rest: { text: inner.text.slice(box?.length ?? 0), column: inner.column + (box?.length ?? 0) } }
}
