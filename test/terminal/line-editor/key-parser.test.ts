/** Keys, text and pastes from the bytes of terminals of all kinds. */

import { describe, expect, test } from 'vitest'
import { KeyParser } from '../../../src/terminal/line-editor/key-parser.ts'
import type { KeyboardInput } from '../../../src/terminal/line-editor/key-sequences.ts'

/** @param reads What each read of the terminal brings; `undefined` when the time is up. */
function inputs(...reads: (string | undefined)[]): KeyboardInput[] {
  const parser = new KeyParser()
  return reads.flatMap((read) => (read === undefined ? parser.timeUp() : parser.feed(Buffer.from(read))))
}

const key = (name: string): KeyboardInput => ({ kind: 'key', name })
const text = (typed: string): KeyboardInput => ({ kind: 'text', text: typed })
const paste = (pasted: string): KeyboardInput => ({ kind: 'paste', text: pasted })

test.each<[bytes: string, name: string]>([
  ['\u0003', 'ctrl-c'],
  ['\n', 'ctrl-j'],
  ['\b', 'backspace'],
  ['\u001f', 'ctrl-_'],
  ['\u001bB', 'alt-b'],
  ['\u001b\n', 'alt-return'],
  // xterm
  ['\u001b[A', 'up'],
  ['\u001b[Z', 'shift-tab'],
  ['\u001b[1;7C', 'ctrl-alt-right'],
  ['\u001b[1;9C', 'alt-right'],
  ['\u001bOF', 'end'],
  ['\u001b[5~', 'pageup'],
  // VT220, rxvt and PuTTY
  ['\u001b[1~', 'home'],
  ['\u001b[b', 'shift-down'],
  ['\u001bOd', 'ctrl-left'],
  ['\u001b[3^', 'ctrl-delete'],
  ['\u001b\u001b[A', 'alt-up'],
  ['\u001b\u001b[3^', 'ctrl-alt-delete'],
  // with the kitty protocol
  ['\u001b[27u', 'escape'],
  // with Caps Lock and Num Lock
  ['\u001b[99;197u', 'ctrl-c'],
  ['\u001b[99;5:1u', 'ctrl-c'],
  ['\u001b[99:67;6u', 'ctrl-shift-c'],
  ['\u001b[1089::99;5u', 'ctrl-c'],
  ['\u001b[98:66;4u', 'alt-b'],
  ['\u001b[45:95;6u', 'ctrl-_'],
  ['\u001b[57419;5u', 'ctrl-up'],
  ['\u001b[3;5:2~', 'ctrl-delete'],
  // with modifyOtherKeys
  ['\u001b[27;2;13~', 'shift-return'],
  ['\u001b[27;6;67~', 'ctrl-shift-c'],
  ['\u001b[27;6;95~', 'ctrl-_'],
])('%j is %s', (bytes, name) => {
  expect(inputs(bytes)).toEqual([key(name)])
})

test.each<[bytes: string, typed: string]>([
  ['\u001b[97;2u', 'A'],
  ['\u001b[49:33;2u', '!'],
])('%j types %s', (bytes, typed) => {
  expect(inputs(bytes)).toEqual([text(typed)])
})

test('text of one read is one input', () => {
  expect(inputs('one 日本 👍🏽\ttwo')).toEqual([text('one 日本 👍🏽'), key('tab'), text('two')])
})

test.each([
  ['a key with Super', '\u001b[99;9u'],
  ['keys without text', '\u001b[57358u\u001b[57441;2u\u001b[57428u'],
  ['a code that is no character', '\u001b[55296u\u001b[1114112u\u001b[99999999999999999999u\u001b[133u\u001b[u'],
  ['the mouse', '\u001b[<0;10;20M\u001b[<0;10;20m\u001b[32;10;20M'],
  ['function keys', '\u001bOP\u001b[24;5~\u001b[15~\u001b[[A\u001b[[E\u001b[1;2R'],
  ['the focus', '\u001b[I\u001b[O'],
  ['a color', '\u001b]11;rgb:ffff/ffff/ffff\u0007\u001b]10;rgb:0000/0000/0000\u001b\\'],
  ['the clipboard', `\u001b]52;c;${'QUJD'.repeat(2000)}\u001b\\`],
  ['attributes', '\u001b[?62;22c\u001b[>41;390;0c\u001b[=0c\u001b[?2026;2$y\u001b[4;1$y'],
  ['unknown sequences', '\u001b[99~\u001b[1;2;3;4x\u001b[>1;2v\u001b[ q\u001b[!p\u001bOz\u001b[[Z'],
])('nothing is typed for: %s', (_what, bytes) => {
  expect(inputs(bytes)).toEqual([])
  expect(inputs(`a${bytes}b`)).toEqual([text('ab')])
  // Each byte in a read of its own.
  const parser = new KeyParser()
  expect(Array.from(Buffer.from(bytes), (byte) => parser.feed(Buffer.of(byte))).flat()).toEqual([])
  expect(parser.isWaiting).toBe(false)
})

describe('a reply that is torn for longer than Esc waits types nothing', () => {
  test.each(['\u001b]11;rgb:1e1e/1e1e/2e2e\u0007', '\u001b[?0u\u001b]11;rgb:0000/0000/0000\u0007', '\u001b[12;40R'])(
    '%j',
    (reply) => {
      for (let at = 1; at < reply.length; at++) {
        const typed = inputs('a', reply.slice(0, at), undefined, reply.slice(at), 'b').filter(
          (input) => input.kind !== 'key' || input.name !== 'escape',
        )
        expect([at, ...typed]).toEqual([at, text('a'), text('b')])
      }
    },
  )

  test('but the background is known', () => {
    const parser = new KeyParser()
    parser.feed('\u001b')
    parser.timeUp()
    parser.feed(']11;rgb:ffff/ffff/ffff\u0007')
    expect(parser.background).toBe('light')
  })

  test.each<[what: string, typed: string]>([
    ['a word in brackets', '[link]'],
    ['capitals', 'OK'],
  ])('%s after Esc is text', (_what, typed) => {
    expect(inputs('\u001b', undefined, typed)).toEqual([key('escape'), text(typed)])
  })
})

