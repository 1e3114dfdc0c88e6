/** Services that are silent for too long. What counts as data is in `test/api/timeouts.test.ts`. */

import { goodBody, type Operation } from '../operations.ts'
import type { Axis, Expected, Fault } from '../cases.ts'
import { stall, type Step } from '../wire.ts'

const hint = 'use --timeout SECONDS to wait longer'
const silent: Expected = { exit: 6, words: ': no data for 4 s', hint }
const stalled: Expected = { exit: 7, words: ': no data for 4 s', hint, kept: 'the text received' }

const argv = ['--timeout', '4']

function body(make: (parts: Operation['parts']) => readonly Step[]): Fault {
  return { argv, answer: ({ parts }) => ({ body: make(parts) }), silence: 4000 }
}

export const time: Axis = {
  title: 'Time',
  dependsOn: 'group',
  cases: [
    {
      name: 'silence before the headers',
      fault: { argv, answer: () => [stall], silence: 4000 },
      outcomes: { all: silent },
    },
    {
      name: 'silence after the headers',
      fault: body(() => [stall]),
      outcomes: { all: silent },
    },
    {
      name: 'silence before any text',
      fault: body(({ start }) => [start, stall]),
      outcomes: { streams: silent },
    },
    {
      name: 'silence after some text',
      fault: body(({ start, text }) => [start + text, stall]),
      outcomes: { streams: stalled },
    },
    {
      name: 'silence in the reply',
      fault: { argv, answer: (operation) => ({ body: [goodBody(operation).slice(0, -2), stall] }), silence: 4000 },
      outcomes: { wholes: silent, replies: silent },
    },
    {
      name: 'silence after the finish reason',
      fault: body(({ start, text, more, finish }) => [start + text + more + finish, stall]),
      outcomes: { streams: { exit: 0 } },
    },
  ],
}
