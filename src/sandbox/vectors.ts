/** Embeddings without a model: hashed words and pairs of words, so texts that share words lie near each other. */

import { hash } from './chance.ts'

/** @returns a vector of length 1. */
export function embedText(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stem)
  const features = words.length === 0 ? [text] : words
  for (const feature of features) add(vector, `1 ${feature}`, 1)
  for (const [at, word] of words.slice(1).entries()) add(vector, `2 ${words[at]} ${word}`, 0.5)
  const length = Math.hypot(...vector.filter((value) => value !== 0))
  // Features can cancel each other out; the direction is then arbitrary, but its length must still be 1.
  if (length === 0) return vector.map((_, at) => (at === hash(text) % dimensions ? 1 : 0))
  return vector.map((value) => value / length)
}

// The spread over two places with signs of their own keeps unlike texts apart in few dimensions.
function add(vector: number[], feature: string, weight: number): void {
  for (const salt of ['a', 'b']) {
    const code = hash(`${salt}${feature}`)
    const at = (code >>> 1) % vector.length
    vector[at] = (vector[at] ?? 0) + ((code & 1) === 0 ? weight : -weight)
  }
}

/** Common English endings off, so that `cats` lies with `cat`. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(ing|ed|es|s)$/, '') : word.replace(/s$/, '')
}
