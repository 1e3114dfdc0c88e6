/** Folds streamed events to the message that the service would have sent without streaming, unknown keys included. */

import { isObject, parseJsonIfValid, type Json, type JsonObject } from '../../io/json/json.ts'
import { BlockNumbers, typeOf } from './blocks.ts'

/** @param chunks Of one answer, in the order received. */
export function foldMessages(chunks: readonly JsonObject[]): JsonObject {
  const message = new FoldedMessage()
  for (const chunk of chunks) message.add(chunk)
  return message.build()
}

class FoldedMessage {
  readonly #numbers = new BlockNumbers()
  /** By block number: the block, after any thinking that came inside a block of another type. */
  readonly #blocks: JsonObject[][] = []
  readonly #inputs = new Map<number, string>()
  readonly #head: JsonObject = {}
  readonly #usage: JsonObject = {}
  /** Blocks whose list of citations is a copy. */
  readonly #cited = new Set<JsonObject>()

  add(event: JsonObject): void {
    switch (typeOf(event)) {
      case 'message_start':
        return this.#addHead(event.message)
      case 'content_block_start':
        this.#blocks[this.#numbers.start(event.index)] = copyOfBlock(event.content_block)
        return undefined
      case 'content_block_delta':
        return isObject(event.delta) ? this.#append(this.#numbers.of(event.index), event.delta) : undefined
      case 'content_block_stop':
        return this.#close(this.#numbers.of(event.index))
      case 'message_delta': {
        const { type: _type, delta, ...rest } = event
        return this.#addHead({ ...rest, ...(isObject(delta) && delta) })
      }
      default:
        return undefined
    }
  }

  build(): JsonObject {
    const { stop_reason = null, stop_sequence = null, ...head } = this.#head
    // The end of a message also ends blocks that the service did not close.
    if (stop_reason !== null) for (const number of this.#blocks.keys()) this.#close(number)
    return {
      ...head,
      type: head.type ?? 'message',
      role: head.role ?? 'assistant',
      content: this.#blocks.flat(),
      stop_reason,
      stop_sequence,
      ...(Object.keys(this.#usage).length > 0 && { usage: this.#usage }),
    }
  }

  /** Later values win, except null. */
  #addHead(message: Json | undefined): void {
    if (!isObject(message)) return
    const { usage, ...head } = message
    addValues(this.#head, head)
    if (isObject(usage)) addValues(this.#usage, usage)
  }

  #append(number: number, delta: JsonObject): void {
    switch (typeOf(delta)) {
      case 'text_delta':
        return append(this.#blockOf(number, 'text'), 'text', delta.text)
      case 'thinking_delta':
        return append(this.#blockOf(number, 'thinking'), 'thinking', delta.thinking)
      case 'signature_delta':
        return append(this.#blockOf(number, 'thinking'), 'signature', delta.signature)
      case 'input_json_delta':
        return this.#appendInput(number, delta.partial_json)
      case 'citations_delta':
        return this.#cite(number, delta.citation)
      default:
        return undefined
    }
  }

  #cite(number: number, citation: Json | undefined): void {
    const block = this.#blockOf(number, 'text')
    if (citation === undefined) return
    if (!this.#cited.has(block)) {
      // The event's own list is not changed.
      block.citations = Array.isArray(block.citations) ? [...block.citations] : []
      this.#cited.add(block)
    }
    if (Array.isArray(block.citations)) block.citations.push(citation)
  }

  /** Until the block ends, its input is the text received so far. */
  #appendInput(number: number, piece: Json | undefined): void {
    if (typeof piece !== 'string') return
    const input = (this.#inputs.get(number) ?? '') + piece
    this.#inputs.set(number, input)
    if (input === '') return
    const blocks = (this.#blocks[number] ??= [])
    const tool = blocks.find(hasInput) ?? { type: 'tool_use' }
    if (!blocks.includes(tool)) blocks.push(tool)
    tool.input = input
  }

  #close(number: number): void {
    const tool = this.#blocks[number]?.find(hasInput)
    if (!tool) return
    const text = this.#inputs.get(number)
    const { input = '' } = tool
    if (text) tool.input = parseJsonIfValid(text, text)
    else if (input === '' || input === null) tool.input = {}
  }

  #blockOf(number: number, type: 'text' | 'thinking'): JsonObject {
    const blocks = (this.#blocks[number] ??= [])
    const existing = blocks.find((block) => block.type === type)
    if (existing) return existing
    const added = { type, [type]: '' }
    if (type === 'thinking') blocks.unshift(added)
    else blocks.push(added)
    return added
  }
}

function append(block: JsonObject, key: string, piece: Json | undefined): void {
  if (typeof piece !== 'string') return
  const before = block[key]
  block[key] = typeof before === 'string' ? before + piece : piece
}

/** In place: an event may have one key of many thousands, and there may be as many events. */
function addValues(before: JsonObject, added: JsonObject): void {
  for (const [key, value] of Object.entries(added)) {
    if (value !== null || !Object.hasOwn(before, key)) setOwn(before, key, value)
  }
}

/** Assigning to `__proto__` would set the prototype. */
function setOwn(object: JsonObject, key: string, value: Json): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

/** Copied, so that appending does not change the event. */
function copyOfBlock(block: Json | undefined): JsonObject[] {
  return isObject(block) && typeOf(block) !== '' ? [{ ...block }] : []
}

/** Tools that the service runs itself have other block types. */
function hasInput(block: JsonObject): boolean {
  return block.type === 'tool_use' || 'input' in block
}
