/** From the events of a messages stream (section 4, note 6) to deltas. Only what is there and has the right type counts. */

import { isNonEmptyText, isObject, type Json, type JsonObject } from '../../io/json.ts'
import type { Decoder } from '../../stream/answer.ts'
import { decodeUsage, type Delta } from '../../stream/delta.ts'
import { BlockNumbers, Paragraphs, ThinkingBlocks, typeOf } from './blocks.ts'

/** A message is one answer, however many blocks it has. */
const index = 0

export class MessagesDecoder implements Decoder {
  readonly #numbers = new BlockNumbers()
  readonly #types = new Map<number, string>()
  /** Of the tool uses whose input has not come yet: what stood in their opening, in case that nothing else comes. */
  readonly #untold = new Map<number, string>()
  // Neighbouring texts are one text, cut by the service; thoughts are each their own.
  readonly #text = new Paragraphs(2)
  readonly #reasoning = new Paragraphs(1)
  readonly #thinking = new ThinkingBlocks()
  #usage: JsonObject = {}
  #hasStarted = false

  completeChunk(chunk: JsonObject, event: string): JsonObject {
    return typeOf(chunk) === '' ? { ...chunk, type: event } : chunk
  }

  /** The connection may stay open after it. */
  isLast(chunk: JsonObject): boolean {
    return typeOf(chunk) === 'message_stop'
  }

  decodeChunk(chunk: JsonObject): Delta[] {
    switch (typeOf(chunk)) {
      case 'message_start':
        return isObject(chunk.message) ? this.#start(chunk.message) : []
      case 'content_block_start':
        return this.#open(this.#numbers.begin(chunk.index), chunk.content_block)
      case 'content_block_delta':
        return this.#grow(this.#numbers.of(chunk.index), chunk.delta)
      case 'content_block_stop':
        return this.#close(this.#numbers.of(chunk.index))
      case 'message_delta':
        return [...this.#count(chunk.usage), ...this.#end(isObject(chunk.delta) ? chunk.delta.stop_reason : undefined)]
      case 'message_stop':
        return this.#closeAll()
      default:
        return []
    }
  }

  decodeWhole(answer: JsonObject): Delta[] {
    const { content, stop_reason: reason } = answer
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const deltas = this.#start(answer)
    for (const block of Array.isArray(blocks) ? blocks : []) {
      const number = this.#numbers.begin(undefined)
      deltas.push(...this.#open(number, block), ...this.#close(number))
    }
    return [...deltas, ...this.#end(isNonEmptyText(reason) || !Array.isArray(blocks) ? reason : 'end_turn')]
  }

  /** The message's head, which some services send twice. */
  #start({ id, model, usage }: JsonObject): Delta[] {
    const deltas = this.#count(usage)
    if (this.#hasStarted || !(isNonEmptyText(id) || isNonEmptyText(model))) return deltas
    this.#hasStarted = true
    return [{ type: 'start', ...(isNonEmptyText(id) && { id }), ...(isNonEmptyText(model) && { model }) }, ...deltas]
  }

  #open(block: number, content: Json | undefined): Delta[] {
    if (!isObject(content)) return []
    this.#types.set(block, typeOf(content))
    this.#thinking.open(block, content)
    switch (typeOf(content)) {
      case 'text':
        return this.#say(block, content.text)
      case 'thinking':
        return this.#think(block, content.thinking)
      case 'redacted_thinking':
        return this.#think(block, '[redacted thinking]')
      case 'tool_use':
        this.#untold.set(block, textOfInput(content.input))
        return [toolDelta(block, { id: content.id, name: content.name })]
      default:
        return []
    }
  }

  /** What a piece is counts, and not what its block is: a service may put its thinking into a text block. */
  #grow(block: number, delta: Json | undefined): Delta[] {
    if (!isObject(delta)) return []
    this.#thinking.grow(block, delta)
    switch (typeOf(delta)) {
      case 'text_delta':
        return this.#say(block, delta.text)
      case 'thinking_delta':
        return this.#think(block, delta.thinking)
      case 'input_json_delta':
        return this.#use(block, delta.partial_json)
      default:
        return []
    }
  }

  #close(block: number): Delta[] {
    const input = this.#untold.get(block)
    this.#untold.delete(block)
    const whole = this.#thinking.close(block)
    return [
      ...(input === undefined ? [] : [toolDelta(block, { arguments: input })]),
      ...(whole ? [{ type: 'thinking' as const, index, block: whole }] : []),
    ]
  }

  #closeAll(): Delta[] {
    return [...new Set([...this.#untold.keys(), ...this.#thinking.numbers])].flatMap((block) => this.#close(block))
  }

  #say(block: number, text: Json | undefined): Delta[] {
    if (!isNonEmptyText(text)) return []
    this.#reasoning.forget()
    return [{ type: 'text', index, text: this.#text.put(block, text) }]
  }

  #think(block: number, text: Json | undefined): Delta[] {
    return isNonEmptyText(text) ? [{ type: 'reasoning', index, text: this.#reasoning.put(block, text) }] : []
  }

  /** Tools of other kinds are run by the service itself. */
  #use(block: number, json: Json | undefined): Delta[] {
    if (!isNonEmptyText(json) || (this.#types.get(block) || 'tool_use') !== 'tool_use') return []
    this.#untold.delete(block)
    return [toolDelta(block, { arguments: json })]
  }

  /** Counts are totals, and come in parts: what was read first, what was written at the end. */
  #count(usage: Json | undefined): Delta[] {
    if (!isObject(usage)) return []
    const told = Object.entries(usage).filter(([, count]) => typeof count === 'number')
    this.#usage = { ...this.#usage, ...Object.fromEntries(told) }
    const counts = decodeUsage(this.#usage)
    return counts ? [{ type: 'usage', usage: counts }] : []
  }

  #end(reason: Json | undefined): Delta[] {
    return isNonEmptyText(reason) ? [...this.#closeAll(), { type: 'end', index, reason }] : []
  }
}

function toolDelta(call: number, parts: { id?: Json | undefined; name?: Json | undefined; arguments?: string }): Delta {
  const told = Object.entries(parts).filter(([, part]) => isNonEmptyText(part))
  return { type: 'tool', index, call, ...(Object.fromEntries(told) as { id?: string; name?: string }) }
}

/** What could not be parsed stands there as text; nothing means no arguments. */
function textOfInput(input: Json | undefined): string {
  return typeof input === 'string' ? input || '{}' : JSON.stringify(input ?? {})
}
