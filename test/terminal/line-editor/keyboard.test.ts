/** Keys, text and pastes from the bytes of a terminal. */

import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listenToKeys, type KeyboardInput } from '../../../src/terminal/line-editor/keyboard.ts'

/** @param reads What each read of the terminal brings. */
function inputs(reads: (string | Uint8Array)[]): KeyboardInput[] {
  const stream = new PassThrough()
  const received: KeyboardInput[] = []
  const stop = listenToKeys(stream, (input) => received.push(input))
  for (const bytes of reads) stream.emit('data', Buffer.from(bytes))
  stop()
  return received
}

test.each<[bytes: string, name: string]>([
  ['\u0001', 'ctrl-a'],
  ['\r', 'return'],
  ['\n', 'ctrl-j'],
  ['\u001b\r', 'alt-return'],
  ['\u001b[13;2u', 'shift-return'],
  ['\t', 'tab'],
  ['\u007f', 'backspace'],
  ['\b', 'backspace'],
  ['\u001b\u007f', 'alt-backspace'],
  ['\u001f', 'ctrl-_'],
  ['\u001b<', 'alt-<'],
  ['\u001bb', 'alt-b'],
  ['\u001bB', 'alt-b'],
  ['\u001b[D', 'left'],
  ['\u001bOD', 'left'],
  ['\u001b[1;5D', 'ctrl-left'],
  ['\u001b[1;3D', 'alt-left'],
  ['\u001b[3~', 'delete'],
  ['\u001b[Z', 'shift-tab'],
])('%j is %s', (bytes, name) => {
  expect(inputs([bytes])).toEqual([{ kind: 'key', name }])
})

test.each(['a', 'A', ' ', '7', '<', 'é', '日', '👍'])('%s is text', (text) => {
  expect(inputs([text])).toEqual([{ kind: 'text', text }])
})

test('unknown sequences are ignored', () => {
  expect(inputs(['\u001b[I', '\u001b[99~'])).toEqual([])
})

test('a paste is one input, however it is split', () => {
  const text = 'one\rtwo\t日本\u001b[31m\u0003\u0004 \u001b\u001b[A end\r'
  const bytes = Buffer.from(`x\u001b[200~${text}\u001b[201~y`)
  const expected = [
    { kind: 'text', text: 'x' },
    { kind: 'paste', text },
    { kind: 'text', text: 'y' },
  ]
  fc.assert(
    fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 10 }), (places) => {
      const edges = [0, ...places.toSorted((a, b) => a - b), bytes.length]
      const reads = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge))
      expect(inputs(reads)).toEqual(expected)
    }),
  )
})
