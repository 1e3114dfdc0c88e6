/** Holds back the start of an answer that may turn out to be blank, or to have a marker before its JSON. */

import { append } from '../io/arrays.ts'
import type { Answer } from '../stream/answer.ts'
import { type Delta, sizeOf } from '../stream/delta.ts'
import { jsonIn, markerBefore, mayBeMarker } from './json-in.ts'

/** In characters: what is longer is shown as it comes. */
const maxHeld = 1_048_576

export class HeldDeltas {
  readonly #isJson: boolean
  #held: Delta[] = []
  #size = 0
  #text = ''
  #isShown = false
  /** What was left out before JSON. */
  marker: string | undefined

  /** @param isJson Whether JSON was asked for, in a single choice. */
  constructor(isJson: boolean) {
    this.#isJson = isJson
  }

  /** @param answer With these deltas. @returns what to show now. */
  add(deltas: readonly Delta[], answer: Pick<Answer, 'isBlank'>): readonly Delta[] {
    if (this.#isShown) return deltas
    append(this.#held, deltas)
    for (const delta of deltas) {
      this.#size += sizeOf(delta)
      if (delta.type === 'text' && this.#isJson) this.#text += delta.text
    }
    if (this.#size <= maxHeld && (answer.isBlank || (this.#text !== '' && mayBeMarker(this.#text)))) return []
    this.#isShown = true
    return this.#held
  }

  /** @returns what was held to the end: of JSON behind a marker, that alone. */
  end(): readonly Delta[] {
    if (this.#isShown) return []
    this.#isShown = true
    const [marker, json] = [markerBefore(this.#text), jsonIn(this.#text)]
    if (marker === undefined || json === undefined) return this.#held
    this.marker = marker
    const first = this.#held.find(({ type }) => type === 'text')
    return this.#held.flatMap((delta): Delta[] => {
      if (delta.type !== 'text') return [delta]
      return delta === first ? [{ ...delta, text: json }] : []
    })
  }
}
