/** Interleaved choices are shown one after the other, in the order of their index. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ChoiceQueue } from '../../src/answer/choice-queue.ts'
import type { Delta } from '../../src/stream/delta.ts'
import { expectLinear, growthFactor } from '../helpers/growth.ts'
import { samples } from '../helpers/samples.ts'

type Piece = Extract<Delta, { type: 'text' | 'end' }>

/** The pieces of several choices, some with an end, interleaved at random. */
const mixed = fc
  .array(fc.tuple(fc.array(fc.string(), { minLength: 1 }), fc.boolean()), { minLength: 1, maxLength: 5 })
  .chain((choices) => {
    const queues = choices.map(([texts, hasEnd], index): Piece[] => [
      ...texts.map((text): Piece => ({ type: 'text', index, text })),
      ...(hasEnd ? [{ type: 'end', index, reason: 'stop' } as const] : []),
    ])
    const turns = queues.flatMap((queue, index) => queue.map(() => index))
    return fc.shuffledSubarray(turns, { minLength: turns.length }).map((order) => {
      const remaining = queues.map((queue) => [...queue])
      return order.flatMap((index) => remaining[index]?.shift() ?? [])
    })
  })

test('nothing is lost, the choices are in order, and no two are interleaved', () => {
  fc.assert(
    fc.property(mixed, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 6 }), (pieces, size, count) => {
      const queue = new ChoiceQueue(count)
      const shown: Delta[] = []
      for (let at = 0; at < pieces.length; at += size) shown.push(...queue.push(pieces.slice(at, at + size)))
      shown.push(...queue.rest())
      const order = (shown as Piece[]).map(({ index }) => index)
      const runs = order.filter((index, position) => index !== order[position - 1])
      expect(new Set(runs).size).toBe(runs.length)
      const sent = new Set(pieces.map(({ index }) => index)).size
      if (sent <= count) expect(runs).toEqual(runs.toSorted((a, b) => a - b))
      const textsOf = (all: Piece[], index: number): Piece[] =>
        all.filter((piece) => piece.type === 'text' && piece.index === index)
      for (let index = 0; index < 5; index++) expect(textsOf(shown as Piece[], index)).toEqual(textsOf(pieces, index))
    }),
    samples(),
  )
})

/** What is shown after each delta of choices, and at the end: `a1` is a text of choice 1, `|1` its end. */
function shownAfterEach(count: number, arriving: string): string {
  const queue = new ChoiceQueue(count)
  const word = (delta: Delta): string =>
    delta.type === 'text' ? `${delta.text}${delta.index}` : delta.type === 'end' ? `|${delta.index}` : ''
  const steps = arriving.split(' ').map((step): string => {
    const [text = '', index] = step
    const isEnd = text === '|'
    const one = { index: Number(index), ...(isEnd ? { type: 'end', reason: 'stop' } : { type: 'text', text }) }
    return (
      queue
        .push([one as Delta])
        .map(word)
        .join(' ') || '-'
    )
  })
  return [...steps, queue.rest().map(word).join(' ')].join(', ')
}

test.each<[title: string, count: number, arriving: string, shown: string]>([
  ['one choice passes at once', 1, 'a0 b0 |0', 'a0, b0, |0, '],
  ['a text may follow its end', 1, 'a0 |0 b0 |0', 'a0, |0, -, -, b0'],
  ['a choice alone may have another number', 1, 'a1 b1 |1', 'a1, b1, |1, '],
  ['index 0 passes as it arrives', 2, 'a0 b1 c0 |0 d1', 'a0, -, c0, |0 b1, d1, '],
  ['a choice that arrives first waits for index 0', 3, 'a2 |2 b0 c1 |0 |1', '-, -, b0, -, |0 c1, |1 a2 |2, '],
  ['the next choice passes when it arrives', 2, 'a0 |0 b1 c1', 'a0, |0, b1, c1, '],
  ['a choice that is missing is waited for', 3, 'a0 |0 b2 |2', 'a0, |0, -, -, b2 |2'],
  ['text that follows the end of an earlier choice comes last', 2, 'a0 |0 b1 c0 d1 |1', 'a0, |0, b1, -, d1, |1, c0'],
  ['more choices than requested', 1, 'a0 b1 |0 c1', 'a0, -, |0 b1, c1, '],
])('%s', (_title, count, arriving, shown) => {
  expect(shownAfterEach(count, arriving)).toBe(shown)
})

test('the time for many choices grows with their number only', async () => {
  const queueing = (count: number) => () => {
    const queue = new ChoiceQueue(count)
    const indexes = Array.from({ length: count }, (_, index) => index)
    queue.push(indexes.map((index) => ({ type: 'text', index, text: 'a' })))
    expect(queue.push(indexes.map((index) => ({ type: 'end', index, reason: 'stop' })))).toHaveLength(2 * count - 1)
  }
  await expectLinear(queueing(2000), queueing(2000 * growthFactor))
})
