/** Skipping parts that the end of their answer repeats does not change the result. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Conversation } from '../../src/conversation/conversation.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { logContent } from '../helpers/conversations.ts'
import { samples } from '../helpers/samples.ts'

const at = '2026-11-21T10:00:00.000Z'
const answerId = fc.constantFrom('a', 'b')
const turnId = fc.constantFrom('t', 'u')
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 8 }),
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

/** Complete, truncated so that the next line joins it, or with a character removed or changed. */
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

/** The conversation and the problems read from a text. */
function outcomeOf(file: string): object {
  const { entries, damaged, unknown } = logContent(file)
  const conversation = new Conversation('x', entries)
  const { nodes, title, lastModel } = conversation
  return { damaged, unknown, nodes, title, lastModel, path: conversation.path() }
}

test('random files, complete and damaged, give the same result as with whitespace that forces parsing each part', () => {
  const property = fc.property(fc.array(line, { minLength: 1, maxLength: 14 }), (lines) => {
    const file = lines.join('')
    const spaced = file.replaceAll(/^\{"type":"part"/gm, '{ "type":"part"')
    expect(outcomeOf(file)).toEqual(outcomeOf(spaced))
  })
  fc.assert(property, samples(60))
})

test.each<[what: string, order: string, entries: string]>([
  ['before the end', 'a p e', 'answer end'],
  ['behind the end', 'a e p', 'answer end'],
  ['of an answer that got no end', 'a p p', 'answer part part'],
  ['of an answer whose start is missing', 'p e', 'part end'],
])('parts %s', (_what, order, entries) => {
  const kinds: Record<string, object> = {
    a: { type: 'answer', at, id: 'a', parent: 't' },
    p: { type: 'part', answer: 'a', deltas: [{ type: 'text', index: 0, text: 'Hi "you"\u0001\ud83d' }] },
    e: { type: 'end', at, answer: 'a', choices: [] },
  }
  const file = order.split(' ').map((kind) => `${JSON.stringify(kinds[kind])}\n`)
  expect(logContent(file.join('')).entries.map(({ type }) => type)).toEqual(entries.split(' '))
})
