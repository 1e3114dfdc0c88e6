/** The typed events that an answer consists of. `index` is the number of the choice. */

import { isObject, type Json, type JsonObject } from '../io/json/json.ts'

export interface Usage {
  /** Cached tokens included. */
  readonly promptTokens: number | undefined
  /** Prompt tokens read from the service's cache. */
  readonly cachedTokens?: number | undefined
  /** Prompt tokens written to it. */
  readonly cacheWriteTokens?: number | undefined
  readonly completionTokens: number | undefined
}

export type Delta =
  /** The service began another answer: what came before is not part of it. */
  | { readonly type: 'restart' }
  /** `model` is the name of the serving model, which may differ from the requested one (section 2.1). */
  | { readonly type: 'start'; readonly model: string }
  | { readonly type: 'text'; readonly index: number; readonly text: string }
  | { readonly type: 'reasoning'; readonly index: number; readonly text: string }
  | { readonly type: 'refusal'; readonly index: number; readonly text: string }
  /**
   * Part of tool call number `call`: id and name come once, the arguments in pieces of JSON text. After `{}`, a piece takes its
   * place.
   */
  | {
      readonly type: 'tool'
      readonly index: number
      readonly call: number
      readonly id?: string
      readonly name?: string
      readonly arguments?: string
    }
  /** Part of thinking block number `number`, in the format that a later messages request sends back; a whole one without. */
  | { readonly type: 'thinking'; readonly index: number; readonly number?: number; readonly block: JsonObject }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** `error`: what the service reported of this choice, as JSON. */
  | { readonly type: 'end'; readonly index: number; readonly reason: string; readonly error?: string }
  /** The quota record from a header of the reply. */
  | { readonly type: 'quota'; readonly quota: JsonObject }
  /** What the service sent, if requested, in one line. */
  | { readonly type: 'chunk'; readonly text: string }
  /** The service's JSON, if requested, while it is accumulated. */
  | { readonly type: 'json'; readonly kept: KeptJson }

export interface KeptJson {
  /** What it takes so far, in characters. */
  readonly size: number
  /** The answer so far, as the service sends it without streaming. */
  build(): JsonObject
}

export type Text = Extract<Delta, { type: 'text' | 'reasoning' | 'refusal' }>
export type Content = Text | Extract<Delta, { type: 'tool' }>

/** Whether a delta is part of the answer itself. */
export function isContent(delta: Delta): delta is Content {
  return delta.type === 'tool' || (isTextDelta(delta) && delta.text !== '')
}

/** Adds a delta. A text that continues the one before is joined to it. */
export function addDelta(deltas: Delta[], delta: Delta): void {
  const last = deltas.at(-1)
  if (last && isTextDelta(last) && isTextDelta(delta) && last.type === delta.type && last.index === delta.index) {
    deltas[deltas.length - 1] = { type: last.type, index: last.index, text: last.text + delta.text }
  } else deltas.push(delta)
}

export function isTextDelta(delta: Delta): delta is Text {
  return delta.type === 'text' || delta.type === 'reasoning' || delta.type === 'refusal'
}

/** About what a small object takes, beside its texts, in characters. */
const sizeOfObject = 32

/** About what a delta takes while it is kept, in characters. */
export function sizeOf(delta: Delta): number {
  switch (delta.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
    case 'chunk':
      return sizeOfObject + delta.text.length
    case 'tool': {
      const texts = [delta.id, delta.name, delta.arguments]
      return texts.reduce((size, text = '') => size + text.length, sizeOfObject)
    }
    case 'thinking':
      return sizeOfObject + JSON.stringify(delta.block).length
    case 'restart':
    case 'start':
    case 'usage':
    case 'end':
    case 'quota':
    case 'json':
      return sizeOfObject
  }
}

/** Decodes the usage of the chat, completions or messages dialect. @returns `undefined` when it has no count. */
export function decodeUsage(usage: Json | undefined): Usage | undefined {
  if (!isObject(usage)) return undefined
  const { prompt_tokens_details: details, input_tokens: uncached } = usage
  const cachedTokens =
    (isObject(details) ? count(details.cached_tokens) : undefined) ??
    count(usage.cache_read_input_tokens) ??
    // Moonshot and DeepSeek name them so.
    count(usage.cached_tokens) ??
    count(usage.prompt_cache_hit_tokens)
  const cacheWriteTokens = count(usage.cache_creation_input_tokens)
  const named = count(usage.prompt_tokens)
  // A gateway that passes the counts of the messages dialect on under the names of the chat dialect leaves out cached tokens.
  const isWithoutCached = named !== undefined && cachedTokens !== undefined && cachedTokens > named
  const promptTokens = isWithoutCached
    ? sum(named, cachedTokens, cacheWriteTokens)
    : (named ?? sum(count(uncached), cachedTokens, cacheWriteTokens))
  const completion = count(usage.completion_tokens) ?? count(usage.output_tokens)
  const { completion_tokens_details: completionDetails, total_tokens: total } = usage
  const reasoning = isObject(completionDetails) ? count(completionDetails.reasoning_tokens) : undefined
  // Some services count reasoning beside the rest of the answer: their total shows it, also where they do not name it.
  const outside = (count(total) ?? 0) - (promptTokens ?? 0) - (completion ?? 0)
  const isBeside = outside > 0 && (reasoning === undefined ? outside !== cachedTokens : outside === reasoning)
  const completionTokens = completion !== undefined && isBeside ? completion + outside : completion
  if (promptTokens === undefined && completionTokens === undefined) return undefined
  return { promptTokens, cachedTokens, cacheWriteTokens, completionTokens }
}

/** Section 2.1, with the cached tokens, which have their own prices, as OpenAI and Anthropic name them. */
export function encodeUsage({ promptTokens, cachedTokens, cacheWriteTokens, completionTokens }: Usage): JsonObject {
  return {
    ...(promptTokens !== undefined && { prompt_tokens: promptTokens }),
    ...(completionTokens !== undefined && { completion_tokens: completionTokens }),
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...(cacheWriteTokens !== undefined && { cache_creation_input_tokens: cacheWriteTokens }),
  }
}

/**
 * The prompt tokens of the messages dialect: `input_tokens` exclude those that were cached, and at some services those that are
 * newly cached. Where these are more, they cannot be included.
 */
function sum(input: number | undefined, cached = 0, written = 0): number | undefined {
  return input === undefined ? undefined : input + cached + (written > input ? written : 0)
}

/** Later counts replace earlier ones, but a 0 is none: of some services it follows the real one. */
export function laterUsage(before: Usage | undefined, usage: Usage): Usage {
  const counts = Object.entries(before ?? {}).filter(([name, value]) => value && !usage[name as keyof Usage])
  return { ...usage, ...Object.fromEntries(counts) }
}

/** The sum of two counts; `undefined` where both are unknown. */
export function addUsage(one: Usage, other: Partial<Usage>): Usage {
  const add = (name: keyof Usage): number | undefined =>
    one[name] === undefined ? other[name] : one[name] + (other[name] ?? 0)
  return {
    promptTokens: add('promptTokens'),
    cachedTokens: add('cachedTokens'),
    cacheWriteTokens: add('cacheWriteTokens'),
    completionTokens: add('completionTokens'),
  }
}

function count(value: Json | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined
}
