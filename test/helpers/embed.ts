/** Runs `syn embed` against a service that returns a different vector for each text. */

import { expect } from 'vitest'
import { messageIn } from './asking.ts'
import { runSyn, type RunOptions } from './run-syn.ts'
import { json, startService, type Answer, type Asked } from './service.ts'

export interface EmbedOptions extends RunOptions {
  /** The service's reply to the request with this number. */
  answer?: (request: number) => Answer
  models?: Answer
}

export const model = 'hf:org/embedder'

/** The texts of a request. */
export function textsOf({ json: body }: Pick<Asked, 'json'>): string[] {
  const { input } = body as { input: string | string[] }
  return typeof input === 'string' ? [input] : input
}

/** The vector of a text: its length, its first character's code, and 1. */
export function vectorOf(text: string): number[] {
  return [text.length, text.charCodeAt(0) || 0, 1]
}

/** A reply as in the specification, with two tokens per text. */
export function replyTo(asked: Asked): Record<string, unknown> & { data: { index: number; embedding: unknown }[] } {
  const texts = textsOf(asked)
  const { dimensions } = asked.json as { dimensions?: number }
  const embed = (text: string): number[] =>
    dimensions === undefined ? vectorOf(text) : Array.from({ length: dimensions }, (_, at) => vectorOf(text)[at] ?? 0)
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: embed(text) }))
  const usage = { prompt_tokens: 2 * texts.length, total_tokens: 2 * texts.length }
  return { object: 'list', data, model: 'served', usage }
}

export const wellBehaved: Answer = (asked, response) => json(replyTo(asked))(asked, response)

/** Answers with a modified valid reply. */
export function changed(change: (reply: ReturnType<typeof replyTo>) => unknown): Answer {
  return (asked, response) => json(change(replyTo(asked)))(asked, response)
}

export async function embed(argv: string[], options: EmbedOptions = {}) {
  const { answer = () => wellBehaved, models = json({ error: 'no list' }, 404), env, ...others } = options
  /** The requests for embeddings, and for anything else. */
  const requests = { embeddings: [] as Asked[], others: [] as Asked[] }
  await using service = await startService((asked, response) => {
    if (!asked.path.endsWith('/embeddings')) {
      requests.others.push(asked)
      return models(asked, response)
    }
    requests.embeddings.push(asked)
    return answer(requests.embeddings.length)(asked, response)
  })
  const outcome = await runSyn(['embed', ...argv], {
    ...others,
    env: { ...service.env, SYN_EMBED_MODEL: model, ...env },
  })
  return { ...outcome, asked: requests.embeddings, others: requests.others }
}

/** The bodies that a successful run without notices sent. */
export async function bodiesOf(argv: string[], options: EmbedOptions = {}): Promise<Record<string, unknown>[]> {
  const { code, err, asked } = await embed(argv, options)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return asked.map(({ json: body }) => body as Record<string, unknown>)
}

/** The texts that a successful run sent, over all its requests. */
export async function textsSentBy(argv: string[], options: EmbedOptions = {}): Promise<string[]> {
  return (await bodiesOf(argv, options)).flatMap((body) => textsOf({ json: body }))
}

/** Expects a refusal: one line and its hint, with nothing sent or written, and exit status 2. */
export async function refusalOf(argv: string[], options: EmbedOptions = {}): Promise<string> {
  const { code, out, err, asked } = await embed(argv, options)
  expect({ code, out, requests: asked.length, err }).toEqual({ code: 2, out: '', requests: 0, err })
  return messageIn(err)
}

/** The values of JSON Lines. */
export function linesOf(out: string): Record<string, unknown>[] {
  expect(out).toMatch(/\n$/)
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}
