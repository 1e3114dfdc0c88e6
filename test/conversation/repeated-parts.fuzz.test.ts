/** Parts that the end of their answer repeats are not looked into: what a file comes to is the same. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Conversation } from '../../src/conversation/conversation.ts'
import { readLog } from '../../src/conversation/log.ts'
import { samples } from '../helpers/samples.ts'

const at = '2026-11-21T10:00:00.000Z'
const answerId = fc.constantFrom('a', 'b')
const turnId = fc.constantFrom('t', 'u')
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('"', '\\', '{"type":"end"', '"}]}', 'a\n'),
)
const delta = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom('text', 'reasoning', 'wink'), index: fc.nat(1), text }) },
  fc.record({ type: fc.constant('tool'), index: fc.nat(1), call: fc.nat(1), name: text }),
  fc.record({ type: fc.constant('text'), index: fc.constantFrom(-1, 0.5, '0'), text }),
)
const part = fc.tuple(answerId, fc.array(delta, { maxLength: 3 })).map(([answer, deltas]) => {
  return { type: 'part', answer, deltas }
})
const entry = fc.oneof(
  { weight: 6, arbitrary: part },
  { weight: 2, arbitrary: fc.tuple(answerId, turnId).map(([id, parent]) => ({ type: 'answer', at, id, parent })) },
  {
    weight: 2,
    arbitrary: fc.tuple(answerId, text).map(([answer, content]) => {
      return { type: 'end', at, answer, choices: [{ index: 0, message: { content }, finish_reason: null }] }
    }),
  },
  turnId.map((id) => ({ type: 'turn', at, id, messages: [{ role: 'user', content: id }] })),
  fc.constant({ type: 'head', at }),
)

/** Whole, cut so that the next stands right behind it, or with one character gone or another. */
const line = fc
  .tuple(
    entry,
    fc.constantFrom('', '', '', 'cut', 'gone', 'other'),
    fc.nat(),
    fc.constantFrom('"', '\\', '}', 'x', '\t'),
  )
  .map(([one, damage, nat, other]) => {
    const whole = JSON.stringify(one)
    const place = nat % whole.length
    if (damage === 'cut') return whole.slice(0, place)
    if (damage === 'gone') return `${whole.slice(0, place)}${whole.slice(place + 1)}\n`
    if (damage === 'other') return `${whole.slice(0, place)}${other}${whole.slice(place + 1)}\n`
    return `${whole}\n`
  })

/** What a text comes to, for whoever reads a conversation. */
function outcomeOf(file: string): object {
  const { entries, damaged, unknown } = readLog(file)
  const conversation = new Conversation('x', entries)
  const { nodes, title, lastModel } = conversation
  return { damaged, unknown, nodes, title, lastModel, path: conversation.path() }
}

test('random files, whole and damaged, come to the same as with white space that has each part looked into', () => {
  const property = fc.property(fc.array(line, { minLength: 1, maxLength: 14 }), (lines) => {
    const file = lines.join('')
    const spaced = file.replaceAll(/^\{"type":"part"/gm, '{ "type":"part"')
    expect(outcomeOf(file)).toEqual(outcomeOf(spaced))
  })
  fc.assert(property, samples(300))
})

test.each<[what: string, order: string, entries: string]>([
  ['before the end', 'a p e', 'answer end'],
  ['behind the end', 'a e p', 'answer end'],
  ['of an answer that got no end', 'a p p', 'answer part part'],
  ['of an answer whose beginning is missing', 'p e', 'part end'],
])('parts %s', (_what, order, entries) => {
  const kinds: Record<string, object> = {
    a: { type: 'answer', at, id: 'a', parent: 't' },
    p: { type: 'part', answer: 'a', deltas: [{ type: 'text', index: 0, text: 'Hi "you"\u0001\ud83d' }] },
    e: { type: 'end', at, answer: 'a', choices: [] },
  }
  const file = order.split(' ').map((kind) => `${JSON.stringify(kinds[kind])}\n`)
  expect(readLog(file.join('')).entries.map(({ type }) => type)).toEqual(entries.split(' '))
})
