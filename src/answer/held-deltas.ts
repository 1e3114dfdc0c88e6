/** Holds back the start of an answer that may turn out to be none, or to begin with what belongs to no JSON. */

import { append } from '../io/arrays.ts'
import { type Delta, sizeOf } from '../stream/delta.ts'
import { jsonIn, markerBefore, mayBeMarker } from './json-in.ts'

/** In characters: what is longer is shown as it comes. */
const maxHeld = 1_048_576

export class HeldDeltas {
  readonly #isJson: boolean
  #held: Delta[] = []
  #size = 0
  /** By choice, the text that is held. */
  #texts = new Map<number, string>()
  #hasText = false
  /** Whether some of a blank answer was shown: another one would follow it. */
  hasShownBlank = false
  /** What was left out before JSON. */
  marker: string | undefined

  /** @param isJson Whether JSON was asked for. */
  constructor(isJson: boolean) {
    this.#isJson = isJson
  }

  /** @param isBlank Whether nothing of the answer so far can be seen. @returns what to show now. */
  add(deltas: readonly Delta[], isBlank: boolean): readonly Delta[] {
    if (this.#hasText) return deltas
    append(this.#held, deltas)
    for (const delta of deltas) {
      this.#size += sizeOf(delta)
      if (this.#isJson && delta.type === 'text') {
        this.#texts.set(delta.index, (this.#texts.get(delta.index) ?? '') + delta.text)
      }
    }
    const isFull = this.#size > maxHeld
    this.hasShownBlank ||= isBlank && isFull
    if (!isFull && (isBlank || [...this.#texts.values()].some(mayBeMarker))) return []
    this.#hasText = !isBlank
    return this.#take()
  }

  /** @returns the rest: JSON without the marker before it. */
  end(): readonly Delta[] {
    for (const [index, text] of this.#texts) {
      const [marker, json] = [markerBefore(text), jsonIn(text)]
      if (marker === undefined || json === undefined) continue
      this.marker = marker
      const first = this.#held.findIndex((delta) => delta.type === 'text' && delta.index === index)
      this.#held[first] = { type: 'text', index, text: json }
      this.#held = this.#held.filter((delta, at) => at <= first || delta.type !== 'text' || delta.index !== index)
    }
    return this.#take()
  }

  /** Forgets the answer: another one begins. */
  restart(): void {
    this.#take()
    this.#hasText = false
  }

  #take(): readonly Delta[] {
    const held = this.#held
    this.#held = []
    this.#size = 0
    this.#texts.clear()
    return held
  }
}
