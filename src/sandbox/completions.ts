/** The text completions endpoint: request (section 2.2), reply and stream. */

import { completionsFields } from '../api/completions/fields.ts'
import type { JsonObject } from '../io/json/json.ts'
import type { Account } from './account.ts'
import { readLimits, replyWithChoices, type ChoiceFormat } from './choices.ts'
import { checkRequest, type Answer } from './endpoint.ts'
import { limitAnswer, type MadeAnswer } from './generate/answer.ts'
import { textLogprobs } from './generate/logprobs.ts'
import { HttpError } from './http-error.ts'
import { checkLength, findModel } from './models.ts'
import { textOfTokens, tokenize } from './tokens.ts'
import { continueText } from './writers/text.ts'

interface Completion extends MadeAnswer {
  /** The tokens of the prompt, if the request has `echo`. */
  readonly echoed: readonly string[]
}

/** `POST /openai/v1/completions` */
export async function answerCompletions(body: unknown, account: Account): Promise<Answer> {
  const request = await checkRequest(completionsFields, body)
  const model = findModel(request.model as string, 'text')
  const prompts = readPrompts(request.prompt)
  const lengths = prompts.map((prompt) => tokenize(prompt).length)
  for (const length of lengths) checkLength(model, length)
  const { count, limits } = readLimits(request)
  account.countRequest()
  const answers = prompts.flatMap((prompt, position) =>
    Array.from({ length: count }, (_, variant): Completion => {
      const written = { reasoning: '', calls: [], text: continueText(prompt, variant) }
      const answer = limitAnswer(position * count + variant, written, limits)
      return { ...answer, echoed: request.echo ? tokenize(prompt) : [] }
    }),
  )
  const promptTokens = lengths.reduce((sum, length) => sum + length, 0)
  return replyWithChoices({ request, model, promptTokens, answers, account }, completionFormat(request.logprobs))
}

/**
 * @param prompt In one of the four formats of section 2.2.
 * @returns the text of each prompt. Token ids are those of the sandbox's own tokenizer.
 */
function readPrompts(prompt: unknown): string[] {
  if (typeof prompt === 'string') return [prompt]
  const list = prompt as string[] | number[] | number[][]
  if (list.length === 0) throw new HttpError(400, '$.prompt: [] is not accepted; expected at least one prompt')
  if (typeof list[0] === 'number') return [readTokens(list as number[])]
  return (list as (string | number[])[]).map((item) => (typeof item === 'string' ? item : readTokens(item)))
}

function readTokens(ids: readonly number[]): string {
  const wrong = ids.find((id) => !Number.isSafeInteger(id) || id < 0)
  if (wrong === undefined) return textOfTokens(ids)
  throw new HttpError(400, `$.prompt: ${wrong} is not accepted; expected token ids: whole numbers, at least 0`)
}

/** @param alternatives Log probabilities per token; `undefined` if none were requested. */
function completionFormat(alternatives: number | undefined): ChoiceFormat<Completion> {
  const logprobs = (tokens: readonly string[], offset: number, isStart: boolean): JsonObject | null =>
    alternatives === undefined ? null : textLogprobs(tokens, { alternatives, offset, isStart })
  return {
    idPrefix: 'cmpl',
    object: 'text_completion',
    chunkObject: 'text_completion',
    whole({ echoed, text, finish }) {
      const tokens = [...echoed, ...text]
      return { text: tokens.join(''), logprobs: logprobs(tokens, 0, echoed.length > 0), finish_reason: finish }
    },
    *tokens({ echoed, text }) {
      let offset = 0
      for (const token of [...echoed, ...text]) {
        yield { text: token, logprobs: logprobs([token], offset, offset === 0 && echoed.length > 0) }
        offset += token.length
      }
    },
    end: ({ finish }) => ({ text: '', logprobs: null, finish_reason: finish }),
  }
}
