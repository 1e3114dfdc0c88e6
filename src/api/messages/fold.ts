/** Puts the events of a stream together to the message that the service would have given whole, unknown keys included. */

import { isObject, parseJsonIfValid, type Json, type JsonObject } from '../../io/json.ts'
import { BlockNumbers, typeOf } from './blocks.ts'

/** @param chunks Of one answer, in the order in which they came. */
export function foldMessages(chunks: readonly JsonObject[]): JsonObject {
  const message = new FoldedMessage()
  for (const chunk of chunks) message.add(chunk)
  return message.whole()
}

class FoldedMessage {
  readonly #numbers = new BlockNumbers()
  /** By number: the block, and before it the thinking that came in it though it is no thinking block. */
  readonly #blocks: JsonObject[][] = []
  readonly #inputs = new Map<number, string>()
  #head: JsonObject = {}
  #usage: JsonObject = {}

  add(event: JsonObject): void {
    switch (typeOf(event)) {
      case 'message_start':
        return this.#addHead(event.message)
      case 'content_block_start':
        this.#blocks[this.#numbers.begin(event.index)] = opened(event.content_block)
        return undefined
      case 'content_block_delta':
        return isObject(event.delta) ? this.#grow(this.#numbers.of(event.index), event.delta) : undefined
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

  whole(): JsonObject {
    const { stop_reason = null, stop_sequence = null, ...head } = this.#head
    // A message that has ended has no open blocks, whether or not the service closed them.
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

  /** Later values win, but null does not replace one. */
  #addHead(message: Json | undefined): void {
    if (!isObject(message)) return
    const { usage, ...head } = message
    this.#head = withValues(this.#head, head)
    if (isObject(usage)) this.#usage = withValues(this.#usage, usage)
  }

  #grow(number: number, delta: JsonObject): void {
    switch (typeOf(delta)) {
      case 'text_delta':
        return append(this.#blockOf(number, 'text'), 'text', delta.text)
      case 'thinking_delta':
        return append(this.#blockOf(number, 'thinking'), 'thinking', delta.thinking)
      case 'signature_delta':
        return append(this.#blockOf(number, 'thinking'), 'signature', delta.signature)
      case 'input_json_delta':
        return this.#growInput(number, delta.partial_json)
      case 'citations_delta':
        return this.#cite(number, delta.citation)
      default:
        return undefined
    }
  }

  #cite(number: number, citation: Json | undefined): void {
    const block = this.#blockOf(number, 'text')
    const before = Array.isArray(block.citations) ? block.citations : []
    if (citation !== undefined) block.citations = [...before, citation]
  }

  /** Until the block stops its input is the text that has come. */
  #growInput(number: number, piece: Json | undefined): void {
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
    const known = blocks.find((block) => block.type === type)
    if (known) return known
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

function withValues(before: JsonObject, told: JsonObject): JsonObject {
  const values = Object.entries(told).filter(([key, value]) => value !== null || !Object.hasOwn(before, key))
  return { ...before, ...Object.fromEntries(values) }
}

/** A copy to grow, so that the event stays as it came. */
function opened(block: Json | undefined): JsonObject[] {
  return isObject(block) && typeOf(block) !== '' ? [{ ...block }] : []
}

/** The tools that the service runs itself have blocks of other types. */
function hasInput(block: JsonObject): boolean {
  return block.type === 'tool_use' || 'input' in block
}
