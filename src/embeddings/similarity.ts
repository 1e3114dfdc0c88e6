/** How alike texts are: the cosine of the angle between their embeddings, from -1 to 1. */

import type { Vector } from '../api/embeddings/decode.ts'

export class Similarities {
  readonly #directions: Float64Array[] = []

  get count(): number {
    return this.#directions.length
  }

  add(vector: Vector): void {
    const scaled = scale(vector)
    // A vector without a length has no direction, and is like none: 0, not NaN.
    const length = Math.sqrt(product(scaled, scaled)) || 1
    this.#directions.push(scaled.map((value) => value / length))
  }

  /** Of one text with every other and itself, in order. */
  row(index: number): number[] {
    const own = this.#directions[index] ?? new Float64Array()
    return this.#directions.map((other) => clamp(product(own, other)))
  }
}

export function norm(vector: Vector): number {
  const scaled = scale(vector)
  return largestOf(vector) * Math.sqrt(product(scaled, scaled))
}

/** Makes the largest value 1 or -1: squares overflow and vanish sooner than their root does. */
function scale(vector: Vector): Float64Array {
  const largest = largestOf(vector) || 1
  return Float64Array.from(vector, (value) => value / largest)
}

function largestOf(vector: Vector): number {
  return vector.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

/** Rounding can lead a little beyond. */
function clamp(cosine: number): number {
  return Math.min(1, Math.max(-1, cosine))
}
