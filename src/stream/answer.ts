/** The answer to one request, as far as it has arrived: for those who measure, check, print, extract from or store it. */

import { NetworkError } from '../errors.ts'
import type { JsonObject } from '../io/json/json.ts'
import {
  addUsage,
  type Content,
  type Delta,
  isContent,
  type KeptJson,
  laterUsage,
  sizeOf,
  type Usage,
} from './delta.ts'
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

/** Whether it has neither text nor calls. */
export function isEmpty({ hasText, calls }: AnswerChoice): boolean {
  return !hasText && calls.size === 0
}

export interface AnswerOptions {
  /** Whether text and reasoning are kept (default: yes): an answer may be larger than the memory. */
  readonly keepsTexts?: boolean
  /** The clock for the times, in milliseconds (default: no times). */
  readonly now?: () => number
  /** What is kept of all replies at the same time (default: there is no limit, as for an answer that is read from a file). */
  readonly budget?: ReplyBudget
}

/** What those who read an answer keep of each choice, and of each tool call: measured, a million choices took 1 GB. */
const sizeOfPart = 1024

export class Answer implements Disposable {
  readonly #choices = new Map<number, AnswerChoice>()
  readonly #keepsTexts: boolean
  readonly #now: (() => number) | undefined
  readonly #budget: ReplyBudget | undefined
  /** What is kept, in characters, and what of it the budget has. */
  #size = 0
  #counted = 0
  #kept: KeptJson | undefined
  /** Whether more than reasoning has come. */
  hasAnswer = false
  /** The serving model's name. */
  model: string | undefined
  /** What the last request took. */
  lastUsage: Usage | undefined
  #paidBefore: Usage | undefined
  /** How many requests were sent for it. */
  requests = 1
  /** The record in a header of the reply. */
  quota: JsonObject | undefined
  /** When the first of the answer came, and the last. */
  firstAt: number | undefined
  lastAt: number | undefined
  /** The length of all content, in UTF-16 code units. */
  length = 0

  constructor({ keepsTexts = true, now, budget }: AnswerOptions = {}) {
    this.#keepsTexts = keepsTexts
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
      else if (delta.type === 'json') this.#kept = delta.kept
      else if (delta.type === 'restart') this.#restart()
      else if (delta.type === 'start') this.model = delta.model
      else if (delta.type === 'usage') this.lastUsage = laterUsage(this.lastUsage, delta.usage)
      else if (delta.type === 'quota') this.quota = delta.quota
    }
  }

  /** @throws NetworkError if more is kept than may be. */
  checkSize(): void {
    if (!this.#budget) return
    const size = this.#size + (this.#kept?.size ?? 0)
    const added = size - this.#counted
    this.#counted = size
    this.#budget.add(added)
    if (size <= maxKept) return
    const hint = 'as text or with --jsonl in a pipe, and not saved, an answer may have any length'
    const message = `the answer is larger than the limit of ${maxKept / mebibyte} MiB`
    throw new NetworkError(message, this.#keepsTexts || this.#kept ? { hint } : {})
  }

  /** The answer as the service sends it without streaming; `undefined` if it is not kept, or nothing came. */
  get json(): JsonObject | undefined {
    return this.#kept?.build()
  }

  /** What all requests for it took. */
  get usage(): Usage | undefined {
    const [before, last] = [this.#paidBefore, this.lastUsage]
    return before && last ? addUsage(before, last) : (last ?? before)
  }

  /** Forgets what has come, which was no answer, but for its usage: the next request is for the same answer. */
  askAgain(): void {
    this.#paidBefore = this.usage
    this.requests += 1
    this.firstAt = undefined
    this.#restart()
  }

  /** @returns `undefined` for one of which nothing has come. */
  choice(index: number): AnswerChoice | undefined {
    return this.#choices.get(index)
  }

  /** Ordered by index. */
  get choices(): [index: number, choice: AnswerChoice][] {
    return [...this.#choices].sort(([a], [b]) => a - b)
  }

  /** Whether nothing of it can be seen. */
  get isBlank(): boolean {
    return this.choices.every(([, choice]) => isEmpty(choice) && !choice.hasReasoning && choice.refusal === '')
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

  #restart(): void {
    this.#choices.clear()
    this.hasAnswer = false
    this.lastUsage = undefined
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

  /** JSON that is kept counts for all that is in it. Printers hold back the choices that follow the first one. */
  #isKept({ type, index }: Extract<Delta, { index: number }>): boolean {
    if (this.#kept) return false
    return this.#keepsTexts || type === 'refusal' || type === 'tool' || index !== 0
  }

  #addCall(calls: AnswerChoice['calls'], piece: Extract<Delta, { type: 'tool' }>): void {
    const known = calls.get(piece.call)
    const call = known ?? { id: '', name: '', arguments: '' }
    if (!known) this.#size += sizeOfPart
    calls.set(piece.call, call)
    call.id ||= piece.id ?? ''
    call.name += piece.name ?? ''
    // An empty object is what the arguments are if no piece follows.
    const before = call.arguments === '{}' && piece.arguments ? '' : call.arguments
    call.arguments = before + (piece.arguments ?? '')
  }

  #choice(index: number): AnswerChoice {
    const known = this.#choices.get(index)
    if (known) return known
    this.#size += sizeOfPart
    const choice = emptyChoice()
    this.#choices.set(index, choice)
    return choice
  }
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
