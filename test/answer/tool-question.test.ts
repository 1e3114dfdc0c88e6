/** A call is asked about again if the terminal was smaller meanwhile. */

import { EventEmitter } from 'node:events'
import type { WriteStream } from 'node:tty'
import { expect, test } from 'vitest'
import { Meter } from '../../src/answer/meter.ts'
import { askAboutCall } from '../../src/answer/tool-question.ts'
import { terminalSink } from '../../src/io/io.ts'
import { safe } from '../../src/io/text/safe-text.ts'
import { Answer } from '../../src/stream/answer.ts'

test.each([
  ['smaller', 8, ['a', 'n'], 'n'],
  ['larger', 40, ['a'], 'a'],
])('%s, and then as before', async (_size, rows, keys, answer) => {
  const window = Object.assign(new EventEmitter(), { columns: 80, rows: 24 }) as unknown as WriteStream
  const sink = terminalSink(() => Promise.resolve(), { columns: () => window.columns, window, stream: undefined })
  const left = [...keys]
  const askKey = async (): Promise<string | undefined> => {
    for (window.rows of [rows, 24]) window.emit('resize')
    return left.shift()
  }
  const user = { scope: 'run', sink, askKey, notify: () => Promise.resolve() } as const
  const asked = askAboutCall({ label: 'sh' }, safe`{"command":"ls"}`, user, new AbortController().signal)
  expect([await asked, left, window.listenerCount('resize')]).toEqual([answer, [], 0])
})

test('the wait for a key is no time of the answer, nor of those that follow it', () => {
  let now = 0
  const meter = new Meter('hf:a/b', new Answer(), () => now)
  now = 5000
  meter.skip(4000)
  expect([meter, new Meter('hf:a/b', new Answer(), () => now, meter)].map(({ elapsed }) => elapsed)).toEqual([
    1000, 1000,
  ])
})
