/** Runs `syn complete`, and builds the chunks of its answers. */

import { asking } from './asking.ts'
import { chatEvents, events, json, type Answer } from './service.ts'

const head = { id: 'cmpl-1', object: 'text_completion', created: 1, model: 'served' }
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }

/** A chunk with part of one choice. */
export function piece(text: string, index = 0, more: object = {}): object {
  return { ...head, choices: [{ text, index, finish_reason: null, ...more }] }
}

/** A chunk with one token of this log probability. */
export function token(text: string, logprob: number | null, index = 0): object {
  const logprobs = { tokens: [text], token_logprobs: [logprob], top_logprobs: [null], text_offset: [0] }
  return piece(text, index, { logprobs })
}

/** The chunk that ends a choice. */
export function end(reason = 'stop', index = 0): object {
  return piece('', index, { finish_reason: reason })
}

/** A streamed answer of these chunks; a string is part of the first choice's text. */
export function streamed(...chunks: (object | string)[]): Answer {
  return events(chatEvents(...chunks.map((chunk) => (typeof chunk === 'string' ? piece(chunk) : chunk))))
}

/** An unstreamed answer, with a text for each choice. */
export function whole(...texts: string[]): Answer {
  const choices = texts.map((text, index) => ({ index, text, logprobs: null, finish_reason: 'stop' }))
  return json({ ...head, choices, usage })
}

/** Answers with the number of choices that the request asks for. */
const usualAnswer: Answer = (asked, response) => {
  const { prompt, n = 1 } = (asked.json ?? {}) as { prompt?: unknown; n?: number }
  const prompts = Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1
  const others = Array.from({ length: prompts * n - 1 }, (_, at) => piece(' b', at + 1, { finish_reason: 'stop' }))
  return streamed(' a', ' time', ...others, { ...end(), usage })(asked, response)
}

export const { run: complete, sentBy, refusalOf } = asking('complete', usualAnswer)

/** The prompt that a successful run sent. */
export async function promptSentBy(...asked: Parameters<typeof sentBy>): Promise<unknown> {
  return (await sentBy(...asked)).prompt
}
