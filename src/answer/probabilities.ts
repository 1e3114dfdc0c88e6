import type { Delta } from '../stream/delta.ts'
import type { Style } from '../terminal/style.ts'

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

const steps = 10

/** A line that tells what the colours of tokens mean. */
export function probabilityLegend({ probability }: Style): string {
  const scale = Array.from({ length: steps }, (_, step) => probability('■', (step + 0.5) / steps))
  return `syn: probability 0% ${scale.join('')} 100%\n`
}
