import { randomUUID } from 'node:crypto'
import { completionsFields } from '../../api/completions/fields.ts'
import type { Account } from '../account.ts'
import { spentTokens } from '../generate/answer.ts'
import { readChoiceCount, readLimits } from '../limits.ts'
import { checkLength, findModel } from '../routing.ts'
import type { Answer } from '../endpoint.ts'
import { tokenize } from '../tokens.ts'
import { usageOf } from '../usage.ts'
import { checkRequest } from '../validation.ts'
import { makeCompletion, type Completion } from './completion.ts'
import { readPrompts } from './prompts.ts'
import { completionChunks, wholeCompletions, type CompletionsReply } from './reply.ts'

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
  const completions: Completion[] = prompts.flatMap((prompt, position) =>
    Array.from({ length: count }, (_, index) =>
      makeCompletion({
        prompt,
        limits,
        variant: index,
        index: position * count + index,
        echo: request.echo ?? false,
        effort: request.reasoning_effort,
      }),
    ),
  )
  const promptTokens = lengths.reduce((sum, length) => sum + length, 0)
  const spent = spentTokens(completions.map(({ answer }) => answer))
  account.charge({ model, promptTokens, completionTokens: spent.all })
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
