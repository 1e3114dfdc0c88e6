/** Chat completions: from a request (section 2.1) to what every interface asks for, and to the reply. */

import { randomUUID } from 'node:crypto'
import { chatFields } from '../../api/chat/fields.ts'
import type { Values } from '../../fields/field.ts'
import type { JsonObject } from '../../io/json.ts'
import type { Account } from '../account.ts'
import { findModel, type Model } from '../catalogue.ts'
import type { Answer } from '../endpoint.ts'
import { makeAnswer, spentTokens, usageOf } from '../generate/answer.ts'
import { readChoiceCount, readLimits } from '../generate/limits.ts'
import { seeAddress } from '../images.ts'
import { checkPrompt, type Prompt, type Tool, type ToolChoice, type Turn } from '../prompt.ts'
import { checkRequest } from '../request-body.ts'
import { chatChunks, wholeAnswer, type ChatReply } from './reply.ts'

type ChatRequest = Values<typeof chatFields> & JsonObject

type Part = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool' | 'function'
  content?: string | Part[] | null
  name?: string
  tool_call_id?: string
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  function_call?: { name: string; arguments: string }
}

/** `POST /openai/v1/chat/completions` */
export async function answerChat(body: unknown, account: Account): Promise<Answer> {
  const request: ChatRequest = await checkRequest(chatFields, body)
  const model = findModel(request.model as string, 'text')
  const prompt = readPrompt(request, model)
  const promptTokens = checkPrompt(prompt, model)
  const limits = readLimits(request)
  const count = readChoiceCount(request)
  account.countRequest()
  const indexes = Array.from({ length: count }, (_, index) => index)
  const answers = await Promise.all(indexes.map((index) => makeAnswer(prompt, limits, index)))
  const spent = spentTokens(answers)
  account.charge(model, promptTokens, spent.all)
  const reply: ChatReply = {
    id: `chatcmpl-${randomUUID()}`,
    created: Math.floor(account.now() / 1000),
    model: model.servedAs,
    answers,
    usage: usageOf(promptTokens, spent),
    usesFunctions: request.tools === undefined && request.functions !== undefined,
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

function readPrompt(request: ChatRequest, model: Model): Prompt {
  const messages = request.messages as unknown as Message[]
  return {
    turns: messages.map((message) => readTurn(message, messages)),
    tools: readTools(request),
    toolChoice: readToolChoice(request),
    isParallel: request.parallel_tool_calls ?? true,
    schema: readSchema(request.response_format),
    effort: request.reasoning_effort ?? (model.hasReasoning ? 'medium' : undefined),
    seed: request.seed,
  }
}

function readTurn(message: Message, messages: readonly Message[]): Turn {
  const { role, content } = message
  const parts: Part[] = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const called =
    message.tool_calls?.map((call) => call.function) ?? (message.function_call ? [message.function_call] : [])
  return {
    role: role === 'function' ? 'tool' : role,
    text: [...texts, ...called.map((call) => `${call.name}(${call.arguments})`)].join('\n'),
    images: parts.flatMap((part) => (part.type === 'image_url' ? [seeAddress(part.image_url.url)] : [])),
    tool: role === 'function' ? message.name : toolOf(message.tool_call_id, messages),
  }
}

function toolOf(id: string | undefined, messages: readonly Message[]): string | undefined {
  const calls = messages.flatMap((message) => message.tool_calls ?? [])
  return calls.find((call) => call.id === id)?.function.name
}

function readTools(request: ChatRequest): Tool[] {
  const tools = request.tools as { function: JsonObject }[] | undefined
  const functions = tools?.map((tool) => tool.function) ?? (request.functions as JsonObject[] | undefined) ?? []
  return functions.map(({ name, description, parameters }) => ({
    name: name as string,
    description: typeof description === 'string' ? description : '',
    schema: (parameters as JsonObject | undefined) ?? { type: 'object' },
  }))
}

function readToolChoice(request: ChatRequest): ToolChoice {
  const choice = request.tools === undefined ? request.function_call : request.tool_choice
  if (choice === undefined || choice === 'auto' || choice === 'none') return choice ?? 'auto'
  const named = (choice['function'] ?? choice) as JsonObject
  return { name: named['name'] as string }
}

function readSchema(format: JsonObject | undefined): JsonObject | undefined {
  if (format?.['type'] === 'json_object') return { type: 'object' }
  if (format?.['type'] !== 'json_schema') return undefined
  const { schema } = format['json_schema'] as { schema?: JsonObject }
  return schema ?? {}
}
