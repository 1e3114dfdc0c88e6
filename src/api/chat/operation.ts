import { isNonEmptyText, isObject, type Json, type JsonObject, objectsIn } from '../../io/json/json.ts'
import type { Fold } from '../../stream/answer.ts'
import type { ChunkDecoder } from '../../stream/reply-decoder.ts'
import { addReasoning, ChoicesFold, createChoiceDecoder, keysOfParts, merge } from '../choices.ts'
import { CallReader } from './calls.ts'
import { textsIn } from './messages.ts'
import { operations, type StreamingOperation } from '../operations.ts'
import { chatFields } from './fields.ts'
import { contentParts } from '../image.ts'
import { restartingDecoder, restartingFold, type StartDetector } from '../restart.ts'

/** Chat completions, sections 2.1 and 4. */
export const chat = {
  ...operations.chat,
  fields: chatFields,
  // Only a vision model can read images.
  alias: ({ messages }) =>
    contentParts(messages).some((part) => 'image_url' in part) ? 'syn:large:vision' : 'syn:large:text',
  choiceCount: ({ n }) => (typeof n === 'number' ? n : 1),
  createDecoder: () => restartingDecoder(createChatDecoder, createStartDetector()),
  createFold: () =>
    restartingFold(() => new ChoicesFold('chat.completion', () => new ChatFold()), createStartDetector()),
} as const satisfies StreamingOperation

/**
 * Another answer has another id and a role again, before the first choice of the one before has ended. Some services give each
 * chunk an id of its own.
 */
function createStartDetector(): StartDetector {
  let id: Json | undefined
  let isStable = false
  let latest: Json | undefined
  return ({ id: next, choices }) => {
    const before = latest
    if (Array.isArray(choices) && choices.length > 0) latest = choices
    if (next === id || !isNonEmptyText(next)) {
      isStable = id !== undefined
      return false
    }
    const wasStable = isStable
    id = next
    isStable = false
    const [choice = {}] = objectsIn(choices)
    const hasEnded = objectsIn(before).some((one) => isNonEmptyText(one.finish_reason))
    return wasStable && !hasEnded && isNonEmptyText(choiceMessage(choice).role) && !choice.index
  }
}

function createChatDecoder(): ChunkDecoder {
  /** By choice. */
  const readers = new Map<number, CallReader>()
  return createChoiceDecoder((deltas, choice, index, exact) => {
    const message = choiceMessage(choice)
    addReasoning(deltas, message, index)
    const { content } = message
    const text = typeof content === 'string' ? content : textsIn(content).join('')
    if (text !== '') deltas.push({ type: 'text', index, text })
    if (isNonEmptyText(message.refusal)) deltas.push({ type: 'refusal', index, text: message.refusal })
    if (message.tool_calls !== undefined || message.function_call !== undefined) {
      const reader = readers.get(index) ?? new CallReader()
      readers.set(index, reader)
      const pieces = reader.read(callsOf(choiceMessage(exact())), !isObject(choice.delta))
      for (const { call, added } of pieces) deltas.push({ type: 'tool', index, call, ...added })
    }
  })
}

function choiceMessage({ delta, message }: JsonObject): JsonObject {
  if (isObject(delta)) return delta
  return isObject(message) ? message : {}
}

function callsOf({ tool_calls: calls, function_call: called }: JsonObject): JsonObject[] {
  const objects = objectsIn(calls)
  return objects.length === 0 && isObject(called) ? [{ function: called }] : objects
}

/** Adds the content of a delta: text, or parts, also after the other kind. */
function joinContent(before: Json = null, content: Json): Json {
  if (content === null) return before
  if (typeof before === 'string' && typeof content === 'string') return before + content
  if (before === null && !Array.isArray(content)) return content
  const parts = Array.isArray(before) ? (before as JsonObject[]) : contentPartsIn(before)
  for (const part of contentPartsIn(content)) {
    const last = parts.at(-1)
    if (isTextPart(last) && isTextPart(part))
      parts[parts.length - 1] = { ...last, ...part, text: `${last.text}${part.text}` }
    else parts.push(part)
  }
  return parts
}

function contentPartsIn(content: Json): JsonObject[] {
  return isNonEmptyText(content) ? [{ type: 'text', text: content }] : objectsIn(content)
}

function isTextPart(part: JsonObject | undefined): part is JsonObject & { readonly text: string } {
  return part?.type === 'text' && typeof part.text === 'string'
}

/** Keys of a part that are not merged into its choice. */
const otherKeys = [...keysOfParts, 'delta']

/** Keys of a delta that are not merged into its message. */
const otherKeysOfMessage = ['content', 'tool_calls']

class ChatFold implements Fold {
  readonly #reader = new CallReader()
  /** What else the calls have, by number. */
  readonly #calls = new Map<number, { readonly call: JsonObject; readonly called: JsonObject }>()
  readonly #message: JsonObject = {}
  readonly #others: JsonObject = {}

  add(part: JsonObject): void {
    merge(this.#others, part, otherKeys)
    const { delta } = part
    if (!isObject(delta)) return
    merge(this.#message, delta, otherKeysOfMessage)
    if (delta.content !== undefined) this.#message.content = joinContent(this.#message.content, delta.content)
    if (delta.tool_calls === undefined) return
    for (const { call: number, piece } of this.#reader.read(objectsIn(delta.tool_calls))) {
      const others = this.#calls.get(number) ?? { call: {}, called: {} }
      this.#calls.set(number, others)
      merge(others.call, piece, ['index', 'id', 'function'])
      if (isObject(piece.function)) merge(others.called, piece.function, ['name', 'arguments'])
    }
  }

  build(): JsonObject {
    const { role, content, ...others } = this.#message
    const message = { role: role ?? 'assistant', content: content ?? null, ...others }
    const calls = [...this.#reader.calls.values()]
      .sort((a, b) => a.number - b.number)
      .map((one, position) => {
        const { call: { type, ...others } = {}, called } = this.#calls.get(one.number) ?? {}
        // Without the index, which only streams need, and with an id for the tool result to refer to.
        const head = { id: one.id || `call_${position}`, type: type || 'function' }
        return { ...head, ...others, function: { name: one.name, arguments: one.arguments, ...called } }
      })
    return { message: calls.length > 0 ? { ...message, tool_calls: calls } : message, ...this.#others }
  }
}
