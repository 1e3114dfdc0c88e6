/** The chat completions endpoint: request (section 2.1), reply, and stream (section 4, note 5). */

import { chatFields } from '../api/chat/fields.ts'
import type { Values } from '../fields/field.ts'
import type { JsonObject } from '../io/json/json.ts'
import type { Account } from './account.ts'
import { chatLogprobs, readLimits, replyWithChoices, type Choice } from './choices.ts'
import { checkRequest, HttpError, type SandboxReply } from './endpoint.ts'
import { generateAnswer, type MadeAnswer } from './generate/answer.ts'
import { readEffort, sandboxModel, type Effort, type SandboxModel } from './models.ts'
import { checkPrompt, describeImage, readTool, type Prompt, type Tool, type ToolChoice, type Turn } from './prompt.ts'

type ChatRequest = Values<typeof chatFields> & JsonObject

type ContentPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool' | 'function'
  content?: string | ContentPart[] | null
  name?: string
  reasoning_content?: string
  tool_call_id?: string
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  function_call?: { name: string; arguments: string }
}

/** `POST /openai/v1/chat/completions` */
export async function answerChat(body: unknown, account: Account, ended: AbortSignal): Promise<SandboxReply> {
  const request: ChatRequest = await checkRequest(chatFields, body)
  const model = sandboxModel(request.model as string, 'text')
  const prompt = readPrompt(request, model)
  checkReasoning(request.messages as unknown as ChatMessage[], prompt.effort)
  const parts = checkPrompt(prompt, model)
  const { count, limits } = readLimits(request)
  const promptTokens = await account.countRequest(model, parts, ended)
  const choices: Choice[] = []
  // One after the other: the first one that fails ends the request.
  for (let index = 0; index < count; index++)
    choices.push(writeChoice(await generateAnswer(prompt, limits, index), request))
  return replyWithChoices(choices, names, { request, model, promptTokens }, account)
}

const names = { idPrefix: 'chatcmpl', whole: 'chat.completion', chunk: 'chat.completion.chunk' }

function readPrompt(request: ChatRequest, model: SandboxModel): Prompt {
  const messages = request.messages as unknown as ChatMessage[]
  return {
    turns: messages.map((message) => readTurn(message, messages)),
    tools: readTools(request),
    toolChoice: readToolChoice(request),
    isParallel: request.parallel_tool_calls ?? true,
    schema: readSchema(request.response_format),
    effort: readEffort(model, request.reasoning_effort),
    seed: request.seed,
  }
}

/** @throws HttpError for tool calls without the reasoning that came with them, which a model that thinks wants back. */
function checkReasoning(messages: readonly ChatMessage[], effort: Effort): void {
  const at = messages.findIndex((message) => (message.tool_calls ?? []).length > 0 && !message.reasoning_content)
  if (effort === 'none' || at === -1) return
  const problem = `reasoning_content is missing in assistant tool call message at index ${at}`
  throw new HttpError(400, `thinking is enabled but ${problem}`)
}

function readTurn(message: ChatMessage, messages: readonly ChatMessage[]): Turn {
  const { role, content } = message
  const parts: ContentPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const called =
    message.tool_calls?.map((call) => call.function) ?? (message.function_call ? [message.function_call] : [])
  return {
    role: role === 'function' ? 'tool' : role,
    text: [...texts, ...called.map((call) => `${call.name}(${call.arguments})`)].join('\n'),
    images: parts.flatMap((part) => (part.type === 'image_url' ? [describeImage(part.image_url.url)] : [])),
    tool: role === 'function' ? message.name : toolName(message.tool_call_id, messages),
  }
}

function toolName(id: string | undefined, messages: readonly ChatMessage[]): string | undefined {
  const calls = messages.flatMap((message) => message.tool_calls ?? [])
  return calls.find((call) => call.id === id)?.function.name
}

function readTools(request: ChatRequest): Tool[] {
  const tools = request.tools as { function: JsonObject }[] | undefined
  const functions = tools?.map((tool) => tool.function) ?? (request.functions as JsonObject[] | undefined) ?? []
  return functions.map((tool) => readTool(tool, tool['parameters']))
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

function writeChoice(answer: MadeAnswer, request: ChatRequest): Choice {
  const { reasoning, text, calls } = answer
  // The deprecated `functions` have a reply format of their own, with one call.
  const usesFunctions = request.tools === undefined && request.functions !== undefined
  const finish = answer.finish === 'tool_calls' && usesFunctions ? 'function_call' : answer.finish
  const alternatives = alternativesOf(request)
  const logprobs = (tokens: readonly string[]): JsonObject =>
    alternatives === undefined ? {} : { logprobs: chatLogprobs(tokens, alternatives) }
  const made = calls.map(({ id, name, arguments: tokens }) => {
    return { id, type: 'function', function: { name, arguments: tokens.join('') } }
  })
  const message: JsonObject = { role: 'assistant', content: calls.length > 0 ? null : text.join('') }
  if (reasoning.length > 0) message['reasoning_content'] = reasoning.join('')
  if (made[0] && usesFunctions) message['function_call'] = made[0].function
  else if (made[0]) message['tool_calls'] = made
  function* deltas(): Generator<JsonObject> {
    for (const token of reasoning) yield { delta: { reasoning_content: token } }
    for (const token of text) yield { delta: { content: token }, ...logprobs([token]) }
    for (const [index, { id, name, arguments: tokens }] of calls.entries()) {
      if (usesFunctions && index > 0) return
      const called = (head: JsonObject, call: JsonObject): JsonObject => ({
        delta: usesFunctions ? { function_call: call } : { tool_calls: [{ index, ...head, function: call }] },
      })
      yield called({ id, type: 'function' }, { name, arguments: '' })
      for (const token of tokens) yield called({}, { arguments: token })
    }
  }
  return {
    answer,
    whole: { message, finish_reason: finish, ...logprobs(text) },
    start: { delta: { role: 'assistant' } },
    tokens: deltas(),
    end: { delta: {}, finish_reason: finish },
  }
}

/** `logprobs` is `true`, with the number in `top_logprobs`, or the number itself. */
function alternativesOf({ logprobs, top_logprobs: alternatives = 0 }: ChatRequest): number | undefined {
  if (logprobs === undefined || logprobs === false) return undefined
  return logprobs === true ? alternatives : Math.max(0, logprobs)
}
