/** Any answer, split into chunks of any size, is accumulated to the same answer. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../../src/io/json/json.ts'
import { accumulated } from '../../helpers/reading.ts'
import { samples } from '../../helpers/samples.ts'

type Text = [name: string, pieces: string[]]

interface GivenChoice {
  texts: Text[]
  calls: { id: string; name: string; pieces: string[] }[]
  finish: string
  unknown: JsonObject
}

const pieces = fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 4 })
const known = new Set(['__proto__', 'id', 'object', 'created', 'model', 'choices', 'usage', 'error', 'type'])
const choiceKeys = new Set(['index', 'delta', 'message', 'finish_reason', 'logprobs'])
const messageKeys = new Set(['role', 'content', 'tool_calls', 'function_call', 'name'])

/** Unknown keys. Arrays and objects of a choice would be merged, so they come once. */
function unknownKeys(taken: Set<string>): fc.Arbitrary<JsonObject> {
  const key = fc.oneof(fc.string(), fc.constantFrom('toString', 'constructor', 'x'))
  return fc.dictionary(
    key.filter((one) => !taken.has(one) && !known.has(one)),
    fc.jsonValue().map(withoutPrototypeKeys),
    { maxKeys: 3, noNullPrototype: true },
  )
}

function withoutPrototypeKeys(value: unknown): Json {
  return JSON.parse(JSON.stringify(value).replaceAll('"__proto__":', '"proto":')) as Json
}

const unknownText = fc.string().filter((one) => !messageKeys.has(one) && !known.has(one))

const givenChoice: fc.Arbitrary<GivenChoice> = fc.record({
  texts: fc.uniqueArray(
    fc.tuple(fc.oneof(fc.constantFrom('content', 'reasoning', 'reasoning_content', 'refusal'), unknownText), pieces),
    { selector: ([name]) => name, maxLength: 4 },
  ),
  calls: fc.uniqueArray(fc.record({ id: fc.uuid(), name: fc.string({ minLength: 1 }), pieces }), {
    selector: ({ id }) => id,
    maxLength: 3,
  }),
  finish: fc.constantFrom('stop', 'length', 'tool_calls', 'content_filter'),
  unknown: unknownKeys(choiceKeys),
})

const head = { id: 'chat-1', created: 1, model: 'served' }
const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }

function wholeAnswer(choices: GivenChoice[], unknown: JsonObject): JsonObject {
  const whole = choices.map(({ texts, calls, finish, unknown: rest }, index) => ({
    index,
    message: {
      role: 'assistant',
      content: null,
      ...Object.fromEntries(texts.map(([name, parts]) => [name, parts.join('')])),
      ...(calls.length > 0 && { tool_calls: calls.map(wholeCall) }),
    },
    finish_reason: finish,
    ...rest,
  }))
  return { ...unknown, ...head, object: 'chat.completion', choices: whole, usage }
}

function wholeCall({ id, name, pieces: parts }: GivenChoice['calls'][number]): JsonObject {
  return { id, type: 'function', function: { name, arguments: parts.join('') } }
}

/** The parts of one choice in order, each as `choices` of a chunk. */
function parts({ texts, calls, finish, unknown }: GivenChoice, index: number): JsonObject[] {
  const deltas: JsonObject[] = [{ role: 'assistant' }]
  for (const [name, some] of texts) for (const piece of some) deltas.push({ [name]: piece })
  for (const [at, { id, name, pieces: some }] of calls.entries()) {
    deltas.push({ tool_calls: [{ index: at, id, type: 'function', function: { name, arguments: '' } }] })
    for (const piece of some) deltas.push({ tool_calls: [{ index: at, function: { arguments: piece } }] })
  }
  const sent = deltas.map((delta): JsonObject => ({ index, delta, finish_reason: null }))
  return [...sent, { index, delta: {}, finish_reason: finish, ...unknown }]
}

/** Interleaves the parts of several choices, keeping the order within each. */
function interleaved(choices: GivenChoice[], order: number[]): JsonObject[] {
  const queues = choices.map((choice, index) => parts(choice, index))
  const mixed: JsonObject[] = []
  for (let at = 0; queues.some((queue) => queue.length > 0); at++) {
    const waiting = queues.filter((queue) => queue.length > 0)
    const next = waiting[(order[at % order.length] ?? 0) % waiting.length]?.shift()
    if (next) mixed.push(next)
  }
  return mixed
}

const givenAnswer = fc.record({
  choices: fc.array(givenChoice, { minLength: 1, maxLength: 3 }),
  unknown: unknownKeys(new Set()),
  order: fc.array(fc.nat(), { minLength: 1, maxLength: 10 }),
})

function chunksOf({
  choices,
  unknown,
  order,
}: {
  choices: GivenChoice[]
  unknown: JsonObject
  order: number[]
}): JsonObject[] {
  const chunk = { ...head, object: 'chat.completion.chunk' }
  const sent = interleaved(choices, order).map((part): JsonObject => ({ ...chunk, choices: [part] }))
  return [{ ...chunk, ...unknown, choices: [] }, ...sent, { ...chunk, choices: [], usage }]
}

test('its chunks are accumulated to the whole answer', () => {
  const property = fc.property(givenAnswer, (given) => {
    expect(accumulated('chat', chunksOf(given))).toEqual(wholeAnswer(given.choices, given.unknown))
  })
  fc.assert(property, samples(25))
})
