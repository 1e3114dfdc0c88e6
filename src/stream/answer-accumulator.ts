/** Accumulates the deltas of an answer: for those who measure, check, extract from or store it. */

import type { JsonObject } from '../io/json/json.ts'
import { type Content, type Delta, isContent, type Usage } from './delta.ts'
import { finishKind } from './finish-reason.ts'

export interface ToolCall {
  id: string
  name: string
  /** JSON text. */
  arguments: string
}

export interface AccumulatedChoice {
  /** Empty unless texts are kept, like the reasoning. */
  text: string
  reasoning: string
  refusal: string
  /** Whether there is text that is not blank. */
  hasText: boolean
  hasReasoning: boolean
  /** By number. */
  readonly calls: Map<number, ToolCall>
  readonly thinking: JsonObject[]
  finishReason: string | undefined
}

export interface AccumulatorOptions {
  /** Whether text and reasoning are kept (default: yes): an answer may be larger than the memory. */
  readonly keepsTexts?: boolean
  /** Whether the chunks are kept (default: no). */
  readonly keepsChunks?: boolean
  /** The clock for the times, in milliseconds (default: no times). */
  readonly now?: () => number
}

export class AnswerAccumulator {
  readonly #choices = new Map<number, AccumulatedChoice>()
  readonly #options: AccumulatorOptions
  /** The serving model's name. */
  model: string | undefined
  usage: Usage | undefined
  /** The record in a header of the reply. */
  quota: JsonObject | undefined
  /** What the service sent: of a stream its chunks, else the whole reply. */
  readonly chunks: JsonObject[] = []
  whole: JsonObject | undefined
  /** When the first of the answer came, and the last. */
  firstAt: number | undefined
  lastAt: number | undefined
  /** Of all content, in UTF-16 code units. */
  length = 0

  constructor(options: AccumulatorOptions = {}) {
    this.#options = options
  }

  add(deltas: readonly Delta[]): void {
    for (const delta of deltas) {
      if (isContent(delta)) {
        this.lastAt = this.#options.now?.()
        this.firstAt ??= this.lastAt
        this.length += contentLength(delta)
      }
      if ('index' in delta && delta.type !== 'logprobs') this.#addTo(this.#choice(delta.index), delta)
      else if (delta.type === 'chunk' && this.#options.keepsChunks) this.#addChunk(delta)
      else if (delta.type === 'start') this.model = delta.model
      else if (delta.type === 'usage') this.usage = delta.usage
      else if (delta.type === 'quota') this.quota = delta.quota
    }
  }

  #addChunk({ json, isWhole }: Extract<Delta, { type: 'chunk' }>): void {
    if (isWhole) this.whole = json
    else this.chunks.push(json)
  }

  /** @returns `undefined` for one of which nothing has come. */
  choice(index: number): AccumulatedChoice | undefined {
    return this.#choices.get(index)
  }

  /** Ordered by index. */
  get choices(): [index: number, choice: AccumulatedChoice][] {
    return [...this.#choices].sort(([a], [b]) => a - b)
  }

  /** Whether the first choice calls tools, and was not cut off. */
  get callsTools(): boolean {
    const { calls, finishReason = '' } = this.#choices.get(0) ?? {}
    return calls !== undefined && calls.size > 0 && finishKind(finishReason) === 'done'
  }

  #addTo(choice: AccumulatedChoice, delta: Exclude<Extract<Delta, { index: number }>, { type: 'logprobs' }>): void {
    const { keepsTexts = true } = this.#options
    if (delta.type === 'text') {
      choice.hasText ||= /\S/.test(delta.text)
      if (keepsTexts) choice.text += delta.text
    } else if (delta.type === 'reasoning') {
      choice.hasReasoning = true
      if (keepsTexts) choice.reasoning += delta.text
    } else if (delta.type === 'refusal') choice.refusal += delta.text
    else if (delta.type === 'tool') addToolCall(choice.calls, delta)
    else if (delta.type === 'thinking') choice.thinking.push(delta.block)
    else choice.finishReason = delta.reason
  }

  #choice(index: number): AccumulatedChoice {
    const known = this.#choices.get(index)
    if (known) return known
    const choice: AccumulatedChoice = {
      text: '',
      reasoning: '',
      refusal: '',
      hasText: false,
      hasReasoning: false,
      calls: new Map(),
      thinking: [],
      finishReason: undefined,
    }
    this.#choices.set(index, choice)
    return choice
  }
}

function addToolCall(calls: Map<number, ToolCall>, piece: Extract<Delta, { type: 'tool' }>): void {
  const call = calls.get(piece.call) ?? { id: '', name: '', arguments: '' }
  calls.set(piece.call, call)
  // Some services repeat id and name with every piece.
  call.id ||= piece.id ?? ''
  call.name ||= piece.name ?? ''
  call.arguments += piece.arguments ?? ''
}

function contentLength(delta: Content): number {
  return delta.type === 'tool' ? (delta.name ?? '').length + (delta.arguments ?? '').length : delta.text.length
}
