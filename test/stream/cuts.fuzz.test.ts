/** The answer does not depend on how the network splits a reply into reads, or on its line ends. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fixture, streamNames, type Family } from '../helpers/fixtures.ts'
import { readReply, summarize, type Reading } from '../helpers/reading.ts'
import { samples, share } from '../helpers/samples.ts'

const streams = (['chat', 'completions', 'messages'] as const).flatMap((dialect) =>
  streamNames(dialect).map((name): [dialect: Family, name: string] => [dialect, name]),
)

const replies: [dialect: Family, name: string, contentType: string][] = [
  ...streams.map(([dialect, name]): [Family, string, string] => [dialect, name, 'text/event-stream']),
  ['chat', 'plain', ''],
  ['chat', 'whole.json', 'text/event-stream'],
  ['chat', 'page.html', 'text/event-stream'],
]

test.each(replies)('%s: %s as %j', async (dialect, name, contentType) => {
  const bytes = fixture(name, dialect)
  const uncut = await readReply(dialect, [bytes], contentType)
  const property = fc.asyncProperty(fc.array(fc.nat({ max: bytes.length }), { maxLength: 20 }), async (places) => {
    expectSame(await readReply(dialect, cut(bytes, places), contentType), uncut)
  })
  await fc.assert(property, samples(2))
  expectSame(await readReply(dialect, cut(bytes, [...bytes.keys()]), contentType), uncut)
})

test.each(share(streams, 0, 4))('%s: %s with other line ends', async (dialect, name) => {
  const bytes = fixture(name, dialect)
  const uncut = await readReply(dialect, [bytes])
  const [alone, both] = ['\r', '\r\n'].map((end) => Buffer.from(bytes.toString().replaceAll(/\r?\n/g, end))) as [
    Buffer,
    Buffer,
  ]
  expectSame(await readReply(dialect, [alone]), uncut)
  // That a read ends between the two makes a difference.
  expectSame(await readReply(dialect, cut(both, [...both.keys()])), uncut)
})

function expectSame(reading: Reading, expected: Reading): void {
  expect(summarize(reading)).toEqual(summarize(expected))
  expect(reading.kept?.build()).toEqual(expected.kept?.build())
}

function cut(bytes: Buffer, places: number[]): Uint8Array[] {
  const edges = [0, ...places.toSorted((a, b) => a - b), bytes.length]
  return edges.slice(1).map((edge, at) => bytes.subarray(edges[at], edge))
}
