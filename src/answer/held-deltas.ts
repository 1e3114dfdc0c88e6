/** Holds back what may turn out to be a blank answer, or markers before and behind its JSON. */

import { append } from '../io/arrays.ts'
import type { Answer } from '../stream/answer.ts'
import { type Delta, sizeOf } from '../stream/delta.ts'
import { jsonIn, leftOut, maxMarkers, mayBeMarker, mayEndInMarkers, withoutMarkers } from './json-in.ts'

/** In characters: what is longer is shown as it comes. */
const maxHeld = 1_048_576

export class HeldDeltas {
  readonly #isJson: boolean
  #held: Delta[] = []
  #size = 0
  /** If JSON was asked for: all of the text, and its end. */
  #text = ''
  #textEnd = ''
  #isShown = false
  /** What was left out beside JSON. */
  leftOut: readonly string[] = []

  /** @param isJson Whether JSON was asked for, in a single choice. */
  constructor(isJson: boolean) {
    this.#isJson = isJson
  }

  /** @param answer With these deltas. @returns what to show now. */
  add(deltas: readonly Delta[], answer: Pick<Answer, 'isBlank'>): readonly Delta[] {
    if (this.#isShown && (!this.#isJson || this.#size > maxHeld)) return deltas
    append(this.#held, deltas)
    for (const delta of deltas) {
      this.#size += sizeOf(delta)
      if (delta.type !== 'text' || !this.#isJson) continue
      this.#text += delta.text
      this.#textEnd = (this.#textEnd + delta.text).slice(-maxMarkers)
    }
    const mayBegin = (): boolean => answer.isBlank || (this.#text !== '' && mayBeMarker(this.#text))
    // First, as the other one reads all of the text.
    const mayChange = mayEndInMarkers(this.#textEnd) || (!this.#isShown && mayBegin())
    if (this.#size <= maxHeld && mayChange) return []
    this.#isShown = true
    return this.#held.splice(0)
  }

  /** @returns what was held to the end, without the markers beside JSON. */
  end(): readonly Delta[] {
    const held = this.#held.splice(0)
    const heldText = held.map((delta) => (delta.type === 'text' ? delta.text : '')).join('')
    if (heldText === '' || jsonIn(this.#text) === undefined) return held
    this.leftOut = leftOut(this.#text)
    if (this.leftOut.length === 0) return held
    const text = withoutMarkers(heldText, !this.#isShown)
    const first = held.find(({ type }) => type === 'text')
    return held.flatMap((delta): Delta[] => {
      if (delta.type !== 'text') return [delta]
      return delta === first ? [{ ...delta, text }] : []
    })
  }
}
