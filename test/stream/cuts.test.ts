/** However the network cuts a reply into reads, and whatever line ends it has, the answer is the same. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fixture, streamNames } from '../helpers/fixtures.ts'
import { folded, readChat, told, type Reading } from '../helpers/reading.ts'

const replies: [name: string, contentType: string][] = [
  ...streamNames().map((name): [string, string] => [name, 'text/event-stream']),
  ['plain', ''],
  ['byte-order-mark', 'application/json'],
  ['whole.json', 'application/json'],
  ['whole.json', 'text/event-stream'],
  ['page.html', 'text/event-stream'],
]

test.each(replies)('%s as %j', async (name, contentType) => {
  const bytes = fixture(name)
  const uncut = await readChat([bytes], contentType)
  const property = fc.asyncProperty(fc.array(fc.nat({ max: bytes.length }), { maxLength: 20 }), async (places) => {
    expectSame(await readChat(cut(bytes, places), contentType), uncut)
  })
  await fc.assert(property, { numRuns: 15 })
  expectSame(await readChat(cut(bytes, [...bytes.keys()]), contentType), uncut)
})

test.each(streamNames())('%s with other line ends', async (name) => {
  const bytes = fixture(name)
  const uncut = await readChat([bytes])
  for (const end of ['\r', '\r\n']) {
    const other = Buffer.from(bytes.toString().replaceAll('\n', end))
    expectSame(await readChat([other]), uncut)
    expectSame(await readChat(cut(other, [...other.keys()])), uncut)
  }
})

function expectSame(reading: Reading, expected: Reading): void {
  expect(told(reading)).toEqual(told(expected))
  expect(folded(reading)).toEqual(folded(expected))
}

function cut(bytes: Buffer, places: number[]): Uint8Array[] {
  const edges = [0, ...places.toSorted((a, b) => a - b), bytes.length]
  return edges.slice(1).map((edge, at) => bytes.subarray(edges[at], edge))
}
