/** Masking of a key that is split across deltas. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secrets } from '../../src/io/secrets/secrets.ts'
import type { Delta } from '../../src/stream/delta.ts'
import { DeltaMask } from '../../src/stream/delta-mask.ts'
import { samples } from '../helpers/samples.ts'

const key = 'sk-sks-0123'

function masked(deltas: Delta[]): Delta[] {
  const secrets = new Secrets()
  secrets.add(key)
  const mask = new DeltaMask(secrets)
  return [...deltas.flatMap((delta) => mask.take([delta])), ...mask.flush()]
}

function text(piece: string, index = 0): Delta {
  return { type: 'text', index, text: piece }
}

function joinedText(deltas: readonly Delta[]): string {
  return deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('')
}

test('is masked however the text is split, and nothing else', () => {
  const piece = fc.oneof(fc.constantFrom(key, 's', 'sk-', 'sk-sks-', '0123', 'x'), fc.string())
  fc.assert(
    fc.property(fc.array(piece), fc.infiniteStream(fc.integer({ min: 1, max: 5 })), (pieces, lengths) => {
      const whole = pieces.join('')
      const cuts: Delta[] = []
      for (let at = 0; at < whole.length;) {
        const length = lengths.next().value ?? 1
        cuts.push(text(whole.slice(at, at + length)))
        at += length
      }
      expect(joinedText(masked(cuts))).toBe(whole.replaceAll(key, '[key]').replace(/sk-sks-0(12?)?$/, '[key]'))
    }),
    samples(),
  )
})

test('a long start of a key is held back until its kind continues or its choice ends, whatever comes between', () => {
  const reasoning: Delta = { type: 'reasoning', index: 0, text: 'plan' }
  const end: Delta = { type: 'end', index: 0, reason: 'stop' }
  expect(masked([text('is sk-sks-0'), reasoning, text('123!'), text('sk-sks-0'), reasoning, end])).toEqual([
    text('is '),
    reasoning,
    text('[key]!'),
    reasoning,
    text('[key]'),
    end,
  ])
})

test('of a short start that was released, the rest is masked', () => {
  const reasoning: Delta = { type: 'reasoning', index: 0, text: 'plan' }
  expect(masked([text('is sk-s'), reasoning, text('ks-0123!')])).toEqual([
    text('is '),
    text('sk-s'),
    reasoning,
    text('[key]!'),
  ])
})

test('the id and the name of a tool call are not held back', () => {
  const call = { type: 'tool', index: 0, call: 1 } as const
  expect(
    masked([
      { ...call, id: 'a', name: 'b', arguments: 'sk-' },
      { ...call, arguments: 'x' },
    ]),
  ).toEqual([
    { ...call, id: 'a', name: 'b', arguments: '' },
    { ...call, arguments: 'sk-x' },
  ])
})

test('text held back is released before the next kind of text, and at the end', () => {
  const reasoning: Delta = { type: 'reasoning', index: 0, text: 'plans' }
  const end: Delta = { type: 'end', index: 0, reason: 'stop' }
  expect(masked([reasoning, text('yes'), end])).toEqual([
    { ...reasoning, text: 'plan' },
    { ...reasoning, text: 's' },
    text('ye'),
    text('s'),
    end,
  ])
})

test('choices are independent', () => {
  expect(masked([text('sk-', 0), text('sks-0123', 1), text('sks-0123', 0)])).toEqual([
    text('sks-0123', 1),
    text('[key]', 0),
  ])
})
