/** Services that are silent for too long, and those that are only slow. */

import { goodBody, type Operation } from '../operations.ts'
import type { Axis, Expected } from '../cases.ts'
import { stall, wire, type Step } from '../wire.ts'

const hint = 'use --timeout SECONDS to wait longer'
const silent: Expected = { exit: 6, words: ': no data for 4 s', hint }
const stalled: Expected = { exit: 7, words: ': no data for 4 s', hint, kept: 'the text received' }

// Far longer than a busy machine keeps an immediate reply or a piece of a slow one back, and shorter than the whole of that.
const argv = ['--timeout', '4']

function body(argv: readonly string[], make: (parts: Operation['parts']) => readonly Step[]) {
  return { argv, answer: ({ parts }: Operation) => ({ body: make(parts) }) }
}

/** A pause of this many milliseconds after each of its pieces. */
function drip(text: string, count: number): Step[] {
  const size = Math.ceil(text.length / count)
  return Array.from({ length: count }, (_, at) => text.slice(at * size, (at + 1) * size)).flatMap((piece) => [
    piece,
    { do: 'pause' },
  ])
}

export const time: Axis = {
  title: 'Time',
  dependsOn: 'group',
  cases: [
    {
      name: 'silence before the headers',
      fault: { argv, answer: () => [stall] },
      outcomes: { all: silent },
    },
    {
      name: 'silence after the headers',
      fault: body(argv, () => [stall]),
      outcomes: { all: silent },
    },
    {
      name: 'silence before any text',
      fault: body(argv, ({ start }) => [start, stall]),
      outcomes: { streams: silent },
    },
    {
      name: 'silence after some text',
      fault: body(argv, ({ start, text }) => [start + text, stall]),
      outcomes: { streams: stalled },
    },
    {
      name: 'silence in the reply',
      fault: { argv, answer: (operation) => ({ body: [goodBody(operation).slice(0, -2), stall] }) },
      outcomes: { wholes: silent, replies: silent },
    },
    {
      name: 'silence after the finish reason',
      fault: body(argv, ({ start, text, more, finish }) => [start + text + more + finish, stall]),
      outcomes: { streams: { exit: 0 } },
    },
    {
      name: 'a slow drip',
      fault: { argv, answer: (operation) => ({ body: drip(goodBody(operation), 45) }) },
      outcomes: { all: { exit: 0 } },
    },
    {
      name: 'slow headers',
      fault: {
        argv,
        answer: (operation) => {
          const [head, ...rest] = wire({ body: [goodBody(operation)] })
          return [...drip(head as string, 5), ...rest]
        },
      },
      outcomes: { all: { exit: 0 } },
    },
    {
      name: 'a pause with --timeout 0',
      fault: { argv: ['--timeout', '0'], answer: (operation) => ({ body: drip(goodBody(operation), 2) }) },
      outcomes: { all: { exit: 0 } },
    },
  ],
}
