import { isNonEmptyText, isObject, type Json, type JsonObject, objectsIn } from '../../io/json/json.ts'
import type { Delta } from '../../stream/delta.ts'
import { addTexts, type ChoiceAccumulator, choiceMessage, ChoicesAccumulator, keysOfParts, merge } from '../choices.ts'
import { CallReader } from './calls.ts'
import { operations, type StreamingOperation } from '../operations.ts'
import { chatFields } from './fields.ts'
import { aliasFor } from '../models.ts'

/** Chat completions, sections 2.1 and 4. */
export const chat = {
  ...operations.chat,
  fields: chatFields,
  alias: aliasFor,
  choiceCount: ({ n }) => (typeof n === 'number' ? n : 1),
  createAccumulator: (keepsJson) => new ChoicesAccumulator('chat.completion', ChatChoice, keepsJson),
} as const satisfies StreamingOperation

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

class ChatChoice implements ChoiceAccumulator {
  readonly #index: number
  readonly #keepsJson: boolean
  #calls: CallReader | undefined
  /** What is kept of the message, without its calls, and of the rest of the choice. */
  readonly #message: JsonObject = {}
  readonly #others: JsonObject = {}

  constructor(index: number, keepsJson: boolean) {
    this.#index = index
    this.#keepsJson = keepsJson
  }

  add(deltas: Delta[], part: JsonObject, exact: () => JsonObject): void {
    const index = this.#index
    if (this.#keepsJson) this.#keep(exact())
    const message = choiceMessage(part)
    addTexts(deltas, part, index)
    if (isNonEmptyText(message.refusal)) deltas.push({ type: 'refusal', index, text: message.refusal })
    if (message.tool_calls !== undefined || message.function_call !== undefined) this.#addCalls(deltas, exact())
  }

  build(): JsonObject {
    const { role, content, ...others } = this.#message
    const message = { role: role ?? 'assistant', content: content ?? null, ...others }
    const calls = this.#calls?.build() ?? []
    return { message: calls.length > 0 ? { ...message, tool_calls: calls } : message, ...this.#others }
  }

  #addCalls(deltas: Delta[], part: JsonObject): void {
    this.#calls ??= new CallReader()
    const message = choiceMessage(part)
    const areWhole = !isObject(part.delta)
    const keepsRest = this.#keepsJson && !areWhole && message.tool_calls !== undefined
    for (const { call, added } of this.#calls.read(callsOf(message), { areWhole, keepsRest })) {
      deltas.push({ type: 'tool', index: this.#index, call, ...added })
    }
  }

  #keep(part: JsonObject): void {
    merge(this.#others, part, otherKeys)
    const { delta } = part
    if (!isObject(delta)) return
    merge(this.#message, delta, otherKeysOfMessage)
    if (delta.content !== undefined) this.#message.content = joinContent(this.#message.content, delta.content)
  }
}

function callsOf({ tool_calls: calls, function_call: called }: JsonObject): JsonObject[] {
  const objects = objectsIn(calls)
  return objects.length === 0 && isObject(called) ? [{ function: called }] : objects
}
