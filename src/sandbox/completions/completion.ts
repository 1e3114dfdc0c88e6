/** Continues one prompt. */

import { Chance, hash } from '../chance.ts'
import { cutText, type Limits, type MadeAnswer } from '../generate/answer.ts'
import type { Effort } from '../prompt.ts'
import { tokenize } from '../tokens.ts'
import { continueText } from '../writers/continuation.ts'

export interface Completion {
  readonly answer: MadeAnswer
  /** Tokens of the prompt, when it is to be given back before the completion. */
  readonly echoed: readonly string[]
}

interface Wanted {
  readonly prompt: string
  readonly limits: Limits
  /** Number among the completions of the same prompt. */
  readonly variant: number
  /** Number among all choices. */
  readonly index: number
  readonly echo: boolean
  readonly effort: Effort | undefined
}

const thoughts: Record<Effort, string> = {
  low: 'The text goes on.',
  medium: 'The text goes on, and a rule has to find how.',
  high: 'The text goes on, and a rule has to find how, since no model is here to feel its way along.',
}

export function makeCompletion({ prompt, limits, variant, index, echo, effort }: Wanted): Completion {
  const chance = new Chance(hash(JSON.stringify([prompt, variant])))
  // There is no field for reasoning in a text completion, but it uses up its part of the budget.
  const reasoning = effort ? tokenize(thoughts[effort]).slice(0, limits.totalTokens) : []
  const room = Math.min(limits.answerTokens, limits.totalTokens - reasoning.length)
  const cut = cutText(continueText(prompt, variant, chance), limits, room)
  return { answer: { index, reasoning, calls: [], ...cut }, echoed: echo ? tokenize(prompt) : [] }
}
