/** Masks the API key in what syn itself writes: errors, notices, the log of --debug, and what tools give to a model. */

import { largestOf } from './arrays.ts'
import { withoutKeys } from './text/shell-word.ts'

/** In characters. Shorter keys are not masked: ordinary text might contain them. */
const minKeyLength = 8

/** In characters. Errors quote a text in part, and replies break off: this much of a key counts as all of it. */
const startLength = 12

/** JSON writes `\/` and `\"`, and JSON in a string doubles the backslash each time. */
const escapes = String.raw`\\{0,7}`

export const maskedKey = '[key]'

/** The API keys of this run. What a model answers and what the user typed are not searched. */
export class Secrets {
  readonly #keys = new Set<string>()
  /** Finds the start of any of them. */
  #start = /(?!)/g
  /** Whether a key command has yet to print the key. `undefined`: none is known. */
  isKeyAwaited: boolean | undefined

  get isEmpty(): boolean {
    return this.#keys.size === 0
  }

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
      masked += text.slice(from, index) + maskedKey
      // The keys of one service may have a longer start in common.
      from = largestOf(Array.from(this.#keys, (key) => endOfKey(text, index, key)))
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
  return Array.from(key.slice(0, startLength), (character) => character.replace(/\W/, '\\$&')).join(escapes)
}

/** @returns where a text that has the start of a key at an offset differs from the key. */
function endOfKey(text: string, offset: number, key: string): number {
  let end = offset
  for (const character of key) {
    let at = end
    if (character !== '\\') while (text[at] === '\\') at++
    if (text[at] !== character) break
    end = at + 1
  }
  return end
}
