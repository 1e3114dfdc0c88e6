import { joinSafe, safe, type SafeText } from '../io/text/safe-text.ts'
import type { Delta } from '../stream/delta.ts'
import type { Style } from '../terminal/style.ts'

/** Drops the text of a choice if its tokens have the same text, and otherwise the tokens: only one of them is shown. */
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
    const hasSameText = texts.get(delta.index) === tokens.get(delta.index)
    return delta.type === 'logprobs' ? hasSameText : !hasSameText
  })
}

const steps = 10

/** The legend for the colors of tokens. */
export function probabilityLegend({ graded }: Style): SafeText {
  const scale = Array.from({ length: steps }, (_, step) => graded(safe`■`, (step + 0.5) / steps))
  return safe`syn: probability 0% ${joinSafe(scale)} 100%\n`
}
