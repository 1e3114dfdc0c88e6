import type { Delta } from '../stream/delta.ts'

/** Where a choice's tokens say the same as its text they stand for it; otherwise the text does. */
export function withProbabilities(deltas: readonly Delta[]): Delta[] {
  const texts = new Map<number, string>()
  const tokens = new Map<number, string>()
  for (const delta of deltas) {
    if (delta.type === 'text') texts.set(delta.index, (texts.get(delta.index) ?? '') + delta.text)
    if (delta.type !== 'logprobs') continue
    const text = delta.tokens.map(({ token }) => token).join('')
    tokens.set(delta.index, (tokens.get(delta.index) ?? '') + text)
  }
  return deltas.filter((delta) => {
    if (delta.type !== 'text' && delta.type !== 'logprobs') return true
    const areTokensShown = texts.get(delta.index) === tokens.get(delta.index)
    return delta.type === 'logprobs' ? areTokensShown : !areTokensShown
  })
}
