/** Decodes an answer's bytes without a network, and summarizes the result. */

import { chat } from '../../src/api/chat/operation.ts'
import { completions } from '../../src/api/completions/operation.ts'
import { messages } from '../../src/api/messages/operation.ts'
import { NetworkError } from '../../src/errors.ts'
import type { JsonObject } from '../../src/io/json/json.ts'
import { Answer } from '../../src/stream/answer.ts'
import { readAnswer } from '../../src/stream/reply-decoder.ts'
import type { Delta, KeptJson } from '../../src/stream/delta.ts'
import type { Family } from './fixtures.ts'

const operations = { chat, completions, messages }

export interface Reading {
  deltas: Delta[]
  /** The JSON that was accumulated of a stream, and what it was accumulated of, event by event. */
  kept: KeptJson | undefined
  chunks: string[]
  /** The error; `undefined` for a complete answer. */
  failure: string | undefined
}

/**
 * @param reads The bytes of each network read.
 * @param hasTools Whether the request offers tools (default: the text is passed on).
 */
export async function readReply(
  dialect: Family,
  reads: Iterable<Uint8Array>,
  contentType = 'text/event-stream',
  hasTools?: boolean,
): Promise<Reading> {
  const deltas: Delta[] = []
  let failure: string | undefined
  try {
    const options = { withChunks: true, keepsJson: true, choiceCount: 1, hasTools }
    const body = (async function* (): AsyncGenerator<Uint8Array> {
      yield* reads
    })()
    const reply = { headers: { 'content-type': contentType }, body }
    for await (const some of readAnswer(reply, operations[dialect].createAccumulator, options)) deltas.push(...some)
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    failure = error.message
  }
  return {
    deltas: deltas.filter(({ type }) => type !== 'chunk' && type !== 'json'),
    kept: deltas.findLast((delta) => delta.type === 'json')?.kept,
    chunks: deltas.flatMap((delta) => (delta.type === 'chunk' ? [delta.text] : [])),
    failure,
  }
}

/**
 * A summary, one line per choice and kind, in the order of their start: `text Hello`, `tool a(b)`, `end stop`. All but the
 * first choice have their number in front.
 */
export function summarize({ deltas, failure }: Reading): string[] {
  const parts = new Map<string, string>()
  const answer = new Answer()
  answer.add(deltas)
  const add = (key: string, text: string | undefined): void =>
    void parts.set(key, (parts.get(key) ?? '') + (text ?? ''))
  for (const delta of deltas) {
    const number = 'index' in delta && delta.index > 0 ? `${delta.index}: ` : ''
    if (delta.type === 'restart') parts.clear()
    else if (delta.type === 'start') add('from ', delta.model)
    else if (delta.type === 'usage') parts.set('used ', `${delta.usage.promptTokens}+${delta.usage.completionTokens}`)
    else if (delta.type === 'end') add(`${number}end `, delta.reason)
    else if (delta.type === 'tool') {
      const call = answer.choice(delta.index)?.calls.get(delta.call)
      parts.set(`${number}tool ${delta.call} `, `${call?.id} ${call?.name} ${call?.arguments}`)
    } else if ('text' in delta) add(`${number}${delta.type} `, delta.text)
  }
  const words = [...parts].map(([key, text]) => key + text)
  return failure === undefined ? words : [...words, `failed: ${failure}`]
}

/** What a stream with these chunks is accumulated to. */
export function accumulated(dialect: Family, chunks: readonly JsonObject[]): JsonObject {
  const accumulator = operations[dialect].createAccumulator(true)
  for (const chunk of chunks) accumulator.add(chunk, () => chunk)
  return accumulator.build()
}

export function readChat(reads: Iterable<Uint8Array>, contentType?: string): Promise<Reading> {
  return readReply('chat', reads, contentType)
}
