/** Estimates how many tokens a prompt has. Only the model's tokenizer knows; the service is not asked. */

import { estimateTokenCount } from 'tokenx'
import { isObject, type Json, type JsonObject } from '../io/json/json.ts'

/**
 * Characters per token of what tokenx counts too low, between those of Qwen 2.5, DeepSeek V3 and GPT-4o: ideographs and kana,
 * Hangul, Cyrillic, Arabic, the scripts of India, Thai, and random letters and digits, such as hashes.
 */
const languageConfigs = [
  { pattern: /[\u3040-\u30ff\u3400-\u9fff]/, averageCharsPerToken: 1.7 },
  { pattern: /[\uac00-\ud7af]/, averageCharsPerToken: 1.8 },
  { pattern: /[\u0400-\u04ff]/, averageCharsPerToken: 4 },
  { pattern: /[\u0600-\u06ff]/, averageCharsPerToken: 3.2 },
  { pattern: /[\u0900-\u0dff]/, averageCharsPerToken: 2.2 },
  { pattern: /[\u0e00-\u0eff]/, averageCharsPerToken: 2.3 },
  { pattern: /^(?=\D*\d)(?=\d*[a-z])\w{12}/i, averageCharsPerToken: 2 },
]

export function estimatedTokens(text: string): number {
  return estimateTokenCount(text, { languageConfigs })
}

/** The most tokens of an answer to a request; `Infinity` without a limit. */
export function tokenLimitOf({ max_tokens: limit, max_completion_tokens: otherLimit }: JsonObject): number {
  return Math.min(typeof limit === 'number' ? limit : Infinity, typeof otherLimit === 'number' ? otherLimit : Infinity)
}

/** A template puts the name of the role and separators around each message. */
const tokensOfMessage = 4

/** About as many as of a photo. Only the service knows. */
const tokensOfImage = 1000

/** In characters: so many are counted, and then those of one prompt in so many. */
const countedAtFirst = 100_000
const countedInterval = 50

/** For many requests: to count the tokens of a megabyte takes 100 ms, so those of some stand for the others, by their length. */
export class PromptEstimator {
  #length = 0
  #tokens = 0
  #prompts = 0
  hasImages = false

  /** @param body Of a request to any of the APIs. @returns the tokens of its prompt. */
  tokensOf({ system = '', messages = '', prompt = '', functions, tools = functions }: JsonObject): number {
    const texts = tools === undefined ? [] : [JSON.stringify(tools)]
    let tokens = (Array.isArray(messages) ? messages.length : 1) * tokensOfMessage
    const add = (value: Json | undefined): void => {
      if (typeof value === 'string') texts.push(value)
      else if (Array.isArray(value)) value.forEach(add)
      else if (isObject(value) && typeof value.type === 'string' && value.type.startsWith('image')) {
        this.hasImages = true
        tokens += tokensOfImage
      } else if (isObject(value)) {
        for (const key of Object.keys(value)) if (key !== 'role' && key !== 'type') add(value[key])
      }
    }
    add([system, messages, prompt])
    const length = texts.reduce((sum, text) => sum + text.length, 0)
    if (this.#length >= countedAtFirst && this.#prompts++ % countedInterval !== 0)
      return tokens + (length * this.#tokens) / this.#length
    const counted = texts.reduce((sum, text) => sum + estimatedTokens(text), 0)
    this.#length += length
    this.#tokens += counted
    return tokens + counted
  }
}
