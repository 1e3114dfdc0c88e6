/** Cosine similarity of embeddings, from -1 to 1. */

import type { Vector } from '../api/embeddings/decode.ts'

/** The vector scaled to length 1. The zero vector has similarity 0 to all others, not NaN. */
function directionOf(vector: Vector): Vector {
  // The squares of large or small values would overflow or underflow.
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1
  const scaled = vector.map((value) => value / largest)
  const length = Math.sqrt(scaled.reduce((sum, value) => sum + value * value, 0)) || 1
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
