/** Masks a key that is split over chunks, which otherwise pass as the service sent them. */

import { CutShortError } from '../errors.ts'
import { exactJson, type Json, type JsonObject } from '../io/json/json.ts'
import type { Span } from '../io/secrets/key-matcher.ts'
import { maskedKey, minMaskedLength, minMaskedStart, type Secrets } from '../io/secrets/secrets.ts'
import { walkJson } from '../io/json/walk-json.ts'
import type { Delta } from './delta.ts'

export type Chunk = Extract<Delta, { type: 'chunk' }>

/** A chunk that may be held back. */
interface Held {
  readonly chunk: Chunk
  isMasked: boolean
}

interface StringInChunk {
  readonly held: Held
  readonly holder: Record<string | number, Json>
  readonly name: string | number
  /** The object around it that has log probabilities. */
  readonly choice: JsonObject | undefined
}

/** The end of a string in a chunk that is held back, and which part of a `Tail` it is. */
interface Part extends StringInChunk, Span {}

/** The end of the strings of one name and place that may be the start of a key. */
interface Tail {
  readonly text: string
  /** How many characters of the key it has. */
  readonly keyLength: number
  /** What of it is in chunks that are held back. */
  parts: readonly Part[]
}

const outsideChoices = 'none'

/** In characters: a key that does not continue within this is not waited for. */
const maxHeldLength = 1024 * 1024

/** An answer has a few places where text continues. Each start of a key takes half a kibibyte until its choice ends. */
const maxTails = 100_000

/**
 * Holds back a chunk in which a string ends with the start of a key, and the chunks after it, until the strings of that name
 * and place continue. A start shorter than the shortest key passes; the rest of the key is masked even then. A start of
 * `minMaskedStart` characters that does not continue is masked, as most of a key may be in it.
 */
export class ChunkMask {
  readonly #secrets: Secrets
  /** By choice, then by name and place. A choice without tails is not in it. */
  readonly #tails = new Map<string, Map<string, Tail>>()
  /** The tails with parts in chunks that are held back. A reply may have many more tails. */
  readonly #heldTails = new Set<Tail>()
  /** Those of them that are long enough to wait for. */
  readonly #awaited = new Set<Tail>()
  /** How many tails there are. */
  #tailCount = 0
  #held: Held[] = []
  #heldLength = 0

  constructor(secrets: Secrets) {
    this.#secrets = secrets
  }

  /** @returns the chunks to be printed now. Chunks that contain a key are changed in place. */
  take(chunk: Chunk): Chunk[] {
    if (this.#tails.size === 0 && !this.#secrets.mayEndValueIn(chunk.text)) return [chunk]
    const held: Held = { chunk, isMasked: false }
    this.#held.push(held)
    this.#heldLength += chunk.text.length
    walkJson(chunk.json, {
      onString: (text, holder, name, place, choice) => {
        // Most strings neither continue the start of a key nor end in one, and need no path.
        if (text === '' || (this.#tails.size === 0 && !this.#secrets.find(text))) return
        const path = `${place} ${typeof name === 'number' ? '' : name}`
        this.#continue(choiceOf(place), path, text, { held, holder, name, choice })
      },
    })
    return this.#awaited.size > 0 && this.#heldLength < maxHeldLength ? [] : this.flush()
  }

  /** The texts of a choice do not continue after its end. @returns the chunks to be printed now. */
  endChoice(index: number): Chunk[] {
    // A message is one choice, and its strings are in no choice, as those of the chunk itself.
    for (const choice of [outsideChoices, String(index)]) {
      for (const tail of this.#tails.get(choice)?.values() ?? []) {
        maskStart(tail)
        this.#forget(tail)
      }
      this.#tailCount -= this.#tails.get(choice)?.size ?? 0
      this.#tails.delete(choice)
    }
    return this.#awaited.size > 0 ? [] : this.flush()
  }

  /** @returns all chunks that are held back. */
  flush(): Chunk[] {
    for (const tail of this.#heldTails) maskStart(tail)
    const chunks = this.#held.map(({ chunk, isMasked }) =>
      isMasked ? { ...chunk, text: exactJson(chunk.json) } : chunk,
    )
    this.#held = []
    this.#heldLength = 0
    for (const tail of this.#heldTails) tail.parts = []
    this.#heldTails.clear()
    this.#awaited.clear()
    return chunks
  }

  #continue(choice: string, path: string, piece: string, at: StringInChunk): void {
    const tails = this.#tails.get(choice) ?? new Map<string, Tail>()
    const before = tails.get(path)
    const start = before?.text.length ?? 0
    const text = (before?.text ?? '') + piece
    const { keys, tail, tailLength } = this.#secrets.find(text) ?? { keys: [], tail: text.length, tailLength: 0 }
    const parts = [...(before?.parts ?? []), { ...at, start, end: text.length }]
    if (keys.length > 0) maskParts(parts, text, keys)
    if (before) this.#forget(before)
    if (tail === text.length) {
      if (tails.delete(path)) this.#tailCount--
    } else {
      const rest = parts
        .filter(({ end }) => end > tail)
        .map((part) => ({ ...part, start: Math.max(part.start, tail) - tail, end: part.end - tail }))
      const after = { text: text.slice(tail), keyLength: tailLength, parts: rest }
      tails.set(path, after)
      this.#heldTails.add(after)
      if (tailLength >= minMaskedLength) this.#awaited.add(after)
      if (!before && ++this.#tailCount > maxTails) throw tooManyStarts()
    }
    if (tails.size > 0) this.#tails.set(choice, tails)
    else this.#tails.delete(choice)
  }

  #forget(tail: Tail): void {
    this.#heldTails.delete(tail)
    this.#awaited.delete(tail)
  }
}

function tooManyStarts(): CutShortError {
  return new CutShortError(
    `the answer was cut short: the service sent over ${maxTails} texts that end like the start of the API key`,
  )
}

/** Masks the start of a key whose rest did not come. */
function maskStart({ text, keyLength, parts }: Tail): void {
  if (keyLength >= minMaskedStart) maskParts(parts, text, [{ start: 0, end: text.length }])
}

/** Puts the mask into the first part that a key is in, and removes the key from the others. */
function maskParts(parts: readonly Part[], text: string, keys: readonly Span[]): void {
  const shown = new Set<Span>()
  for (const { held, holder, name, choice, start, end } of parts) {
    let masked = ''
    let at = start
    for (const key of keys) {
      if (key.end <= start || key.start >= end) continue
      masked += text.slice(at, key.start) + (shown.has(key) ? '' : maskedKey)
      shown.add(key)
      at = Math.min(key.end, end)
    }
    if (at === start) continue
    const whole = holder[name] as string
    holder[name] = whole.slice(0, whole.length - (end - start)) + masked + text.slice(at, end)
    held.isMasked = true
    if (choice) choice.logprobs = null
  }
}

/** The place of a chat or text completion starts with `/` and the index of its choice. */
function choiceOf(place: string): string {
  return place.startsWith('/') ? (place.slice(1).split('/', 1)[0] ?? '') : outsideChoices
}
