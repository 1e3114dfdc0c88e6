import { NetworkError } from '../../errors.ts'
import { exactJson } from '../../io/json/exact-numbers.ts'
import { isNonEmptyText, isObject, type Json, type JsonObject } from '../../io/json/json.ts'
import { parseJsonIfValid } from '../../io/json/parse.ts'
import type { Accumulator } from '../../stream/accumulator.ts'
import { decodeUsage, type Delta } from '../../stream/delta.ts'
import { append } from '../../io/arrays.ts'
import { addValues } from '../choices.ts'
import { operations, type StreamingOperation } from '../operations.ts'
import { messagesFields } from './fields.ts'
import { aliasFor } from '../models.ts'

/** Messages, sections 2.4 and 4. */
export const messages = {
  ...operations.messages,
  fields: messagesFields,
  alias: aliasFor,
  choiceCount: () => 1,
  createAccumulator: (keepsJson) => new MessageAccumulator(keepsJson),
} as const satisfies StreamingOperation

/** A message is one choice, however many blocks it has. */
const index = 0

/** Accumulates a message of its events (section 4, note 6). A value of the wrong type is ignored. */
class MessageAccumulator implements Accumulator {
  readonly #keepsJson: boolean
  readonly #numbers = new BlockNumbers()
  /** The numbers of blocks that are no calls of tools, or calls of tools that the service runs itself. */
  readonly #others = new Set<number>()
  // Adjacent text blocks are one text, split by the service; thinking blocks are separate.
  readonly #text = paragraphs(2)
  readonly #reasoning = paragraphs(1)
  /** The numbers of the thinking blocks. */
  readonly #started = new Set<number>()
  readonly #usage: JsonObject = {}
  #hasStarted = false
  #id: string | undefined
  /** What is kept, by block number: the block, after any thinking that came inside a block of another type. */
  readonly #blocks: JsonObject[][] = []
  readonly #head: JsonObject = {}
  readonly #totals: JsonObject = {}

  constructor(keepsJson: boolean) {
    this.#keepsJson = keepsJson
  }

  /** Adds the type, which some services give only by the event's name. */
  completeChunk(chunk: JsonObject, event: string): JsonObject {
    return typeOf(chunk) === '' ? { ...chunk, type: event } : chunk
  }

  /** The service may keep the connection open after the last event. */
  isLast(chunk: JsonObject): boolean {
    return typeOf(chunk) === 'message_stop'
  }

  /** Some services send a message's start twice: another one has another id. */
  startsAnother(chunk: JsonObject): boolean {
    const id = startedId(chunk)
    return id !== undefined && this.#id !== undefined && id !== this.#id
  }

