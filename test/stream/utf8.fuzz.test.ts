/** Bytes become the same text as in a TextDecoder, however they are cut: also invalid ones, and byte order marks. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventParser } from '../../src/stream/events.ts'
import { ReplyBudget } from '../../src/stream/reply-budget.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { samples } from '../helpers/samples.ts'

const mark = Buffer.from('\ufeff')

/** Parts of characters of two to four bytes, bytes that are never part of one, and those that only seem to start one. */
const oddBytes = fc.constantFrom(0x80, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xe0, 0xe2, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff)

const content = fc
  .array(
    fc.oneof(
      fc.string({ unit: anyCharacter }).map((text) => Buffer.from(text)),
      fc.array(oddBytes, { maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
      fc.constant(mark),
    ),
    { maxLength: 8 },
  )
  .map((parts) => Buffer.concat(parts).filter((byte) => byte !== 0x0a && byte !== 0x0d))

/** A slice of a long read ends somewhere in the content then. */
const padding = fc.oneof(fc.constant(0), fc.integer({ min: 4050, max: 4100 }))

test('any bytes, cut anywhere', () => {
  const reply = fc.record({
    marks: fc.nat({ max: 2 }),
    length: padding,
    content,
    end: fc.constantFrom('\n\n', ''),
    places: fc.array(fc.nat(), { maxLength: 12 }),
  })
  const property = fc.property(reply, ({ marks, length, content, end, places }) => {
    const start = [...Array.from({ length: marks }, () => mark), Buffer.from(`data: ${'x'.repeat(length)}`)]
    const bytes = Buffer.concat([...start, content, Buffer.from(end)])
    const text = new TextDecoder().decode(bytes)
    const expected = text.startsWith('data: ') ? [text.slice('data: '.length, text.length - end.length)] : []
    for (const cuts of [places, bytes.length < 1000 ? [...bytes.keys()] : []]) {
      expect(dataOf(bytes, cuts)).toEqual(expected)
    }
  })
  fc.assert(property, samples(50))
})

/** @param places Where the bytes are cut, modulo their length. */
function dataOf(bytes: Buffer, places: readonly number[]): string[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  const data: string[] = []
  const parser = new EventParser((event) => data.push(event.data), new ReplyBudget())
  for (const [at, edge] of edges.slice(1).entries()) parser.push(bytes.subarray(edges[at], edge))
  parser.end()
  return data
}
