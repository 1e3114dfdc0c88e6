/**
 * Link destinations after a link text, and autolinks (CommonMark 6.3 and 6.5, GFM 6.9). Each is `undefined` while it depends on
 * the text that follows, unless that is the end (`isEnd`).
 */

export interface LinkTarget {
  readonly href: string
  /** The offset at which the text continues; -1 if there is no link. */
  readonly end: number
}

export const noTarget: LinkTarget = { href: '', end: -1 }

/** In characters: a longer target or address is text. Without a limit, text could be held back for ever. */
const longest = 4000

const title = /(?:[ \t]+(?:"(?:\\.|[^\\"])*"|'(?:\\.|[^\\'])*'|\((?:\\.|[^\\()])*\)))?[ \t]*\)/y
const partialTitle =
  /[ \t]*(?:$|(?<=[ \t])(?:"(?:\\.?|[^\\"])*(?:"[ \t]*)?|'(?:\\.?|[^\\'])*(?:'[ \t]*)?|\((?:\\.?|[^\\()])*(?:\)[ \t]*)?)$)/y
const opening = /\([ \t]*/y
const bracketed = /<(?:\\.|[^\\<>])*>/y
const partialBracketed = /<(?:\\.?|[^\\<>])*$/y

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

/** @param at The position after the closing bracket of the link text. */
export function inlineTarget(text: string, at: number, isEnd: boolean): LinkTarget | undefined {
  const unknown = isEnd || text.length - at > longest ? noTarget : undefined
  if (at === text.length) return unknown
  if (!matches(opening, text, at)) return noTarget
  const start = opening.lastIndex
  const end = destinationEnd(text, start)
  if (end === text.length) return unknown
  if (end === -1) return noTarget
  if (!matches(title, text, end)) return matches(partialTitle, text, end) ? unknown : noTarget
  if (title.lastIndex - at > longest) return noTarget
  const destination = text.slice(start, end).replace(/^<([^]*)>$/, '$1')
  return { href: destination.replace(/\\([!-/:-@[-`{-~])/g, '$1'), end: title.lastIndex }
}

/** The limit of cmark: without one, `[a](` again and again is O(n²). */
const deepestParentheses = 32

/** Parentheses in a URL are part of it if they are balanced. @returns -1 if there is no destination. */
function destinationEnd(text: string, start: number): number {
  if (text.charAt(start) === '<') {
    if (matches(bracketed, text, start)) return bracketed.lastIndex
    return matches(partialBracketed, text, start) ? text.length : -1
  }
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at)
    if (/\s/.test(character)) return depth === 0 ? at : -1
    if (character === '\\') at++
    else if (character === '(' && ++depth > deepestParentheses) return -1
    else if (character === ')' && depth-- === 0) return at
  }
  return text.length
}

/** Chinese and Japanese text may follow a URL without a space. */
const webUrl = /(?:https?:\/\/|www\.)[a-z\d-][^\s<>"`\u201d\u2e80-\uffff]*/iy
const partialUrl = /(?:https?:\/\/|www\.)[^\s<>"`\u201d\u2e80-\uffff]*$|(?:h|ht|htt|https?:?\/?|ww?w?)$/iy
const mailDomain = /@[a-z\d_-]+(?:\.[a-z\d_-]*[a-z\d])+(?![\w-])/iy
const partialMailDomain = /@[\w.-]*$/y
const partialAngle = /<(?:[\w.!#$%&'*+/=?^`{|}~-][^\s<>]{0,532})?$/y
const inAngles =
  /<(?:([a-z][a-z\d+.-]{1,31}:[^\s<>]{0,500})|([\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d.-]*[a-z\d])?))>/iy

/** A URL at a position. @param isInBrackets Whether a bracket ends it. */
export function bareUrl(text: string, at: number, isInBrackets: boolean, isEnd: boolean): LinkTarget | undefined {
  if (/[a-z\d]/i.test(text.charAt(at - 1))) return noTarget
  const isComplete = isEnd || text.length - at > longest || (isInBrackets && text.includes(']', at))
  if (!isComplete && matches(partialUrl, text, at)) return undefined
  webUrl.lastIndex = at
  const [found = ''] = webUrl.exec(text) ?? []
  const address = withoutPunctuation(isInBrackets ? found.replace(/\].*/, '') : found)
  if (!/(?:\/\/|\.)./.test(address) || found.length > longest) return noTarget
  return { href: /^www/i.test(address) ? `http://${address}` : address, end: at + address.length }
}

/** Punctuation that follows a URL in a sentence is not part of it. O(n²) for many semicolons. */
function withoutPunctuation(address: string): string {
  let end = address.length
  let unopened = countOf(address, ')') - countOf(address, '(')
  for (;;) {
    const last = address.charAt(end - 1)
    const hasPair = last === ')' && unopened-- <= 0
    const entity = last === ';' ? /&[a-z\d]+;$/i.exec(address.slice(0, end))?.[0] : undefined
    if (!/[?!.,:;*_'"~)]/.test(last) || hasPair) return address.slice(0, end)
    end -= entity?.length ?? 1
  }
}

export function countOf(text: string, character: string): number {
  return text.split(character).length - 1
}

/** The email address around an `@`, and its start. */
export function emailAddress(text: string, at: number, isEnd: boolean): (LinkTarget & { start: number }) | undefined {
  const isComplete = isEnd || text.length - at > longest
  if (!isComplete && matches(partialMailDomain, text, at)) return undefined
  let start = at
  while (at - start < 64 && /[\w.+-]/.test(text.charAt(start - 1))) start--
  const isMail = start < at && matches(mailDomain, text, at) && mailDomain.lastIndex - at <= longest
  const end = mailDomain.lastIndex
  return isMail ? { href: `mailto:${text.slice(start, end)}`, start, end } : { ...noTarget, start }
}

/** A URL or an email address in angle brackets. */
export function angleAutolink(text: string, at: number, isEnd: boolean): LinkTarget | undefined {
  if (!isEnd && matches(partialAngle, text, at)) return undefined
  inAngles.lastIndex = at
  const [found, address, mail] = inAngles.exec(text) ?? []
  if (found === undefined) return noTarget
  return { href: address ?? `mailto:${mail}`, end: inAngles.lastIndex }
}
