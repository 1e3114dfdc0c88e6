import { messagesFields } from '../../api/messages/fields.ts'
import { findModel } from '../catalogue.ts'
import type { Answer } from '../endpoint.ts'
import { checkPrompt } from '../prompt.ts'
import { checkRequest } from '../request-body.ts'
import { readPrompt } from './endpoint.ts'

/** `POST /anthropic/v1/messages/count_tokens`: the body of a messages request, which needs no `max_tokens` here. */
export async function answerCount(body: unknown): Promise<Answer> {
  const request = await checkRequest(messagesFields, body, ['max_tokens'])
  const model = findModel(request.model as string, 'text')
  return { json: { input_tokens: checkPrompt(readPrompt(request, model), model) } }
}