  add(chunk: JsonObject, exact: () => JsonObject): Delta[] {
    switch (typeOf(chunk)) {
      case 'message_start':
        this.#id ??= startedId(chunk)
        if (this.#keepsJson) this.#addHead(exact().message)
        return isObject(chunk.message) ? this.#start(chunk.message) : []
      case 'content_block_start': {
        const number = this.#numbers.start(chunk.index)
        const { content_block: block } = exact()
        if (this.#keepsJson) this.#blocks[number] = copyOfBlock(block)
        return this.#open(number, block)
      }
      case 'content_block_delta':
        return this.#delta(this.#numbers.of(chunk.index), chunk.delta, () => exact().delta)
      case 'content_block_stop':
        if (this.#keepsJson) this.#close(this.#numbers.of(chunk.index))
        return []
      case 'message_delta': {
        const { delta } = chunk
        if (this.#keepsJson) this.#keepEnd(exact())
        return [...this.#usageDelta(chunk.usage), ...endDelta(isObject(delta) ? delta.stop_reason : undefined)]
      }
      default:
        return []
    }
  }

  addWhole(answer: JsonObject, exact: () => JsonObject): Delta[] {
    const { stop_reason: reason } = answer
    const { content } = exact()
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const deltas = this.#start(answer)
    for (const block of Array.isArray(blocks) ? blocks : []) {
      append(deltas, this.#open(this.#numbers.start(undefined), block))
    }
    return [...deltas, ...endDelta(isNonEmptyText(reason) || !Array.isArray(blocks) ? reason : 'end_turn')]
  }

  #start({ model, usage }: JsonObject): Delta[] {
    const deltas = this.#usageDelta(usage)
    if (this.#hasStarted || !isNonEmptyText(model)) return deltas
    this.#hasStarted = true
    return [{ type: 'start', model }, ...deltas]
  }

  #open(block: number, content: Json | undefined): Delta[] {
    if (!isObject(content)) return []
    if (typeOf(content) !== '' && typeOf(content) !== 'tool_use') this.#others.add(block)
    switch (typeOf(content)) {
      case 'text':
        return this.#textDelta(block, content.text)
      case 'thinking':
        return [...this.#reasoningDelta(block, content.thinking), ...this.#thinkingDelta(block, content)]
      case 'redacted_thinking':
        return [...this.#reasoningDelta(block, '[redacted thinking]'), ...this.#thinkingDelta(block, content)]
      case 'tool_use': {
        const { id, name } = content
        const named = { ...(isNonEmptyText(id) && { id }), ...(isNonEmptyText(name) && { name }) }
        return [{ type: 'tool', index, call: block, ...named, arguments: inputText(content.input) }]
      }
      default:
        return []
    }
  }

  /** By the delta's type, not the block's: a service may put its thinking into a text block. */
  #delta(block: number, delta: Json | undefined, exact: () => Json | undefined): Delta[] {
    if (!isObject(delta)) return []
    switch (typeOf(delta)) {
      case 'text_delta':
        this.#keepText(block, 'text', 'text', delta.text)
        return this.#textDelta(block, delta.text)
      case 'thinking_delta':
        this.#keepText(block, 'thinking', 'thinking', delta.thinking)
        return [...this.#reasoningDelta(block, delta.thinking), ...this.#thinkingPiece(block, 'thinking', delta)]
      case 'signature_delta':
        this.#keepText(block, 'thinking', 'signature', delta.signature)
        return this.#thinkingPiece(block, 'signature', delta)
      case 'input_json_delta':
        return this.#inputDelta(block, inputPiece(delta.partial_json, exact))
      case 'citations_delta':
        this.#keepCitation(block, exact())
        return []
      default:
        return []
    }
  }

  /** Thinking may come in a block of another type. */
  #thinkingPiece(block: number, key: 'thinking' | 'signature', { [key]: piece }: JsonObject): Delta[] {
    if (typeof piece !== 'string') return []
    const start = this.#started.has(block) ? {} : { type: 'thinking', thinking: '' }
    return this.#thinkingDelta(block, { ...start, [key]: piece })
  }

  /** Unchanged, as the signature covers every character: the displayed text cannot be used. */
  #thinkingDelta(number: number, block: JsonObject): Delta[] {
    this.#started.add(number)
    return [{ type: 'thinking', index, number, block }]
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
  #inputDelta(block: number, text: string): Delta[] {
    if (text === '') return []
    this.#keepInput(block, text)
    return this.#others.has(block) ? [] : [{ type: 'tool', index, call: block, arguments: text }]
  }

  /** Counts are totals: those of the prompt come at the start, those of the answer at the end. */
  #usageDelta(usage: Json | undefined): Delta[] {
    if (!isObject(usage)) return []
    for (const name of countNames) if (isLater(this.#usage[name], usage[name])) this.#usage[name] = usage[name]
    const counts = decodeUsage(this.#usage)
    return counts ? [{ type: 'usage', usage: counts }] : []
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
      ...(Object.keys(this.#totals).length > 0 && { usage: this.#totals }),
    }
  }

  #addHead(message: Json | undefined): void {
    if (!isObject(message)) return
    const { usage, ...head } = message
    addValues(this.#head, head)
    const counts = isObject(usage) ? Object.entries(usage) : []
    addValues(this.#totals, Object.fromEntries(counts.filter(([name, value]) => isLater(this.#totals[name], value))))
  }

  #keepEnd({ type: _type, delta, ...others }: JsonObject): void {
    this.#addHead({ ...others, ...(isObject(delta) && delta) })
  }

  #keepText(number: number, type: 'text' | 'thinking', key: string, piece: Json | undefined): void {
    if (this.#keepsJson) appendText(this.#blockOf(number, type), key, piece)
  }

  #keepCitation(number: number, delta: Json | undefined): void {
    if (!this.#keepsJson || !isObject(delta) || delta.citation === undefined) return
    const block = this.#blockOf(number, 'text')
    if (!Array.isArray(block.citations)) block.citations = []
    block.citations.push(delta.citation)
  }

  /** Until the block ends, its input is the text received so far. */
  #keepInput(number: number, text: string): void {
    if (!this.#keepsJson) return
    const blocks = (this.#blocks[number] ??= [])
    const tool = blocks.find(hasInput) ?? { type: 'tool_use' }
    if (!blocks.includes(tool)) blocks.push(tool)
    appendText(tool, 'input', text)
  }

  #close(number: number): void {
    const tool = this.#blocks[number]?.find(hasInput)
    if (!tool) return
    const { input = '' } = tool
    if (input === '' || input === null) tool.input = {}
    else if (typeof input === 'string') tool.input = parseJsonIfValid(input, input)
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

/** The id of the message that an event starts; `undefined` for another event. */
function startedId(event: JsonObject): string | undefined {
  const id = typeOf(event) === 'message_start' && isObject(event.message) ? event.message.id : undefined
  return isNonEmptyText(id) ? id : undefined
}

function endDelta(reason: Json | undefined): Delta[] {
  return isNonEmptyText(reason) ? [{ type: 'end', index, reason }] : []
}

/** Whether a value replaces the one before: of some services, a 0 follows the real count. */
function isLater(before: Json | undefined, value: Json | undefined): value is Json {
  return value !== undefined && !(value === 0 && typeof before === 'number')
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

/** Input that is not valid JSON is a string; missing input means no arguments. */
function inputText(input: Json | undefined): string {
  return typeof input === 'string' ? input || '{}' : exactJson(input ?? {})
}

/** Some services send the input as an object. @param exact The delta with its digits. */
function inputPiece(piece: Json | undefined, exact: () => Json | undefined): string {
  const delta = isObject(piece) ? exact() : undefined
  if (isObject(delta)) return exactJson(delta.partial_json ?? {})
  return typeof piece === 'string' ? piece : ''
}

function appendText(block: JsonObject, key: string, piece: Json | undefined): void {
  if (typeof piece !== 'string') return
  const before = block[key]
  block[key] = typeof before === 'string' ? before + piece : piece
}

/** Copied, so that appending does not change the event. */
function copyOfBlock(block: Json | undefined): JsonObject[] {
  if (!isObject(block) || typeOf(block) === '') return []
  return [{ ...block, ...(Array.isArray(block.citations) && { citations: [...block.citations] }) }]
}

/** Tools that the service runs itself have other block types. */
function hasInput(block: JsonObject): boolean {
  return block.type === 'tool_use' || 'input' in block
}

/** The type of an event, a block or a delta; '' if it has none. */
function typeOf(value: Json | undefined): string {
  return isObject(value) && typeof value.type === 'string' ? value.type : ''
}

/** Something of each is kept, as of each answer of the other APIs. */
const maxBlocks = 65_536

/** Numbers the content blocks of a streamed message in the order of their start, and finds the block of an event. */
class BlockNumbers {
  readonly #open = new Map<number, number>()
  #next = 0

  /** Starts a block: some services give all blocks the same index. @throws NetworkError for one too many. */
  start(index: Json | undefined): number {
    if (this.#next === maxBlocks) throw new NetworkError(`the service sent more than ${maxBlocks} content blocks`)
    const number = this.#next++
    this.#open.set(position(index), number)
    return number
  }

  /** The number of an open block: the last one, if the service gives another index. Starts a block if it did not. */
  of(index: Json | undefined): number {
    return this.#open.get(position(index)) ?? (this.#next > 0 ? this.#next - 1 : this.start(index))
  }
}

/** A missing index means the first block. */
function position(index: Json | undefined): number {
  return typeof index === 'number' ? index : 0
}

/**
 * Inserts blank lines between the displayed texts of content blocks.
 * @param distance Blocks whose numbers differ by at least this are separated; nearer ones are one text.
 */
function paragraphs(distance: number) {
  let last: number | undefined
  /** The end of the text so far: at least two characters, if it has as many. */
  let end = ''
  return {
    /** @returns the piece, after a blank line if it starts a block to be separated. */
    add(block: number, piece: string): string {
      const isSeparate = last !== undefined && block - last >= distance
      const shown = isSeparate ? blankLineAfter(end) + piece : piece
      last = block
      end = shown.length > 1 ? shown : end.slice(-1) + shown
      return shown
    },
    /** Call when other text was shown, which needs no blank line. */
    reset: () => void (last = undefined),
  }
}

/** The line ends missing for a blank line after a text. */
function blankLineAfter(end: string): string {
  if (end.endsWith('\n\n')) return ''
  return end.endsWith('\n') ? '\n' : '\n\n'
}
