import type { Json, JsonObject } from '../json/json.ts'
import { KeyMatcher, type KeyMatch, type Span } from './key-matcher.ts'
import { withoutKeys } from '../text/shell-word.ts'
import { walkJson } from '../json/walk-json.ts'

/** In characters. Shorter keys are not masked: ordinary text might contain them. */
export const minMaskedLength = 8

/** In characters. JSON passes exactly: of a key that is cut off there, a shorter start is not masked. */
export const minMaskedStart = 12

export const maskedKey = '[key]'

/** The keys in a text, and the end of the text that may be the start of one. */
export interface KeysInText {
  /** In their order, without overlaps. */
  readonly keys: readonly Span[]
  /** Where the end that may be the start of a key begins; the text's length if there is no such end. */
  readonly tail: number
  /** How many characters of the key are in that end. */
  readonly tailLength: number
}

/** The API keys of this run. Only this class finds and masks them, whether or not they are written with JSON's escapes. */
export class Secrets {
  readonly #matchers: KeyMatcher[] = []
  /** Whether a key command has yet to print the key. `undefined`: none is known. */
  isKeyAwaited: boolean | undefined

  get isEmpty(): boolean {
    return this.#matchers.length === 0
  }

  add(secret: string): void {
    if (secret.length < minMaskedLength || this.#matchers.some(({ key }) => key === secret)) return
    this.#matchers.push(new KeyMatcher(secret))
  }

  /** For text of any kind. For JSON that can be parsed, `maskValues` is exact. */
  mask(text: string): string {
    const [matcher] = this.#matchers
    if (!matcher) return text
    const isOnly = this.#matchers.length === 1
    // Native searches: most texts are masked for nothing.
    if (!text.includes('\\')) {
      if (!this.#matchers.some(({ key }) => text.includes(key))) return text
      if (isOnly) return text.replaceAll(matcher.key, maskedKey)
    }
    return isOnly ? maskOne(text, matcher) : this.maskAcross([text]).join('')
  }

  /**
   * For pieces of one text, such as the parts of a word in different styles: a key may begin in one and end in another.
   * @returns each piece without its part of a key. The mask is where a key starts.
   */
  maskAcross(pieces: readonly string[]): readonly string[] {
    const { keys = [] } = this.find(pieces.join('')) ?? {}
    return keys.length === 0 ? pieces : maskSpans(pieces, keys)
  }

  /** Also masks a key that is cut off at the end of the text. @param minLength Of what is left of the key. */
  maskCut(text: string, minLength = minMaskedLength): string {
    const masked = this.mask(text)
    const { tail, tailLength = 0 } = this.find(masked) ?? {}
    return tailLength < minLength ? masked : masked.slice(0, tail) + maskedKey
  }

  /** Also masks a key that is cut off by `…`: most messages quote a text before they are masked. */
  maskExcerpts(text: string): string {
    const masked = this.mask(text)
    if (!masked.includes('…')) return masked
    const parts = masked.split('…')
    return parts.map((part, at) => (at === parts.length - 1 ? part : this.maskCut(part))).join('…')
  }

  /** Whether a key that is not known yet may be in the text. */
  mayHoldAwaited(text: string): boolean {
    return this.isKeyAwaited === true && withoutKeys(text) !== text
  }

  /** For notices and errors. While the key is unknown, what looks like one is masked in its place: it may have been typed. */
  maskNotice(text: string): string {
    const masked = this.maskExcerpts(text)
    return this.isKeyAwaited ? withoutKeys(masked) : masked
  }

  /**
   * Masks the strings and the names in parsed JSON, in place. A key in the text of a choice may also be in the tokens of its
   * log probabilities, which are dropped then.
   * @returns whether it contained a key.
   */
  maskValues(json: JsonObject | Json[]): boolean {
    return this.#maskStrings(json, (text) => this.mask(text))
  }

  /** Also masks a key that is cut off at the end of a string, as in an answer that reached its token limit. */
  maskCutValues(json: JsonObject | Json[]): boolean {
    return this.#maskStrings(json, (text) => this.maskCut(text, minMaskedStart))
  }

  #maskStrings(json: JsonObject | Json[], mask: (text: string) => string): boolean {
    let hasKey = false
    walkJson(json, {
      onString: (text, holder, name, _place, probable) => {
        const masked = mask(text)
        if (masked === text) return
        hasKey = true
        holder[name] = masked
        if (probable) probable.logprobs = null
      },
      onObject: (object) => {
        if (!Object.keys(object).some((name) => this.mask(name) !== name)) return
        hasKey = true
        renameKeys(object, (name) => this.mask(name))
      },
    })
    return hasKey
  }

  /** Whether the values of a JSON document can contain a key: a fast test that spares most replies the walk through them. */
  mayBeIn(json: string): boolean {
    return !this.isEmpty && (mayHideCharacters(json) || this.#matchers.some((matcher) => json.includes(matcher.json)))
  }

  /** Whether a value in a JSON document can end with the start of a key: a fast test like `mayBeIn`. */
  mayEndValueIn(json: string): boolean {
    return mayHideCharacters(json) || this.#matchers.some((matcher) => matcher.startAtEnd.test(json))
  }

  /** @returns `undefined` if there is neither. */
  find(text: string): KeysInText | undefined {
    let matches: KeyMatch[] | undefined
    for (const matcher of this.#matchers) {
      for (let match = matcher.find(text); match; match = matcher.find(text, match.end)) (matches ??= []).push(match)
    }
    if (!matches) return undefined
    matches.sort((one, other) => one.start - other.start)
    const keys = joined(matches.filter(({ isWhole }) => isWhole))
    const end = keys.at(-1)?.end ?? 0
    const tail = matches.find(({ isWhole, start }) => !isWhole && start >= end)
    return { keys, tail: tail?.start ?? text.length, tailLength: tail?.length ?? 0 }
  }
}

/** Keeps no matches: a reply may be nothing but keys, and millions of these take a gigabyte. */
function maskOne(text: string, matcher: KeyMatcher): string {
  let [shown, at] = ['', 0]
  for (let match = matcher.find(text); match; match = matcher.find(text, match.end)) {
    if (!match.isWhole) continue
    shown += text.slice(at, match.start) + maskedKey
    at = match.end
  }
  return at === 0 ? text : shown + text.slice(at)
}

/** Whether it has escapes that may stand for characters of a key. Most documents have only escapes such as `\n` and `\"`. */
function mayHideCharacters(json: string): boolean {
  return json.includes('\\') && /\\[u/\\]/.test(json)
}

function renameKeys(object: JsonObject, rename: (name: string) => string): void {
  const entries = Object.entries(object)
  for (const [name] of entries) delete object[name]
  // Not assigned: `__proto__` is an ordinary name in JSON.
  for (const [name, value] of entries) {
    Object.defineProperty(object, rename(name), { value, enumerable: true, configurable: true, writable: true })
  }
}

/** @param spans Of the joined pieces, in their order, without overlaps. */
export function maskSpans(pieces: readonly string[], spans: readonly Span[]): string[] {
  let start = 0
  let next = 0
  return pieces.map((piece) => {
    const end = start + piece.length
    let shown = ''
    let at = start
    for (let span = spans[next]; span && span.start < end; span = spans[++next]) {
      if (span.start >= start) shown += piece.slice(at - start, span.start - start) + maskedKey
      at = Math.min(span.end, end)
      // The next piece has the rest of it.
      if (span.end > end) break
    }
    shown += piece.slice(at - start)
    start = end
    return shown
  })
}

/** Of two keys, one may contain the beginning of the other. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const { start, end } of spans) {
    const last = all.at(-1)
    if (last && start < last.end) all[all.length - 1] = { start: last.start, end: Math.max(end, last.end) }
    else all.push({ start, end })
  }
  return all
}
