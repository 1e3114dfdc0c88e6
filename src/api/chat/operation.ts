import {
  isNonEmptyText,
  isObject,
  type Json,
  type JsonObject,
  objectsIn,
  parseJsonIfValid,
} from '../../io/json/json.ts'
import type { Fold } from '../../stream/answer.ts'
import type { ChunkDecoder } from '../../stream/reply-decoder.ts'
import type { Delta } from '../../stream/delta.ts'
import {
  addLogprobs,
  addReasoning,
  ChoicesFold,
  createChoiceDecoder,
  keysOfParts,
  merge,
  textEntry,
} from '../choices.ts'
import { operations, type StreamingOperation } from '../operations.ts'
import { chatFields } from './fields.ts'
import { contentParts } from '../image.ts'

/** Chat completions, sections 2.1 and 4. */
export const chat = {
  ...operations.chat,
  fields: chatFields,
  // Only a vision model can read images.
  alias: ({ messages }) =>
    contentParts(messages).some((part) => 'image_url' in part) ? 'syn:large:vision' : 'syn:large:text',
  choiceCount: ({ n }) => (typeof n === 'number' ? n : 1),
  createDecoder: createChatDecoder,
  createFold: () => new ChoicesFold('chat.completion', () => new ChatFold()),
} as const satisfies StreamingOperation

function createChatDecoder(): ChunkDecoder {
  /** By choice. */
  const callNumbers = new Map<number, CallNumbers>()
  return createChoiceDecoder((deltas, choice, index) => {
    const message = isObject(choice.delta) ? choice.delta : choice.message
    if (isObject(message)) addMessage(deltas, message, index, callNumbers)
    addLogprobs(deltas, choice.logprobs, index)
  })
}

function addMessage(deltas: Delta[], message: JsonObject, index: number, callNumbers: Map<number, CallNumbers>): void {
  addReasoning(deltas, message, index)
  const text = contentText(message.content)
  if (text !== '') deltas.push({ type: 'text', index, text })
  if (isNonEmptyText(message.refusal)) deltas.push({ type: 'refusal', index, text: message.refusal })
  if (message.tool_calls !== undefined) {
    const numbers = callNumbers.get(index) ?? new CallNumbers()
    callNumbers.set(index, numbers)
    for (const [call, piece] of numbers.assign(message.tool_calls)) {
      const called = isObject(piece.function) ? piece.function : {}
      deltas.push({ type: 'tool', index, call, ...textEntry('id', piece.id), ...calledParts(called) })
    }
  }
  if (isObject(message.function_call)) {
    deltas.push({ type: 'tool', index, call: 0, ...calledParts(message.function_call) })
  }
}

function calledParts(called: JsonObject): { name?: string; arguments?: string } {
  return { ...textEntry('name', called.name), ...textEntry('arguments', called.arguments) }
}

function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return objectsIn(content)
    .map((part) => (isNonEmptyText(part.text) ? part.text : ''))
    .join('')
}

/** Keys of a part that are not merged into its choice. */
const otherKeys = [...keysOfParts, 'delta']

/** Folds the parts of a choice of a stream. */
class ChatFold implements Fold {
  readonly #numbers = new CallNumbers()
  readonly #calls = new Map<number, JsonObject>()
  readonly #message: JsonObject = {}
  readonly #others: JsonObject = {}

  add(part: JsonObject): void {
    merge(this.#others, part, otherKeys)
    const { delta } = part
    if (!isObject(delta)) return
    merge(this.#message, delta, ['tool_calls'])
    for (const [number, piece] of this.#numbers.assign(delta.tool_calls)) {
      const call = this.#calls.get(number) ?? {}
      this.#calls.set(number, call)
      merge(call, piece)
    }
  }

  build(): JsonObject {
    const { role, content, ...others } = this.#message
    const message = { role: role ?? 'assistant', content: content ?? null, ...others }
    const calls = [...this.#calls].sort(([a], [b]) => a - b).map(([, call], position) => wholeCall(call, position))
    return { message: calls.length > 0 ? { ...message, tool_calls: calls } : message, ...this.#others }
  }
}

/** Removes the index, which only streams need; adds an id if there is none, for the tool result to refer to. */
function wholeCall({ index: _index, id, type, ...rest }: JsonObject, position: number): JsonObject {
  return { id: id || `call_${position}`, type: type || 'function', ...rest }
}

/** Indexes from here on cannot be positions in a list. */
const maxIndex = 10_000

/**
 * Assigns each piece to a tool call of its choice: by `index`, else by id, else to the same call as the piece before. Some
 * services give all calls the index 0: a whole call with another id is another call.
 */
class CallNumbers {
  /** By id. */
  readonly #numbers = new Map<string, number>()
  /** The calls that have an id. */
  readonly #named = new Set<number>()
  #last = 0
  #next = 0

  /** @returns the pieces of one delta's `tool_calls`, each with the number of its call. */
  assign(pieces: Json | undefined): [number: number, piece: JsonObject][] {
    const objects = objectsIn(pieces)
    return objects.map((piece, position) => [this.#numberOf(piece, objects.length > 1 ? position : this.#last), piece])
  }

  #numberOf({ index, id, function: called }: JsonObject, fallback: number): number {
    const name = isNonEmptyText(id) ? id : undefined
    const isOther =
      name !== undefined && this.#named.has(index as number) && !this.#numbers.has(name) && isWhole(called)
    const hasIndex = isPosition(index) && !isOther
    const number = hasIndex ? index : name === undefined ? fallback : this.#numberFor(name, fallback)
    if (name !== undefined) {
      this.#named.add(number)
      this.#numbers.set(name, this.#numbers.get(name) ?? number)
    }
    this.#last = number
    this.#next = Math.max(this.#next, number + 1)
    return number
  }

  #numberFor(id: string, fallback: number): number {
    return this.#numbers.get(id) ?? (this.#named.has(fallback) ? this.#next : fallback)
  }
}

function isWhole(called: Json | undefined): boolean {
  if (!isObject(called) || !isNonEmptyText(called.name) || typeof called.arguments !== 'string') return false
  return isObject(parseJsonIfValid(called.arguments))
}

function isPosition(index: Json | undefined): index is number {
  return Number.isInteger(index) && (index as number) >= 0 && (index as number) < maxIndex
}
