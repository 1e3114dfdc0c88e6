/** The fields that cut an answer short, which chat and text completions share. */

import type { Limits } from './generate/answer.ts'
import type { JsonObject } from '../io/json.ts'
import { Refusal } from './refusal.ts'

interface Limiting {
  readonly stop?: string | unknown[]
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly logit_bias?: JsonObject
  readonly n?: number
}

/** So that one request can't fill the memory; the specification states no highest number. */
const mostChoices = 128

export function readLimits(request: Limiting): Limits {
  const stop = request.stop ?? []
  const biases = Object.entries(request.logit_bias ?? {})
  return {
    stop: typeof stop === 'string' ? [stop] : (stop as string[]),
    answerTokens: request.max_tokens ?? Infinity,
    totalTokens: request.max_completion_tokens ?? Infinity,
    banned: new Set(biases.flatMap(([id, bias]) => (bias === -100 ? [Number(id)] : []))),
  }
}

/** @throws Refusal for more choices than the sandbox gives. */
export function readChoiceCount({ n = 1 }: Limiting): number {
  if (n > mostChoices)
    throw new Refusal(400, `$.n: ${n} is not accepted; the sandbox gives at most ${mostChoices} choices`)
  return n
}
