/** Interleaved choices are shown one after the other. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ChoiceQueue } from '../../src/answer/choice-queue.ts'
import type { Delta } from '../../src/stream/delta.ts'

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

test('nothing is lost, each choice stays in order, and no two are interleaved', () => {
  fc.assert(
    fc.property(mixed, fc.integer({ min: 1, max: 4 }), (pieces, size) => {
      const queue = new ChoiceQueue()
      const shown: Delta[] = []
      for (let at = 0; at < pieces.length; at += size) shown.push(...queue.push(pieces.slice(at, at + size)))
      shown.push(...queue.rest())
      const order = (shown as Piece[]).map(({ index }) => index)
      const runs = order.filter((index, position) => index !== order[position - 1])
      expect(new Set(runs).size).toBe(runs.length)
      for (const index of runs) {
        const own = pieces.filter((piece) => piece.index === index)
        expect((shown as Piece[]).filter((piece) => piece.index === index)).toEqual(own)
      }
      expect(shown).toHaveLength(pieces.length)
    }),
  )
})

test('the first choice to arrive is shown at once, without waiting for its end', () => {
  const queue = new ChoiceQueue()
  const first: Delta = { type: 'text', index: 1, text: 'a' }
  expect(queue.push([first])).toEqual([first])
  expect(queue.push([{ type: 'text', index: 0, text: 'b' }])).toEqual([])
})

test('the time for many choices grows with their number only', () => {
  const count = 60_000
  const queue = new ChoiceQueue()
  const indexes = Array.from({ length: count }, (_, index) => index)
  queue.push(indexes.map((index) => ({ type: 'text', index, text: 'a' })))
  const start = performance.now()
  expect(queue.push(indexes.map((index) => ({ type: 'end', index, reason: 'stop' })))).toHaveLength(2 * count - 1)
  // Sorting all choices each time one ends took minutes.
  expect(performance.now() - start).toBeLessThan(5000)
})
