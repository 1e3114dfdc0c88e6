/** From a chat completion request (section 2.1) to what every interface asks for. */

import type { Values } from '../../fields/field.ts'
import type { JsonObject } from '../../io/json.ts'
import type { chatFields } from '../../api/chat/fields.ts'
import type { Model } from '../catalogue.ts'
import { seeAddress } from '../images.ts'
import type { Prompt, Tool, ToolChoice, Turn } from '../prompt.ts'

export type ChatRequest = Values<typeof chatFields> & JsonObject

type Part = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool' | 'function'
  content?: string | Part[] | null
  name?: string
  tool_call_id?: string
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  function_call?: { name: string; arguments: string }
}

export function readPrompt(request: ChatRequest, model: Model): Prompt {
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

/** Whether the deprecated `functions` are used, which are answered in their own form. */
export function usesFunctions(request: ChatRequest): boolean {
  return request.tools === undefined && request.functions !== undefined
}

function readTurn(message: Message, messages: readonly Message[]): Turn {
  const parts = typeof message.content === 'string' ? [textPart(message.content)] : (message.content ?? [])
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const called =
    message.tool_calls?.map((call) => call.function) ?? (message.function_call ? [message.function_call] : [])
  return {
    role: message.role === 'function' ? 'tool' : message.role,
    text: [...texts, ...called.map((call) => `${call.name}(${call.arguments})`)].join('\n'),
    images: parts.flatMap((part) => (part.type === 'image_url' ? [seeAddress(part.image_url.url)] : [])),
    tool: message.role === 'function' ? message.name : toolOf(message.tool_call_id, messages),
  }
}

function textPart(text: string): Part {
  return { type: 'text', text }
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
