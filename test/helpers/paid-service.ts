/** A service whose models have prices, which counts what its answers cost: those included that nobody waits for. */

import { delta, end, head } from './chat-chunks.ts'
import { type Answer, chatEvents, events, json, type Service, startService } from './service.ts'

/** Dollars for a token. */
export const promptPrice = 0.001
export const answerPrice = 0.002

const pricing = {
  prompt: `$${promptPrice}`,
  completion: `$${answerPrice}`,
  input_cache_reads: `$${promptPrice / 10}`,
}

export interface AskedRow {
  /** The text of its last message. */
  readonly text: string
  readonly model: string
  /** How many requests for an answer came before. */
  readonly before: number
}

export interface Usage {
  readonly prompt: number
  readonly cached?: number
  readonly completion: number
}

export interface PaidService extends Service {
  /** In dollars. */
  spent: number
  /** How many requests for an answer came. */
  rows: number
}

/**
 * @param reply The usage of an answer; `undefined` for one without, or another reply, which is free.
 * @param priced Whether the list has prices. @param until What the answer to a text waits for.
 */
export async function startPaidService(
  reply: (row: AskedRow) => Usage | Answer | undefined,
  { priced = true, until }: { readonly priced?: boolean; readonly until?: (text: string) => Promise<void> } = {},
): Promise<PaidService> {
  const list = { data: ['hf:a/one', 'hf:b/two'].map((id) => ({ id, ...(priced && { pricing }) })) }
  const paid = { spent: 0, rows: 0 }
  const service = await startService(async (asked, response) => {
    if (asked.method === 'GET') return json(asked.path.endsWith('/models') ? list : {})(asked, response)
    if (asked.path.endsWith('/embeddings'))
      return json({ data: [{ index: 0, embedding: [1, 2] }], usage: { prompt_tokens: 2 } })(asked, response)
    const { messages, model } = asked.json as { messages: { content: string }[]; model: string }
    const usage = reply({ text: messages.at(-1)?.content ?? '', model, before: paid.rows })
    paid.rows += 1
    if (typeof usage === 'function') return usage(asked, response)
    const { prompt = 0, cached = 0, completion = 0 } = usage ?? {}
    paid.spent += (prompt - cached) * promptPrice + (cached * promptPrice) / 10 + completion * answerPrice
    const counts = {
      prompt_tokens: prompt,
      completion_tokens: completion,
      ...(cached > 0 && { prompt_tokens_details: { cached_tokens: cached } }),
    }
    await until?.(messages.at(-1)?.content ?? '')
    const chunks = [delta('Good.'), { ...end(), ...(usage && { usage: counts }) }, { ...head, choices: [] }]
    return events(chatEvents(...chunks))(asked, response)
  })
  return Object.assign(paid, service)
}