test('an arrow key that is torn so is one, a report of the focus none, and a letter after Alt-[ is typed', () => {
  expect(inputs('\u001b', undefined, '[A')).toEqual([key('escape'), key('up')])
  expect(inputs('\u001b[1;', undefined, '5C')).toEqual([key('ctrl-right')])
  expect(inputs('\u001b', undefined, '[O')).toEqual([key('escape')])
  expect(inputs('\u001b[', undefined, 'A')).toEqual([text('A')])
})

test('a paste is one, however its start is torn', () => {
  for (let at = 1; at < 6; at++) {
    const start = '\u001b[200~'
    const [last] = inputs(start.slice(0, at), undefined, `${start.slice(at)}one\rtwo\u001b[201~`).slice(-1)
    expect([at, last]).toEqual([at, paste('one\rtwo')])
  }
})

test('CR LF is one Enter, also in two reads', () => {
  expect(inputs('one\r', '\n', '\n')).toEqual([text('one'), key('return'), key('ctrl-j')])
})

test.each<[what: string, reads: (string | undefined)[], expected: KeyboardInput[]]>([
  ['with a line end', ['one\n\ttwo\r\n', undefined, 'x'], [paste('one\n\ttwo'), key('return'), text('x')]],
  ['and a key', ['one\rtwo\r', '\u0003'], [paste('one\rtwo'), key('return'), key('ctrl-c')]],
  [
    'with a color that is cut',
    ['one\rtwo\r\u001b[3', '1mred', undefined],
    [paste('one\rtwo'), paste('\r\u001b[31mred')],
  ],
  ['and a marked one', ['one\rtwo\r', '\u001b[200~x\u001b[201~'], [paste('one\rtwo'), key('return'), paste('x')]],
  ['no: a line and Enter', ['one\r'], [text('one'), key('return')]],
  ['no: Enter twice', ['a\r\r'], [text('a'), key('return'), key('return')]],
])('a paste without brackets: %s', (_what, reads, expected) => {
  expect(inputs(...reads)).toEqual(expected)
})

test('the reply to the question for the kitty protocol is known', () => {
  const parser = new KeyParser()
  parser.feed(Buffer.from('\u001b[27u\u001b[?62c\u001b[?2'))
  expect(parser.kittyFlags).toBeUndefined()
  parser.feed(Buffer.from('u'))
  expect(parser.kittyFlags).toBe(2)
})

describe('Esc', () => {
  test('waits for what may follow', () => {
    const parser = new KeyParser()
    expect(parser.feed(Buffer.from('a\u001b'))).toEqual([text('a')])
    expect(parser.isWaiting).toBe(true)
    expect(parser.timeUp()).toEqual([key('escape')])
    expect(parser.isWaiting).toBe(false)
    expect(parser.timeUp()).toEqual([])
  })

  test.each<[what: string, reads: (string | undefined)[], expected: KeyboardInput[]]>([
    ['and a letter later', ['\u001b', undefined, 'b'], [key('escape'), text('b')]],
    ['twice and a letter', ['\u001b\u001bb'], [key('escape'), key('alt-b')]],
    ['and a string', ['\u001b\u001b]0;x\u0007y'], [key('escape'), text('y')]],
  ])('%s', (_what, reads, expected) => {
    expect(inputs(...reads)).toEqual(expected)
  })
})

describe('a sequence that does not go on', () => {
  test.each(['\u001b[1;', '\u001bO', '\u001b]0;title', '\u001bP'])('%j is ended by time, or a key', (bytes) => {
    expect(inputs(bytes, undefined, 'text')).toEqual([text('text')])
    expect(inputs(`${bytes}\u0003text`)).toEqual([key('ctrl-c'), text('text')])
    expect(inputs(`${bytes}\u001b[Atext`)).toEqual([key('up'), text('text')])
  })

  test.each(['\u001b[1;', '\u001b]0;'])('%j does not take everything', (bytes) => {
    const all = inputs(bytes, ...Array<string>(12).fill('1'.repeat(10_000)), 'x')
    expect(all.at(-1)).toEqual(text('x'))
  })
})

describe('a paste', () => {
  const open = '\u001b[200~'
  const close = '\u001b[201~'

  test('is not ended by sequences and keys in it', () => {
    const pasted = 'one\r\u001b[A\u0003\u001b[200~\u001b[201\u001b'
    expect(inputs(`${open}${pasted}${close}x`)).toEqual([paste(pasted), text('x')])
  })

  test.each(['\u0003', '\u001b[1089::99;5u', '\u001b[27;5;99~'])('without an end is ended by %j', (ctrlC) => {
    expect(inputs(`${open}one\r`, ctrlC, 'x')).toEqual([paste('one\r'), text('x')])
    expect(inputs(`${open}one\r\u001b[20`, ctrlC, 'x\r')).toEqual([paste('one\r'), text('x'), key('return')])
  })
})

test('UTF-8 that is cut or wrong', () => {
  const parser = new KeyParser()
  expect(parser.feed(Buffer.of(0xf0, 0x9f))).toEqual([])
  expect(parser.isWaiting).toBe(false)
  expect(parser.feed(Buffer.of(0x91, 0x8d, 0xff, 0x61))).toEqual([text('👍\ufffda')])
})
