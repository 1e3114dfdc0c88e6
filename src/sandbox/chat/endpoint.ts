import { randomUUID } from 'node:crypto'
import { chatFields } from '../../api/chat/fields.ts'
import type { Account } from '../account.ts'
import { makeAnswer, spentTokens } from '../generate/answer.ts'
import { readChoiceCount, readLimits } from '../limits.ts'
import { checkPrompt } from '../prompt-check.ts'
import { findModel } from '../routing.ts'
import type { Answer } from '../endpoint.ts'
import { usageOf } from '../usage.ts'
import { checkRequest } from '../validation.ts'
import { chatChunks } from './chunks.ts'
import { readPrompt, usesFunctions, type ChatRequest } from './request.ts'
import { wholeAnswer, type ChatReply } from './whole.ts'

/** `POST /openai/v1/chat/completions` */
export async function answerChat(body: unknown, account: Account): Promise<Answer> {
  const request: ChatRequest = await checkRequest(chatFields, body)
  const model = findModel(request.model as string, 'text')
  const prompt = readPrompt(request, model)
  const promptTokens = checkPrompt(prompt, model)
  const limits = readLimits(request)
  const count = readChoiceCount(request)
  account.countRequest()
  const answers = Array.from({ length: count }, (_, index) => makeAnswer(prompt, limits, index))
  const spent = spentTokens(answers)
  account.charge({ model, promptTokens, completionTokens: spent.all })
  const reply: ChatReply = {
    id: `chatcmpl-${randomUUID()}`,
    created: Math.floor(account.now() / 1000),
    model: model.servedAs,
    answers,
    usage: usageOf(promptTokens, spent),
    usesFunctions: usesFunctions(request),
    alternatives: alternativesOf(request),
  }
  if (!request.stream) return { json: wholeAnswer(reply) }
  return { events: chatChunks(reply, request.stream_options?.['include_usage'] === true) }
}

/** `logprobs` is a boolean beside `top_logprobs`, or the number itself. */
function alternativesOf({ logprobs, top_logprobs: alternatives = 0 }: ChatRequest): number | undefined {
  if (logprobs === undefined || logprobs === false) return undefined
  return logprobs === true ? alternatives : Math.max(0, logprobs)
}
