/** The text completions endpoint: request (section 2.2), reply and stream. */

import { completionsFields } from '../api/completions/fields.ts'
import type { JsonObject } from '../io/json/json.ts'
import type { Account } from './account.ts'
import { readLimits, replyWithChoices, textLogprobs, type Choice } from './choices.ts'
import { checkRequest, notAccepted, type SandboxReply } from './endpoint.ts'
import { limitAnswer, type MadeAnswer } from './generate/answer.ts'
import { checkLength, readEffort, sandboxModel } from './models.ts'
import { tokenCount, textOfTokens, tokenize } from './tokens.ts'
import { continueText } from './generate/answer-text.ts'

/** `POST /openai/v1/completions` */
export async function answerCompletions(body: unknown, account: Account, ended: AbortSignal): Promise<SandboxReply> {
  const request = await checkRequest(completionsFields, body)
  const model = sandboxModel(request.model as string, 'text')
  readEffort(model, request.reasoning_effort)
  const prompts = readPrompts(request.prompt)
  const parts = prompts.map((prompt) => ({ content: prompt, tokens: tokenCount(prompt) }))
  for (const { tokens } of parts) checkLength(model, tokens)
  const { count, limits } = readLimits(request)
  const promptTokens = await account.countRequest(model, parts, ended)
  const choices = prompts.flatMap((prompt) =>
    Array.from({ length: count }, (_, variant) => {
      const answer = limitAnswer({ reasoning: '', calls: [], text: continueText(prompt, variant) }, limits)
      return writeChoice(answer, request.echo ? tokenize(prompt) : [], request.logprobs)
    }),
  )
  return replyWithChoices(choices, names, { request, model, promptTokens }, account)
}

const names = { idPrefix: 'cmpl', whole: 'text_completion', chunk: 'text_completion' }

/** The text of each prompt, in one of the four formats of section 2.2. Token ids are of the sandbox's own tokenizer. */
function readPrompts(prompt: unknown): string[] {
  if (typeof prompt === 'string') return [prompt]
  const list = prompt as string[] | number[] | number[][]
  if (list.length === 0) throw notAccepted('$.prompt', [], 'expected at least one prompt')
  if (typeof list[0] === 'number') return [readTokens(list as number[])]
  return (list as (string | number[])[]).map((item) => (typeof item === 'string' ? item : readTokens(item)))
}

function readTokens(ids: readonly number[]): string {
  const wrong = ids.find((id) => !Number.isSafeInteger(id) || id < 0)
  if (wrong === undefined) return textOfTokens(ids)
  throw notAccepted('$.prompt', wrong, 'expected token ids: whole numbers, at least 0')
}

/** @param echoed The prompt's tokens, if they are to be returned. @param alternatives Log probabilities per token, if any. */
function writeChoice(answer: MadeAnswer, echoed: readonly string[], alternatives: number | undefined): Choice {
  const all = [...echoed, ...answer.text]
  const logprobs = (tokens: readonly string[], offset: number): JsonObject | null => {
    const isStart = offset === 0 && echoed.length > 0
    return alternatives === undefined ? null : textLogprobs(tokens, alternatives, offset, isStart)
  }
  function* chunks(): Generator<JsonObject> {
    let offset = 0
    for (const token of all) {
      yield { text: token, logprobs: logprobs([token], offset) }
      offset += token.length
    }
  }
  return {
    answer,
    whole: { text: all.join(''), logprobs: logprobs(all, 0), finish_reason: answer.finish },
    tokens: chunks(),
    end: { text: '', logprobs: null, finish_reason: answer.finish },
  }
}
