/** The target after the text of a link, and addresses in the text itself (CommonMark 6.3 and 6.5, GFM 6.9). */

/** `end` is where the text continues. */
export interface Target {
  readonly href: string
  readonly end: number
}

const title = /(?:[ \t]+(?:"(?:\\.|[^\\"])*"|'(?:\\.|[^\\'])*'|\((?:\\.|[^\\()])*\)))?[ \t]*\)/y
const opening = /\([ \t]*/y
const bracketed = /<((?:\\.|[^\\<>])*)>/y

/** @param at After the bracket that closes the text of the link. */
export function inlineTarget(text: string, at: number): Target | undefined {
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

/** Parentheses within an address come in pairs. */
function addressEnd(text: string, start: number): number | undefined {
  if (text.charAt(start) === '<') return undefined
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at)
    if (/\s/.test(character)) return depth === 0 ? at : undefined
    if (character === '\\') at++
    else if (character === '(') depth++
    else if (character === ')' && depth-- === 0) return at
  }
  return undefined
}

/** Chinese and Japanese text, which follows without a space, is not part of it. */
const webAddress = /(?:https?:\/\/|www\.)[a-z\d-][^\s<>"`\u201d\u2e80-\uffff]*/iy
const mailDomain = /@[a-z\d_-]+(?:\.[a-z\d_-]*[a-z\d])+(?![\w-])/iy
const inAnglesBegun = /<(?:[a-z][^\s<>]{0,532})?$/iy
const inAngles =
  /<(?:([a-z][a-z\d+.-]{1,31}:[^\s<>]{0,500})|([\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d.-]*[a-z\d])?))>/iy

const addressBegun = /(?:https?:\/\/|www\.)[^\s<>"`\]\u201d\u2e80-\uffff]*$/i

/** Whether what is between the two is inside a web address, and not at its end. */
export function isWithinAddress(before: string, after: string): boolean {
  return /^[a-z\d/=&%#+-]/i.test(after) && addressBegun.test(before)
}

/** A web address that begins there. @param isInBrackets Whether a bracket ends it. */
export function bareAddress(text: string, at: number, isInBrackets: boolean): Target | undefined {
  if (/[a-z\d]/i.test(text.charAt(at - 1))) return undefined
  webAddress.lastIndex = at
  const [found = ''] = webAddress.exec(text) ?? []
  const address = withoutEnd(isInBrackets ? found.replace(/\].*/, '') : found)
  if (!/(?:\/\/|\.)./.test(address)) return undefined
  return { href: /^www/i.test(address) ? `http://${address}` : address, end: at + address.length }
}

/** Punctuation that follows an address in a sentence is not part of it. */
function withoutEnd(address: string): string {
  let end = address.length
  for (;;) {
    const last = address.charAt(end - 1)
    const hasPair = last === ')' && countOf(address, '(', end) >= countOf(address, ')', end)
    const entity = last === ';' ? /&[a-z\d]+;$/i.exec(address.slice(0, end))?.[0] : undefined
    if (!/[?!.,:;*_'"~)]/.test(last) || hasPair) return address.slice(0, end)
    end -= entity?.length ?? 1
  }
}

function countOf(text: string, character: string, end: number): number {
  return text.slice(0, end).split(character).length - 1
}

/** A mail address around an `@`. @returns where it begins and ends. */
export function mailAddress(text: string, at: number): { start: number; end: number } | undefined {
  mailDomain.lastIndex = at
  if (!mailDomain.test(text)) return undefined
  let start = at
  while (at - start < 64 && /[\w.+-]/.test(text.charAt(start - 1))) start--
  return start === at ? undefined : { start, end: mailDomain.lastIndex }
}

/** An address in angle brackets. */
export function angledAddress(text: string, at: number): (Target & { readonly text: string }) | undefined {
  inAngles.lastIndex = at
  const [, address, mail] = inAngles.exec(text) ?? []
  const shown = address ?? mail
  if (shown === undefined) return undefined
  return { text: shown, href: mail === undefined ? shown : `mailto:${shown}`, end: inAngles.lastIndex }
}

/** @returns where it ends; -1 where there is none; undefined when that depends on what follows. */
export function angledAddressEnd(text: string, at: number, isEnd: boolean): number | undefined {
  inAnglesBegun.lastIndex = at
  return !isEnd && inAnglesBegun.test(text) ? undefined : (angledAddress(text, at)?.end ?? -1)
}
