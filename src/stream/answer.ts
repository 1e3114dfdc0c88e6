/** The answer to one request, as far as it has arrived: for those who measure, check, print, extract from or store it. */

import { NetworkError } from '../errors.ts'
import { countValues, type JsonObject } from '../io/json/json.ts'
import { type Content, type Delta, isContent, sizeOf, type Usage } from './delta.ts'
import { finishKind, graverReason } from './finish-reason.ts'
import { maxKept, mebibyte, type ReplyBudget } from './reply-budget.ts'

export interface ToolCall {
  id: string
  name: string
  /** JSON text. */
  arguments: string
}

export type AnswerChoice = ReturnType<typeof emptyChoice>

function emptyChoice() {
  return {
    /** Empty unless texts are kept, like the reasoning and the thinking blocks. */
    text: '',
    reasoning: '',
    refusal: '',
    /** Whether there is text that is not blank. */
    hasText: false,
    hasReasoning: false,
    /** By number. */
    calls: new Map<number, ToolCall>(),
    /** By number. */
    thinking: new Map<number, JsonObject>(),
    finishReason: undefined as string | undefined,
  }
}

/** Folds what the service sent to the answer that it sends without streaming. */
export interface Fold {
  add(chunk: JsonObject): void
  build(): JsonObject
}

export interface AnswerOptions {
  /** Whether text and reasoning are kept (default: yes): an answer may be larger than the memory. */
  readonly keepsTexts?: boolean
  /** Keeps what the service sent (default: it is not kept). */
  readonly fold?: Fold | undefined
  /** The clock for the times, in milliseconds (default: no times). */
  readonly now?: () => number
  /** What is kept of all replies at the same time (default: there is no limit, as for an answer that is read from a file). */
  readonly budget?: ReplyBudget
}

/** What those who read an answer keep of each choice, and of each tool call: measured, a million choices took 1 GB. */
const sizeOfPart = 1024

/** What a value of parsed JSON takes. With the names and texts of a usual chunk, its characters are more than that. */
const sizeOfValue = 16

export class Answer implements Disposable {
  readonly #choices = new Map<number, AnswerChoice>()
  readonly #fold: Fold | undefined
  readonly #keepsTexts: boolean
  readonly #now: (() => number) | undefined
  readonly #budget: ReplyBudget | undefined
  /** What is kept, in characters, and what of it the budget has. */
  #size = 0
  #counted = 0
  #firstChoice: number | undefined
  /** The reply, if it was not streamed. */
  #whole: JsonObject | undefined
  /** Whether anything came that `json` has. */
  hasJson = false
  /** Whether more than reasoning has come. */
  hasAnswer = false
  /** The serving model's name. */
  model: string | undefined
  usage: Usage | undefined
  /** The record in a header of the reply. */
  quota: JsonObject | undefined
  /** When the first of the answer came, and the last. */
  firstAt: number | undefined
  lastAt: number | undefined
  /** The length of all content, in UTF-16 code units. */
  length = 0

  constructor({ keepsTexts = true, fold, now, budget }: AnswerOptions = {}) {
    this.#keepsTexts = keepsTexts
    this.#fold = fold
    this.#now = now
    this.#budget = budget
  }

  add(deltas: readonly Delta[]): void {
    for (const delta of deltas) {
      if (isContent(delta)) {
        this.lastAt = this.#now?.()
        this.firstAt ??= this.lastAt
        this.length += contentLength(delta)
        this.hasAnswer ||= delta.type !== 'reasoning'
      }
      if ('index' in delta) this.#addTo(delta)
      else if (delta.type === 'chunk') this.#addChunk(delta)
      else if (delta.type === 'restart') this.#restart()
      else if (delta.type === 'start') this.model = delta.model
      else if (delta.type === 'usage') this.usage = delta.usage
      else this.quota = delta.quota
    }
  }

