/** Cosine similarity of embeddings, from -1 to 1. */

import type { Vector } from '../api/embeddings/decode.ts'

/** The vector scaled to length 1. The zero vector has similarity 0 to all others, not NaN. */
export function directionOf(vector: Vector): Float64Array {
  const scaled = scale(vector)
  const length = Math.sqrt(product(scaled, scaled)) || 1
  return scaled.map((value) => value / length)
}

/** @returns the similarity of 32-bit floats to this vector. */
export function similarityTo(vector: Vector): (other: Float32Array) => number {
  const direction = directionOf(vector)
  return (other) => {
    let [sum, squares] = [0, 0]
    for (let at = 0; at < other.length; at++) {
      const value = other[at] ?? 0
      sum += value * (direction[at] ?? 0)
      squares += value * value
    }
    // NaN for a vector that is zero, or that overflows.
    return Math.min(1, Math.max(-1, sum / Math.sqrt(squares))) || 0
  }
}

/** Similarities of one text to all texts, itself included. */
export function similaritiesOf(index: number, directions: readonly Float64Array[]): number[] {
  const own = directions[index] ?? new Float64Array()
  // Rounding can exceed the range slightly.
  return directions.map((other) => Math.min(1, Math.max(-1, product(own, other))))
}

export function norm(vector: Vector): number {
  const scaled = scale(vector)
  return largestOf(vector) * Math.sqrt(product(scaled, scaled))
}

/** Scales the largest value to 1 or -1: the squares of large or small values would overflow or underflow. */
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
