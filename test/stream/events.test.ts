/** Parsing of server-sent events, however the network splits them. */

import { expect, test } from 'vitest'
import { EventParser } from '../../src/stream/events.ts'
import { ReplyBudget } from '../../src/stream/reply-budget.ts'

function dataOf(...reads: (string | Uint8Array)[]): string[] {
  const data: string[] = []
  const parser = new EventParser((event) => data.push(event.data), new ReplyBudget())
  for (const read of reads) parser.push(Buffer.from(read))
  parser.end()
  return data
}

test.each([
  ['no space after the colon', ['data:a\n\n'], ['a']],
  ['a line feed ends a line', ['data: a\n\ndata: b\n\n'], ['a', 'b']],
  ['both, cut apart', ['data: a\r', '\n\r', '\ndata: b\r', '\n\r\n'], ['a', 'b']],
  ['several lines are one event', ['data: a\ndata: b\ndata:\n\n'], ['a\nb\n']],
  ['comments are nothing', [': hi\n\n:\n\ndata: a\n: between\ndata: b\n\n'], ['a\nb']],
  ['a byte order mark, cut', [Buffer.of(0xef), Buffer.of(0xbb), Buffer.from('\xbfdata: a\n\n', 'latin1')], ['a']],
  ['a last event without any line end', ['data: a\n\ndata: b'], ['a', 'b']],
  ['other fields are nothing', ['retry: x\nid: 1\nfoo: bar\nfoo\ndata: a\n\n'], ['a']],
  ['a name of one event is not that of the next', ['event: x\n\ndata: a\n\n'], ['a']],
])('%s', (_what, reads, expected) => {
  expect(dataOf(...reads)).toEqual(expected)
})

test('events arrive with the read that ends them', () => {
  let data: string[] = []
  const parser = new EventParser((event) => data.push(event.data), new ReplyBudget())
  const arrivals = ['data: a\n\ndata: b\n\nda', 'ta: c\n', '\n'].map((text) => {
    data = []
    parser.push(Buffer.from(text))
    return data
  })
  expect(arrivals).toEqual([['a', 'b'], [], ['c']])
})

const mebibyte = 'x'.repeat(1024 * 1024)

test('a line of over 16 MiB is refused', () => {
  const reading = (): string[] => dataOf('data: ', ...Array.from({ length: 17 }, () => mebibyte), '\n\n')
  expect(reading).toThrow('an event larger than the limit of 16 MiB')
})
