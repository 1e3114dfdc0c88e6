/** Any message, split into events of any size, is accumulated to the same message. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../../src/io/json/json.ts'
import { accumulated } from '../../helpers/reading.ts'
import { samples } from '../../helpers/samples.ts'

/** A whole block, and its deltas in a stream. */
interface GivenBlock {
  whole: JsonObject
  opening: JsonObject
  deltas: JsonObject[]
}

const pieces = fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 4 })
const value = fc.jsonValue({ maxDepth: 2 }).map((one) => JSON.parse(JSON.stringify(one)) as Json)

/** Unknown keys. */
const unknown = fc
  .dictionary(fc.constantFrom('x', 'constructor', 'citations', 'service_tier'), value, { noNullPrototype: true })
  .map((keys) => keys as JsonObject)

const textBlock = fc.tuple(pieces, unknown).map(([parts, keys]): GivenBlock => ({
  whole: { ...keys, type: 'text', text: parts.join('') },
  opening: { ...keys, type: 'text', text: '' },
  deltas: parts.map((text) => ({ type: 'text_delta', text })),
}))

const thinkingBlock = fc
  .tuple(pieces, fc.option(fc.base64String({ minLength: 4 })))
  .map(([parts, signature]): GivenBlock => ({
    whole: { type: 'thinking', thinking: parts.join(''), ...(signature !== null && { signature }) },
    opening: { type: 'thinking', thinking: '' },
    deltas: [
      ...parts.map((thinking) => ({ type: 'thinking_delta', thinking })),
      ...(signature === null ? [] : [{ type: 'signature_delta', signature }]),
    ],
  }))

const redactedBlock = fc.base64String().map((data): GivenBlock => {
  const whole = { type: 'redacted_thinking', data }
  return { whole, opening: whole, deltas: [] }
})

const toolBlock = fc
  .tuple(fc.uuid(), fc.string({ minLength: 1 }), fc.dictionary(fc.string(), value), fc.array(fc.nat()))
  .map(([id, name, given, places]): GivenBlock => {
    const input = JSON.parse(JSON.stringify(given)) as JsonObject
    const sent = Object.keys(input).length === 0 ? [] : cut(JSON.stringify(input), places)
    return {
      whole: { type: 'tool_use', id, name, input },
      opening: { type: 'tool_use', id, name, input: {} },
      deltas: sent.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    }
  })

const given = fc.record({
  blocks: fc.array(fc.oneof(textBlock, thinkingBlock, redactedBlock, toolBlock), { maxLength: 5 }),
  reason: fc.constantFrom('end_turn', 'max_tokens', 'tool_use', 'stop_sequence'),
  sequence: fc.option(fc.string()),
  keys: unknown,
})

type Given = typeof given extends fc.Arbitrary<infer Value> ? Value : never

const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'served' }

function wholeMessage({ blocks, reason, sequence, keys }: Given): JsonObject {
  return {
    ...keys,
    ...head,
    content: blocks.map(({ whole }) => whole),
    stop_reason: reason,
    stop_sequence: sequence,
    usage: { input_tokens: 3, output_tokens: 2 },
  }
}

function eventsOf({ blocks, reason, sequence, keys }: Given): JsonObject[] {
  const message = { ...keys, ...head, content: [], stop_reason: null, stop_sequence: null }
  return [
    { type: 'message_start', message: { ...message, usage: { input_tokens: 3, output_tokens: 0 } } },
    ...blocks.flatMap(({ opening, deltas }, index) => [
      { type: 'content_block_start', index, content_block: opening },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: sequence }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ]
}

function cut(text: string, places: readonly number[]): string[] {
  const edges = [0, ...places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b), text.length]
  return edges.slice(1).map((edge, at) => text.slice(edges[at], edge))
}

test('its events are accumulated to the whole message', () => {
  fc.assert(
    fc.property(given, (message) => {
      expect(accumulated('messages', eventsOf(message))).toEqual(wholeMessage(message))
    }),
    samples(25),
  )
})
