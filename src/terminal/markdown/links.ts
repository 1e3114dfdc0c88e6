/** Link destinations after a link text, and autolinks (CommonMark 6.3 and 6.5, GFM 6.9). */

export interface LinkTarget {
  readonly href: string
  /** Where the text continues. */
  readonly end: number
}

const title = /(?:[ \t]+(?:"(?:\\.|[^\\"])*"|'(?:\\.|[^\\'])*'|\((?:\\.|[^\\()])*\)))?[ \t]*\)/y
const opening = /\([ \t]*/y
const bracketed = /<((?:\\.|[^\\<>])*)>/y

/** @param at The position after the closing bracket of the link text. */
export function inlineTarget(text: string, at: number): LinkTarget | undefined {
  opening.lastIndex = at
  if (!opening.test(text)) return undefined
  const start = opening.lastIndex
  bracketed.lastIndex = start
  const [whole, inner] = bracketed.exec(text) ?? []
  const end = whole === undefined ? addressEnd(text, start) : start + whole.length
  if (end === undefined) return undefined
  title.lastIndex = end
  if (!title.test(text)) return undefined
  const href = (inner ?? text.slice(start, end)).replace(/\\([!-/:-@[-`{-~])/g, '$1')
  return { href, end: title.lastIndex }
}

/** As in cmark: without a limit, `[a](` again and again is O(n²). */
const deepestParentheses = 32

/** Parentheses in a URL are part of it if they are balanced. */
function addressEnd(text: string, start: number): number | undefined {
  if (text.charAt(start) === '<') return undefined
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at)
    if (/\s/.test(character)) return depth === 0 ? at : undefined
    if (character === '\\') at++
    else if (character === '(' && ++depth > deepestParentheses) return undefined
    else if (character === ')' && depth-- === 0) return at
  }
  return undefined
}

/** Chinese and Japanese text may follow a URL without a space. */
const webUrl = /(?:https?:\/\/|www\.)[a-z\d-][^\s<>"`\u201d\u2e80-\uffff]*/iy
const mailDomain = /@[a-z\d_-]+(?:\.[a-z\d_-]*[a-z\d])+(?![\w-])/iy
const partialAngle = /<(?:[a-z][^\s<>]{0,532})?$/iy
const inAngles =
  /<(?:([a-z][a-z\d+.-]{1,31}:[^\s<>]{0,500})|([\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d.-]*[a-z\d])?))>/iy

const partialUrl = /(?:https?:\/\/|www\.)[^\s<>"`\]\u201d\u2e80-\uffff]*$/i

/** Whether the text between the two is inside a URL, and not at its end. */
export function isInsideUrl(before: string, after: string): boolean {
  return /^[a-z\d/=&%#+-]/i.test(after) && partialUrl.test(before)
}

/** A URL at a position. @param isInBrackets Whether a bracket ends it. */
export function bareUrl(text: string, at: number, isInBrackets: boolean): LinkTarget | undefined {
  if (/[a-z\d]/i.test(text.charAt(at - 1))) return undefined
  webUrl.lastIndex = at
  const [found = ''] = webUrl.exec(text) ?? []
  const address = withoutPunctuation(isInBrackets ? found.replace(/\].*/, '') : found)
  if (!/(?:\/\/|\.)./.test(address)) return undefined
  return { href: /^www/i.test(address) ? `http://${address}` : address, end: at + address.length }
}

/** Punctuation that follows a URL in a sentence is not part of it. */
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

function countOf(text: string, character: string): number {
  return text.split(character).length - 1
}

/** The start and the end of the email address around an `@`. */
export function emailAddress(text: string, at: number): { start: number; end: number } | undefined {
  mailDomain.lastIndex = at
  if (!mailDomain.test(text)) return undefined
  let start = at
  while (at - start < 64 && /[\w.+-]/.test(text.charAt(start - 1))) start--
  return start === at ? undefined : { start, end: mailDomain.lastIndex }
}

/** A URL or an email address in angle brackets. */
export function angleAutolink(text: string, at: number): (LinkTarget & { readonly text: string }) | undefined {
  inAngles.lastIndex = at
  const [, address, mail] = inAngles.exec(text) ?? []
  const shown = address ?? mail
  if (shown === undefined) return undefined
  return { text: shown, href: mail === undefined ? shown : `mailto:${shown}`, end: inAngles.lastIndex }
}

/** @returns its end; -1 if there is none; `undefined` if it depends on the text that follows. */
export function angleAutolinkEnd(text: string, at: number, isEnd: boolean): number | undefined {
  partialAngle.lastIndex = at
  return !isEnd && partialAngle.test(text) ? undefined : (angleAutolink(text, at)?.end ?? -1)
}
