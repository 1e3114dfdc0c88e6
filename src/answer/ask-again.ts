/** Which request follows an answer that is not what was asked for: the same one, or one that says what was wrong. */

import { addMessages, isBlank } from '../conversation/message.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { type Answer, isEmpty } from '../stream/answer.ts'
import { type AnswerOutcome, consequences, SchemaMismatchError } from './outcome.ts'

interface AgainLimits {
  /** Whether a blank answer may be asked for once more. */
  readonly retriesBlank: boolean
  /** How often an answer is sent back with what does not match the schema. */
  readonly repairs: number
}

type Body = JsonObject & { readonly model: Json }

/** @returns a function that takes each answer to a request in turn, and says what to send then, if anything. */
export function createFollowUp(first: Body, { retriesBlank, repairs }: AgainLimits) {
  let body = first
  let [hasRetried, repaired] = [false, 0]
  const hasStop = [first.stop, first.stop_sequences].some((stop) => (stop ?? null) !== null)

  return ({ problem, part }: AnswerOutcome, answer: Answer): { body: Body; notice: string } | undefined => {
    const { code, error, content } = problem ?? part ?? {}
    if (code === undefined) return undefined
    const { isAskedAgain, isRepaired } = consequences[code] ?? {}
    const hasNothing = answer.choices.every(([, choice]) => isEmpty(choice))
    if (isAskedAgain && retriesBlank && !hasRetried && !hasStop && hasNothing) {
      hasRetried = true
      return { body, notice: 'the answer is empty; asking again' }
    }
    if (!isRepaired || content === undefined || repaired >= repairs || !(error instanceof SchemaMismatchError)) return
    repaired += 1
    const messages = Array.isArray(body.messages) ? [...body.messages] : []
    const request = `The answer does not match the JSON schema:\n${error.problems}\nAnswer with the corrected JSON, and nothing else.`
    const answered = isBlank(content) ? [] : [{ role: 'assistant', content }]
    const added = [...answered, { role: 'user', content: request }]
    body = { ...body, messages: addMessages(messages, added, { wantsTurns: true }) }
    return { body, notice: `${error.message}; asking again (${repaired} of ${repairs})` }
  }
}
