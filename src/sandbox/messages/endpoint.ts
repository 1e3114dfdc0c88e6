import { randomUUID } from 'node:crypto'
import { messagesFields } from '../../api/messages/fields.ts'
import type { Account } from '../account.ts'
import { makeAnswer, noLimits, spentTokens } from '../generate/answer.ts'
import { checkPrompt } from '../prompt-check.ts'
import { findModel } from '../routing.ts'
import type { Answer } from '../endpoint.ts'
import { checkRequest } from '../validation.ts'
import { messageEvents } from './events.ts'
import { readPrompt, type MessagesRequest } from './request.ts'
import { wholeMessage, type MessageReply } from './whole.ts'

/** `POST /anthropic/v1/messages` */
export async function answerMessages(body: unknown, account: Account): Promise<Answer> {
  const request: MessagesRequest = await checkRequest(messagesFields, body)
  const model = findModel(request.model as string, 'text')
  const prompt = readPrompt(request, model)
  const promptTokens = checkPrompt(prompt, model)
  account.countRequest()
  // In this family `max_tokens` includes the thinking.
  const limits = { ...noLimits, stop: request.stop_sequences ?? [], totalTokens: request.max_tokens ?? Infinity }
  const answer = makeAnswer(prompt, limits, 0)
  const outputTokens = spentTokens([answer]).all
  account.charge({ model, promptTokens, completionTokens: outputTokens })
  const reply: MessageReply = {
    id: `msg_${randomUUID().replaceAll('-', '')}`,
    model: model.servedAs,
    answer,
    inputTokens: promptTokens,
    outputTokens,
  }
  return request.stream ? { events: messageEvents(reply) } : { json: wholeMessage(reply) }
}
