/** Decodes the events of a messages stream (section 4, note 6) to deltas. A value of the wrong type is ignored. */

import { isNonEmptyText, isObject, type Json, type JsonObject } from '../../io/json/json.ts'
import type { Decoder } from '../../stream/answer.ts'
import { decodeUsage, type Delta } from '../../stream/delta.ts'
import { BlockNumbers, Paragraphs, ThinkingBlocks, typeOf } from './blocks.ts'
import { append } from '../../io/arrays.ts'

/** A message is one choice, however many blocks it has. */
const index = 0

export class MessagesDecoder implements Decoder {
  readonly #numbers = new BlockNumbers()
  readonly #types = new Map<number, string>()
  /** The inputs in the start events of tool uses, in case no other input follows. */
  readonly #initialInputs = new Map<number, string>()
  // Adjacent text blocks are one text, split by the service; thinking blocks are separate.
  readonly #text = new Paragraphs(2)
  readonly #reasoning = new Paragraphs(1)
  /** `undefined` if nobody needs them. */
  readonly #thinking: ThinkingBlocks | undefined
  readonly #usage: JsonObject = {}
  #hasStarted = false

  constructor(withThinking = true) {
    if (withThinking) this.#thinking = new ThinkingBlocks()
  }

  completeChunk(chunk: JsonObject, event: string): JsonObject {
    return typeOf(chunk) === '' ? { ...chunk, type: event } : chunk
  }

  /** The service may keep the connection open after the last event. */
  isLast(chunk: JsonObject): boolean {
    return typeOf(chunk) === 'message_stop'
  }

  decodeChunk(chunk: JsonObject): Delta[] {
    switch (typeOf(chunk)) {
      case 'message_start':
        return isObject(chunk.message) ? this.#start(chunk.message) : []
      case 'content_block_start':
        return this.#open(this.#numbers.start(chunk.index), chunk.content_block)
      case 'content_block_delta':
        return this.#delta(this.#numbers.of(chunk.index), chunk.delta)
      case 'content_block_stop':
        return this.#close(this.#numbers.of(chunk.index))
      case 'message_delta':
        return [
          ...this.#usageDelta(chunk.usage),
          ...this.#end(isObject(chunk.delta) ? chunk.delta.stop_reason : undefined),
        ]
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
      const number = this.#numbers.start(undefined)
      append(deltas, this.#open(number, block))
      append(deltas, this.#close(number))
    }
    return [...deltas, ...this.#end(isNonEmptyText(reason) || !Array.isArray(blocks) ? reason : 'end_turn')]
  }

  /** Some services send the message's start twice. */
  #start({ id, model, usage }: JsonObject): Delta[] {
    const deltas = this.#usageDelta(usage)
    if (this.#hasStarted || !(isNonEmptyText(id) || isNonEmptyText(model))) return deltas
    this.#hasStarted = true
    return [{ type: 'start', ...(isNonEmptyText(id) && { id }), ...(isNonEmptyText(model) && { model }) }, ...deltas]
  }

  #open(block: number, content: Json | undefined): Delta[] {
    if (!isObject(content)) return []
    this.#types.set(block, typeOf(content))
    this.#thinking?.open(block, content)
    switch (typeOf(content)) {
      case 'text':
        return this.#textDelta(block, content.text)
      case 'thinking':
        return this.#reasoningDelta(block, content.thinking)
      case 'redacted_thinking':
        return this.#reasoningDelta(block, '[redacted thinking]')
      case 'tool_use':
        this.#initialInputs.set(block, inputText(content.input))
        return [toolDelta(block, { id: content.id, name: content.name })]
      default:
        return []
    }
  }

  /** Decodes by the delta's type, not the block's: a service may put its thinking into a text block. */
  #delta(block: number, delta: Json | undefined): Delta[] {
    if (!isObject(delta)) return []
    this.#thinking?.append(block, delta)
    switch (typeOf(delta)) {
      case 'text_delta':
        return this.#textDelta(block, delta.text)
      case 'thinking_delta':
        return this.#reasoningDelta(block, delta.thinking)
      case 'input_json_delta':
        return this.#inputDelta(block, delta.partial_json)
      default:
        return []
    }
  }

  #close(block: number): Delta[] {
    const input = this.#initialInputs.get(block)
    this.#initialInputs.delete(block)
    const whole = this.#thinking?.close(block)
    return [
      ...(input === undefined ? [] : [toolDelta(block, { arguments: input })]),
      ...(whole ? [{ type: 'thinking' as const, index, block: whole }] : []),
    ]
  }

  #closeAll(): Delta[] {
    return [...new Set([...this.#initialInputs.keys(), ...(this.#thinking?.numbers ?? [])])].flatMap((block) =>
      this.#close(block),
    )
  }

  #textDelta(block: number, text: Json | undefined): Delta[] {
    if (!isNonEmptyText(text)) return []
    this.#reasoning.reset()
    return [{ type: 'text', index, text: this.#text.add(block, text) }]
  }

  #reasoningDelta(block: number, text: Json | undefined): Delta[] {
    return isNonEmptyText(text) ? [{ type: 'reasoning', index, text: this.#reasoning.add(block, text) }] : []
  }

  /** Tool blocks of other types are run by the service itself. */
  #inputDelta(block: number, json: Json | undefined): Delta[] {
    if (!isNonEmptyText(json) || (this.#types.get(block) || 'tool_use') !== 'tool_use') return []
    this.#initialInputs.delete(block)
    return [toolDelta(block, { arguments: json })]
  }

  /** Counts are totals: those of the prompt come at the start, those of the answer at the end. */
  #usageDelta(usage: Json | undefined): Delta[] {
    if (!isObject(usage)) return []
    for (const name of countNames) if (typeof usage[name] === 'number') this.#usage[name] = usage[name]
    const counts = decodeUsage(this.#usage)
    return counts ? [{ type: 'usage', usage: counts }] : []
  }

  #end(reason: Json | undefined): Delta[] {
    return isNonEmptyText(reason) ? [...this.#closeAll(), { type: 'end', index, reason }] : []
  }
}

/** What `decodeUsage` reads. */
const countNames = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'prompt_tokens',
  'completion_tokens',
] as const

function toolDelta(call: number, parts: { id?: Json | undefined; name?: Json | undefined; arguments?: string }): Delta {
  const known = Object.entries(parts).filter(([, part]) => isNonEmptyText(part))
  return { type: 'tool', index, call, ...(Object.fromEntries(known) as { id?: string; name?: string }) }
}

/** Input that is not valid JSON is a string; missing input means no arguments. */
function inputText(input: Json | undefined): string {
  return typeof input === 'string' ? input || '{}' : JSON.stringify(input ?? {})
}