  /** @throws NetworkError if more is kept than may be. */
  checkSize(): void {
    if (!this.#budget) return
    const added = this.#size - this.#counted
    this.#counted = this.#size
    this.#budget.add(added)
    if (this.#size <= maxKept) return
    const hint = 'as text or with --jsonl in a pipe, and not saved, an answer may have any length'
    const message = `the answer is larger than the limit of ${maxKept / mebibyte} MiB`
    throw new NetworkError(message, this.#keepsTexts || this.#fold ? { hint } : {})
  }

  /** The answer as the service sends it without streaming. Only if it is kept. */
  get json(): JsonObject {
    return this.#whole ?? this.#fold?.build() ?? {}
  }

  /** @returns `undefined` for one of which nothing has come. */
  choice(index: number): AnswerChoice | undefined {
    return this.#choices.get(index)
  }

  /** Ordered by index. */
  get choices(): [index: number, choice: AnswerChoice][] {
    return [...this.#choices].sort(([a], [b]) => a - b)
  }

  /** The texts of the choices in order, without choices that only call tools. Only if they are kept. */
  get texts(): string[] {
    return this.choices.flatMap(([, { text, hasText, calls }]) => (hasText || calls.size === 0 ? [text] : []))
  }

  /** Whether a choice ended at a limit of tokens. */
  get isCutOff(): boolean {
    const kinds = this.choices.map(([, { finishReason = '' }]) => finishKind(finishReason))
    return kinds.some((kind) => kind === 'limit' || kind === 'window')
  }

  /** Whether the first choice calls tools, and was not cut off. */
  get callsTools(): boolean {
    const { calls, finishReason = '' } = this.#choices.get(0) ?? {}
    return calls !== undefined && calls.size > 0 && finishKind(finishReason) === 'done'
  }

  /** What is kept does not count any more. */
  [Symbol.dispose](): void {
    this.#budget?.release(this.#counted)
    this.#counted = 0
  }

  #addChunk({ text, json, isWhole }: Extract<Delta, { type: 'chunk' }>): void {
    if (!this.#fold) return
    this.hasJson = true
    if (isWhole) this.#whole = json
    else this.#fold.add(json)
    this.#size += Math.max(text.length, sizeOfValue * countValues(text))
  }

  #restart(): void {
    this.#choices.clear()
    this.hasAnswer = false
    this.usage = undefined
  }

  #addTo(delta: Extract<Delta, { index: number }>): void {
    if (this.#isKept(delta)) this.#size += sizeOf(delta)
    const choice = this.#choice(delta.index)
    if (delta.type === 'text') {
      choice.hasText ||= /\S/.test(delta.text)
      if (this.#keepsTexts) choice.text += delta.text
    } else if (delta.type === 'reasoning') {
      choice.hasReasoning = true
      if (this.#keepsTexts) choice.reasoning += delta.text
    } else if (delta.type === 'refusal') choice.refusal += delta.text
    else if (delta.type === 'tool') this.#addCall(choice.calls, delta)
    else if (delta.type === 'end') choice.finishReason = graverReason(choice.finishReason, delta.reason)
    else if (this.#keepsTexts) addThinking(choice.thinking, delta)
  }

  /** Chunks that are kept count for all that is in them. Printers hold back the choices that follow the first one. */
  #isKept({ type, index }: Extract<Delta, { index: number }>): boolean {
    if (this.#fold) return false
    return this.#keepsTexts || type === 'refusal' || type === 'tool' || index !== (this.#firstChoice ?? index)
  }

  #addCall(calls: AnswerChoice['calls'], piece: Extract<Delta, { type: 'tool' }>): void {
    const known = calls.get(piece.call)
    const call: CallInParts = known ?? { id: '', name: '', arguments: '' }
    if (!known) this.#size += sizeOfPart
    calls.set(piece.call, call)
    call.id ||= piece.id ?? ''
    call.name += piece.name ?? ''
    if (piece.input !== undefined) {
      call.arguments = piece.input
      call.hasInput = true
    }
    if (piece.arguments === undefined) return
    call.arguments = call.hasInput ? piece.arguments : call.arguments + piece.arguments
    call.hasInput = false
  }

  #choice(index: number): AnswerChoice {
    const known = this.#choices.get(index)
    if (known) return known
    this.#firstChoice ??= index
    this.#size += sizeOfPart
    const choice = emptyChoice()
    this.#choices.set(index, choice)
    return choice
  }
}

interface CallInParts extends ToolCall {
  /** Whether the arguments are an `input`, which the first piece replaces. */
  hasInput?: boolean
}

function addThinking(blocks: AnswerChoice['thinking'], piece: Extract<Delta, { type: 'thinking' }>): void {
  const { number = -1 - blocks.size, block } = piece
  const before = blocks.get(number)
  if (!before) return void blocks.set(number, { ...block })
  for (const [name, value] of Object.entries(block)) {
    const known = before[name]
    before[name] = typeof known === 'string' && typeof value === 'string' ? known + value : value
  }
}

function contentLength(delta: Content): number {
  if (delta.type !== 'tool') return delta.text.length
  return (delta.name ?? '').length + (delta.arguments ?? '').length
}
