/** Text completions: from a request (section 2.2) to the reply. */

import { randomUUID } from 'node:crypto'
import { completionsFields } from '../../api/completions/fields.ts'
import type { Account } from '../account.ts'
import { checkLength, findModel } from '../catalogue.ts'
import type { Answer } from '../endpoint.ts'
import { spentTokens, usageOf } from '../generate/answer.ts'
import { cutText, readChoiceCount, readLimits, type Limits } from '../generate/limits.ts'
import { Refusal } from '../refusal.ts'
import { checkRequest } from '../request-body.ts'
import { textOfTokens, tokenize } from '../tokens.ts'
import { continueText } from '../writers/echo.ts'
import { completionChunks, wholeCompletions, type Completion, type CompletionsReply } from './reply.ts'

/** `POST /openai/v1/completions` */
export async function answerCompletions(body: unknown, account: Account): Promise<Answer> {
  const request = await checkRequest(completionsFields, body)
  const model = findModel(request.model as string, 'text')
  const prompts = readPrompts(request.prompt)
  const lengths = prompts.map((prompt) => tokenize(prompt).length)
  for (const length of lengths) checkLength(model, length)
  const limits = readLimits(request)
  const count = readChoiceCount(request)
  account.countRequest()
  const completions = prompts.flatMap((prompt, position) =>
    Array.from({ length: count }, (_, variant): Completion => {
      const answer = continuePrompt(prompt, variant, limits, request.reasoning_effort !== undefined)
      return { ...answer, index: position * count + variant, echoed: request.echo ? tokenize(prompt) : [] }
    }),
  )
  const promptTokens = lengths.reduce((sum, length) => sum + length, 0)
  const spent = spentTokens(completions)
  account.charge(model, promptTokens, spent.all)
  const reply: CompletionsReply = {
    id: `cmpl-${randomUUID()}`,
    created: Math.floor(account.now() / 1000),
    model: model.servedAs,
    completions,
    usage: usageOf(promptTokens, spent),
    alternatives: request.logprobs,
  }
  if (!request.stream) return { json: wholeCompletions(reply) }
  return { events: completionChunks(reply, request.stream_options?.['include_usage'] === true) }
}

/**
 * @param prompt One of the four forms of section 2.2.
 * @returns the text of each prompt; token ids are read with the toy tokenizer.
 */
function readPrompts(prompt: unknown): string[] {
  if (typeof prompt === 'string') return [prompt]
  const list = prompt as string[] | number[] | number[][]
  if (list.length === 0) throw new Refusal(400, '$.prompt: [] is not accepted; expected at least one prompt')
  if (typeof list[0] === 'number') return [readTokens(list as number[])]
  return (list as (string | number[])[]).map((item) => (typeof item === 'string' ? item : readTokens(item)))
}

function readTokens(ids: readonly number[]): string {
  const wrong = ids.find((id) => !Number.isSafeInteger(id) || id < 0)
  if (wrong === undefined) return textOfTokens(ids)
  throw new Refusal(400, `$.prompt: ${wrong} is not accepted; expected token ids, which are whole numbers, at least 0`)
}

/** @param variant Number among the completions of the same prompt. */
function continuePrompt(
  prompt: string,
  variant: number,
  limits: Limits,
  isThinking: boolean,
): Omit<Completion, 'index' | 'echoed'> {
  // There is no field for reasoning in a text completion, but it uses up its part of the budget.
  const reasoning = isThinking
    ? tokenize('The text goes on, and a rule has to find how.').slice(0, limits.totalTokens)
    : []
  const room = Math.min(limits.answerTokens, limits.totalTokens - reasoning.length)
  return { reasoning, calls: [], ...cutText(continueText(prompt, variant), limits, room) }
}
