/** The messages family: from a request (section 2.4) to what every interface asks for, and to the reply. */

import { randomUUID } from 'node:crypto'
import { messagesFields } from '../../api/messages/fields.ts'
import type { Values } from '../../fields/field.ts'
import type { JsonObject } from '../../io/json.ts'
import type { Account } from '../account.ts'
import { findModel, type Model } from '../catalogue.ts'
import type { Answer } from '../endpoint.ts'
import { makeAnswer, spentTokens } from '../generate/answer.ts'
import { noLimits } from '../generate/limits.ts'
import { seeAddress, seeBytes, type SeenImage } from '../images.ts'
import { checkPrompt, type Effort, type Prompt, type Tool, type ToolChoice, type Turn } from '../prompt.ts'
import { checkRequest } from '../request-body.ts'
import { messageEvents, wholeMessage, type MessageReply } from './reply.ts'

type MessagesRequest = Values<typeof messagesFields> & JsonObject

type Source = { type: 'base64'; media_type: string; data: string } | { type: 'url'; url: string }

type Block =
  | { type: 'text'; text: string }
  | { type: 'image'; source: Source }
  | { type: 'tool_use'; id: string; name: string; input: unknown }
  | { type: 'tool_result'; tool_use_id: string; content: string; is_error?: boolean }
  | { type: 'thinking'; thinking: string }
  | { type: 'redacted_thinking' }

interface Message {
  role: 'user' | 'assistant'
  content: string | Block[]
}

/** `POST /anthropic/v1/messages` */
export async function answerMessages(body: unknown, account: Account): Promise<Answer> {
  const request: MessagesRequest = await checkRequest(messagesFields, body)
  const model = findModel(request.model as string, 'text')
  const prompt = readPrompt(request, model)
  const promptTokens = checkPrompt(prompt, model)
  account.countRequest()
  // In this family `max_tokens` includes the thinking.
  const limits = { ...noLimits, stop: request.stop_sequences ?? [], totalTokens: request.max_tokens ?? Infinity }
  const answer = await makeAnswer(prompt, limits, 0)
  const outputTokens = spentTokens([answer]).all
  account.charge(model, promptTokens, outputTokens)
  const reply: MessageReply = {
    id: `msg_${randomUUID().replaceAll('-', '')}`,
    model: model.servedAs,
    answer,
    inputTokens: promptTokens,
    outputTokens,
  }
  return request.stream ? { events: messageEvents(reply) } : { json: wholeMessage(reply) }
}

export function readPrompt(request: MessagesRequest, model: Model): Prompt {
  const messages = request.messages as unknown as Message[]
  const used = new Map<string, string>()
  for (const block of messages.flatMap(blocksOf)) if (block.type === 'tool_use') used.set(block.id, block.name)
  const choice = (request.tool_choice ?? { type: 'auto' }) as { type: string; name?: string }
  return {
    turns: [...readSystem(request.system), ...messages.flatMap((message) => readTurns(message, used))],
    tools: readTools(request),
    toolChoice: choice.name === undefined ? (choice.type as ToolChoice) : { name: choice.name },
    isParallel: (choice as JsonObject)['disable_parallel_tool_use'] !== true,
    schema: undefined,
    effort: readEffort(request['thinking'], model),
    seed: undefined,
  }
}

function blocksOf({ content }: Message): Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function readSystem(system: MessagesRequest['system']): Turn[] {
  if (system === undefined) return []
  const texts = typeof system === 'string' ? [system] : (system as { text: string }[]).map(({ text }) => text)
  return [{ role: 'system', text: texts.join('\n'), images: [] }]
}

/** A tool's results come first, as turns of their own; what else the message holds is one turn. */
function readTurns(message: Message, used: ReadonlyMap<string, string>): Turn[] {
  const blocks = blocksOf(message)
  const results = blocks.flatMap((block): Turn[] => {
    if (block.type !== 'tool_result') return []
    const text = block.is_error ? `Error: ${block.content}` : block.content
    return [{ role: 'tool', text, images: [], tool: used.get(block.tool_use_id) }]
  })
  const texts = blocks.flatMap(textOf)
  const images = blocks.flatMap((block) => (block.type === 'image' ? [seeSource(block.source)] : []))
  if (results.length > 0 && texts.length === 0 && images.length === 0) return results
  return [...results, { role: message.role, text: texts.join('\n'), images }]
}

function textOf(block: Block): string[] {
  if (block.type === 'text') return [block.text]
  return block.type === 'tool_use' ? [`${block.name}(${JSON.stringify(block.input)})`] : []
}

function seeSource(source: Source): SeenImage {
  return source.type === 'url' ? seeAddress(source.url) : seeBytes(source.media_type, source.data)
}

function readTools({ tools }: MessagesRequest): Tool[] {
  return ((tools ?? []) as JsonObject[]).map(({ name, description, input_schema: schema }) => ({
    name: name as string,
    description: typeof description === 'string' ? description : '',
    schema: schema as JsonObject,
  }))
}

/** `thinking` is no field of the specification, but clients of this family switch it with that. */
function readEffort(thinking: unknown, model: Model): Effort | undefined {
  const { type } = (thinking ?? {}) as { type?: unknown }
  if (type === 'enabled' || type === 'adaptive') return 'medium'
  return type === 'disabled' || !model.hasReasoning ? undefined : 'medium'
}
