/** Masks the API key in what syn itself writes: errors, notices, the log of --debug, and what tools give to a model. */

import { largestOf } from './arrays.ts'
import { withoutKeys } from './text/shell-word.ts'

/** In characters. Shorter keys are not masked: ordinary text might contain them. */
const minKeyLength = 8

/** In characters. Errors quote a text in part, and replies break off: if a word ends there, this much of a key counts as all of it. */
const startLength = 12

/** JSON writes `\/` and `\u002b`, and JSON in a string doubles the backslash each time. */
const escapes = String.raw`\\{0,7}`

export const maskedKey = '[key]'

/** The API keys of this run. What a model answers and what the user typed are not searched. */
export class Secrets {
  readonly #keys = new Set<string>()
  /** Finds the start of any key. */
  #start = /(?!)/g
  /** Whether a key command has yet to print the key. `undefined`: none is known. */
  isKeyAwaited: boolean | undefined

  add(secret: string): void {
    if (secret.length < minKeyLength) return
    this.#keys.add(secret)
    this.#start = new RegExp([...this.#keys].map(startPattern).join('|'), 'g')
  }

  /** To be called before the start of a text is cut off: the end of a key alone is not found. */
  mask(text: string): string {
    let masked = ''
    let from = 0
    for (const { index } of text.matchAll(this.#start)) {
      if (index < from) continue
      // The keys of one service may have a longer start in common.
      const end = largestOf(Array.from(this.#keys, (key) => endOfKey(text, index, key)))
      if (end === index) continue
      masked += text.slice(from, index) + maskedKey
      from = end
    }
    return masked + text.slice(from)
  }

  /** For notices and errors. While the key is unknown, what looks like one is masked in its place: it may have been typed. */
  maskNotice(text: string): string {
    const masked = this.mask(text)
    return this.isKeyAwaited ? withoutKeys(masked) : masked
  }
}

function startPattern(key: string): string {
  const spellings = Array.from(key.slice(0, startLength), (one) => {
    const code = codeOf(one).replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
    return `(?:${one.replace(/\W/, '\\$&')}|${code})`
  })
  return escapes + spellings.join(escapes)
}

/** `+` → `u002b` */
function codeOf(character: string): string {
  return `u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** @returns where a text differs from the key, of which it has the start at an offset; the offset if a longer word starts so. */
function endOfKey(text: string, offset: number, key: string): number {
  let end = offset
  for (const character of key) {
    let at = end
    if (character !== '\\') while (text[at] === '\\') at++
    const code = codeOf(character)
    if (text.slice(at, at + code.length).toLowerCase() === code) end = at + code.length
    else if (text[at] === character) end = at + 1
    else return /[\w-]/.test(text[at] ?? '') ? offset : end
  }
  return end
}
