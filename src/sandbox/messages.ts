/** The messages endpoints: request (section 2.4), reply, stream (section 4, note 6), and token counts. */

import { createHash, randomUUID } from 'node:crypto'
import { messagesFields } from '../api/messages/fields.ts'
import type { ContentBlock, ConversationMessage } from '../api/messages/shapes.ts'
import type { Values } from '../fields/field.ts'
import type { JsonObject } from '../io/json/json.ts'
import { parseJsonIfValid } from '../io/json/parse.ts'
import type { Account } from './account.ts'
import { checkRequest, HttpError, type SandboxReply, type SandboxEvent } from './endpoint.ts'
import { generateAnswer, usedTokens, type MadeAnswer } from './generate/answer.ts'
import { readEffort, sandboxModel, servedName, type SandboxModel } from './models.ts'
import { checkPrompt, countTokens, describeImage, readTool, type Prompt, type ToolChoice, type Turn } from './prompt.ts'

type MessagesRequest = Values<typeof messagesFields> & JsonObject

/** `POST /anthropic/v1/messages` */
export async function answerMessages(body: unknown, account: Account, ended: AbortSignal): Promise<SandboxReply> {
  const request: MessagesRequest = await checkRequest(messagesFields, body)
  const model = sandboxModel(request.model as string, 'text')
  const prompt = readPrompt(request, model)
  const parts = checkPrompt(prompt, model)
  const { all, cached } = await account.countRequest(model, parts, ended)
  // In this dialect `max_tokens` includes thinking.
  const limits = { stop: request.stop_sequences, totalTokens: request.max_tokens }
  const answer = await generateAnswer(prompt, limits, 0)
  const output = usedTokens([answer]).all
  // Every prompt is remembered, but only a request that asks for it pays for that.
  const written = request['cache_control'] === undefined ? 0 : all - cached
  const tokens = { prompt: all - cached - written, input_cache_reads: cached, input_cache_writes: written }
  account.charge(model, { ...tokens, completion: output })
  const head = {
    id: `msg_${randomUUID().replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    model: servedName(model),
  }
  // This service counts what it writes to the cache within `input_tokens`.
  const usage: JsonObject = { input_tokens: all - cached, output_tokens: output }
  if (cached > 0) usage['cache_read_input_tokens'] = cached
  if (written > 0) usage['cache_creation_input_tokens'] = written
  if (request.stream) return { events: messageEvents(head, answer, usage) }
  const content = blocksOf(answer).map((block) => block.whole)
  return { json: { ...head, content, ...stopFields(answer), usage } }
}

/** `POST /anthropic/v1/messages/count_tokens`: a messages request without `max_tokens`. */
export async function answerCount(body: unknown): Promise<SandboxReply> {
  const request = await checkRequest(messagesFields, body, ['max_tokens'])
  const model = sandboxModel(request.model as string, 'text')
  if (!model.canCount) throw new HttpError(500, 'Error from inference backend: this model cannot count tokens')
  return { json: { input_tokens: countTokens(checkPrompt(readPrompt(request, model), model)) } }
}

function readPrompt(request: MessagesRequest, model: SandboxModel): Prompt {
  const messages = request.messages as unknown as ConversationMessage[]
  const used = new Map<string, string>()
  for (const block of messages.flatMap(contentOf)) if (block.type === 'tool_use') used.set(block.id, block.name)
  const choice = (request.tool_choice ?? { type: 'auto' }) as { type: string; name?: string }
  return {
    turns: [...readSystem(request.system), ...messages.flatMap((message) => readTurns(message, used))],
    tools: ((request.tools ?? []) as JsonObject[]).map((tool) => readTool(tool, tool['input_schema'])),
    toolChoice: choice.name === undefined ? (choice.type as ToolChoice) : { name: choice.name },
    isParallel: (choice as JsonObject)['disable_parallel_tool_use'] !== true,
    effort: readEffort(model),
  }
}

function contentOf({ content }: ConversationMessage): ContentBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function readSystem(system: MessagesRequest['system']): Turn[] {
  if (system === undefined) return []
  const texts = typeof system === 'string' ? [system] : (system as { text: string }[]).map(({ text }) => text)
  return [{ role: 'system', text: texts.join('\n'), images: [] }]
}

/** Each tool result is a turn of its own; the rest of the message is one turn after them. */
function readTurns(message: ConversationMessage, used: ReadonlyMap<string, string>): Turn[] {
  const turns: Turn[] = []
  const texts: string[] = []
  const images: string[] = []
  for (const block of contentOf(message)) {
    if (block.type === 'text') texts.push(block.text)
    else if (block.type === 'tool_use') texts.push(`${block.name}(${JSON.stringify(block.input)})`)
    else if (block.type === 'image') images.push(describeImage(addressOf(block.source)))
    else if (block.type === 'tool_result') {
      const text = block.is_error ? `Error: ${block.content}` : block.content
      turns.push({ role: 'tool', text, images: [], tool: used.get(block.tool_use_id) })
    }
  }
  const isOnlyResults = turns.length > 0 && texts.length + images.length === 0
  return isOnlyResults ? turns : [...turns, { role: message.role, text: texts.join('\n'), images }]
}

function addressOf(source: Extract<ContentBlock, { type: 'image' }>['source']): string {
  return source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`
}

/** A content block, whole and as the events of a stream. */
interface MadeBlock {
  readonly whole: JsonObject
  /** The block in its `content_block_start` event. */
  readonly start: JsonObject
  readonly deltas: readonly JsonObject[]
}

function stopFields({ finish, stoppedAt }: MadeAnswer): { stop_reason: string; stop_sequence: string | null } {
  const reasons = {
    stop: stoppedAt === undefined ? 'end_turn' : 'stop_sequence',
    length: 'max_tokens',
    tool_calls: 'tool_use',
  }
  return { stop_reason: reasons[finish], stop_sequence: stoppedAt ?? null }
}

function blocksOf({ reasoning, text, calls }: MadeAnswer): MadeBlock[] {
  const blocks: MadeBlock[] = []
  const add = (whole: JsonObject, empty: JsonObject, deltas: readonly JsonObject[]): void =>
    void blocks.push({ whole, start: { ...whole, ...empty }, deltas })
  if (reasoning.length > 0) {
    const thinking = reasoning.join('')
    // Clients must send the signature back unchanged. This one is never checked.
    const signature = createHash('sha256').update(`sandbox ${thinking}`).digest('base64')
    const deltas = reasoning.map((token) => ({ type: 'thinking_delta', thinking: token }))
    add({ type: 'thinking', thinking, signature }, { thinking: '', signature: '' }, [
      ...deltas,
      { type: 'signature_delta', signature },
    ])
  }
  if (text.length > 0) {
    const deltas = text.map((token) => ({ type: 'text_delta', text: token }))
    add({ type: 'text', text: text.join('') }, { text: '' }, deltas)
  }
  for (const { id, name, arguments: tokens } of calls) {
    // Arguments truncated by the token limit are not valid JSON; a whole answer then has an empty input.
    const input = parseJsonIfValid(tokens.join(''), {})
    const deltas = tokens.map((token) => ({ type: 'input_json_delta', partial_json: token }))
    add({ type: 'tool_use', id, name, input }, { input: {} }, deltas)
  }
  return blocks
}

/** @param usage Totals, also in the last event. */
function* messageEvents(head: JsonObject, answer: MadeAnswer, usage: JsonObject): Generator<SandboxEvent> {
  const message = {
    ...head,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 0 },
  }
  yield event('message_start', { message })
  for (const [index, { start, deltas }] of blocksOf(answer).entries()) {
    yield event('content_block_start', { index, content_block: start })
    if (index === 0) yield event('ping', {})
    for (const delta of deltas) {
      yield { ...event('content_block_delta', { index, delta }), isToken: delta['type'] !== 'signature_delta' }
    }
    yield event('content_block_stop', { index })
  }
  yield event('message_delta', { delta: stopFields(answer), usage })
  yield event('message_stop', {})
}

function event(type: string, data: JsonObject): SandboxEvent {
  return { name: type, data: JSON.stringify({ type, ...data }) }
}
