/** Finds an API key in a text: in plain characters, in JSON's escapes, and cut off by the end of the text. */

export interface Span {
  readonly start: number
  readonly end: number
}

export interface KeyMatch extends Span {
  /** How many characters of the key match. */
  readonly length: number
  /** Whether all of them do; otherwise the text ends first. */
  readonly isWhole: boolean
}

const backslash = 0x5c
const backslashEscape = 'u005c'

/**
 * Backslashes, which JSON inside JSON doubles each time, or writes as `\u005c`. Their limit bounds what a stream holds back.
 */
const backslashes = /\\(?:\\|u005c){0,63}/iy

/** Results of a comparison with one character of the key, besides the offset behind it. */
const differs = -1
const isCutOff = -2

export class KeyMatcher {
  readonly key: string
  /** The key as JSON writes it, without the quotes. */
  readonly json: string
  /** Finds its start at the end of a JSON value; from the eighth character on, whatever follows. */
  readonly startAtEnd: RegExp
  readonly #text: string
  /** Of each character: `u0073`. */
  readonly #escapes: readonly string[]

  constructor(key: string) {
    this.key = key
    this.json = jsonCharacters(key)
    const start = Array.from(key.slice(0, 8), (character) => jsonCharacters(character).replace(/[^a-z\d]/gi, '\\$&'))
    const rest = start.slice(1).reduceRight((rest, character) => `(?:${character}${rest})?`, '[^"]*')
    this.startAtEnd = new RegExp(`${start[0]}${rest}"(?!:)`)
    // A run of backslashes stands for one, however often it was escaped.
    this.#text = key.replaceAll(/\\+/g, '\\')
    this.#escapes = Array.from(this.#text, (_, at) => `u${this.#text.charCodeAt(at).toString(16).padStart(4, '0')}`)
  }

  /** @returns the first match that starts at `from` or later. */
  find(text: string, from = 0): KeyMatch | undefined {
    const first = this.#text.charCodeAt(0)
    for (let start = from; start < text.length; start++) {
      const code = text.charCodeAt(start)
      if (code !== first && code !== backslash) continue
      const match = this.#matchAt(text, start)
      if (match) return match
      // The rest of the run would be compared again for each of its backslashes.
      if (code === backslash) while (text.charCodeAt(start + 1) === backslash) start++
    }
    return undefined
  }

  #matchAt(text: string, start: number): KeyMatch | undefined {
    let end = start
    for (let length = 0; length < this.#text.length; length++) {
      const next = end === text.length ? isCutOff : this.#compare(text, end, length)
      if (next === differs) return undefined
      if (next === isCutOff) return { start, end: text.length, length, isWhole: false }
      end = next
    }
    return { start, end, length: this.#text.length, isWhole: true }
  }

  /** Compares what is at an offset of the text with the character at a position of the key. */
  #compare(text: string, at: number, position: number): number {
    const code = text.charCodeAt(at)
    const wanted = this.#text.charCodeAt(position)
    if (code === wanted && code !== backslash) return at + 1
    if (code !== backslash) return differs
    backslashes.lastIndex = at
    backslashes.test(text)
    const end = backslashes.lastIndex
    const escape = this.#escapes[position] ?? ''
    const rest = text.slice(end, end + escape.length).toLowerCase()
    if (rest === escape) return end + escape.length
    // The last backslash of the run may start the escape of the character after a backslash of the key.
    const next = wanted === backslash && end - at > 1 ? this.#escapes[position + 1] : undefined
    if (rest === next) return end - 1
    const possible = [escape, backslashEscape, ...(next === undefined ? [] : [next])]
    if (end + rest.length === text.length && possible.some((one) => one.startsWith(rest))) return isCutOff
    if (wanted === backslash) return end
    return text.charCodeAt(end) === wanted && this.#takesBackslash(position) ? end + 1 : differs
  }

  /**
   * Punctuation may be escaped: `\/` in JSON, `\_` in Markdown. Before the key, a backslash is masked with it if the two
   * are an escape: of `\nv-…` a `\` would be left, and `\[key]` is not valid JSON.
   */
  #takesBackslash(position: number): boolean {
    return (position === 0 ? /[^a-z\d]|[bfnrtu]/i : /[^a-z\d]/i).test(this.#text.charAt(position))
  }
}

function jsonCharacters(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
