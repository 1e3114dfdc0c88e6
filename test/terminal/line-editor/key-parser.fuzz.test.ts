/** However a terminal's bytes are cut into reads, they are the same keys, texts and pastes. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeyParser } from '../../../src/terminal/line-editor/key-parser.ts'
import type { KeyboardInput } from '../../../src/terminal/line-editor/key-sequences.ts'
import { anyCharacter } from '../../helpers/any-character.ts'
import { samples } from '../../helpers/samples.ts'

interface Piece {
  readonly bytes: string
  readonly inputs: readonly KeyboardInput[]
}

/** Text that is cut is several inputs. */
function joined(inputs: readonly KeyboardInput[]): KeyboardInput[] {
  const all: KeyboardInput[] = []
  for (const input of inputs) {
    const last = all.at(-1)
    if (input.kind === 'text' && last?.kind === 'text') all.splice(-1, 1, { ...last, text: last.text + input.text })
    else all.push(input)
  }
  return all
}

/** A line feed after a carriage return is no key. */
function withoutFeeds(inputs: readonly KeyboardInput[]): KeyboardInput[] {
  const isKey = (input: KeyboardInput | undefined, name: string): boolean =>
    input?.kind === 'key' && input.name === name
  let hasReturned = false
  return inputs.filter((input) => {
    const isFeed = hasReturned && isKey(input, 'ctrl-j')
    hasReturned = isKey(input, 'return')
    return !isFeed
  })
}

/** The bytes in several reads. */
const cut = (bytes: Uint8Array, places: readonly number[]): Uint8Array[] => {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge))
}
const places = fc.array(fc.nat({ max: 10_000 }), { maxLength: 20 })

const keys: Readonly<Record<string, string>> = {
  '\r': 'return',
  '\n': 'ctrl-j',
  '\u0003': 'ctrl-c',
  '\u007f': 'backspace',
  '\u001b[A': 'up',
  '\u001b\u001b[D': 'alt-left',
  '\u001b[1;5C': 'ctrl-right',
  '\u001b[3$': 'shift-delete',
  '\u001b\r': 'alt-return',
  '\u001b[1089::99;5u': 'ctrl-c',
}
const key = fc
  .constantFrom(...Object.entries(keys))
  .map(([bytes, name]): Piece => ({ bytes, inputs: [{ kind: 'key', name }] }))

const printable = fc
  .string({ unit: anyCharacter, minLength: 1 })
  .map((text) => text.replaceAll(/[\u0000-\u001f\u007f\ud800-\udfff]/g, 'x'))
const character = fc.constantFrom('a', 'é', '日', '👍', 'e\u0301', '~', 'M', 'O', ';', '1')
const typed = fc.oneof(character, printable).map((text): Piece => ({ bytes: text, inputs: [{ kind: 'text', text }] }))

const pasted = fc
  .array(fc.oneof(printable, fc.constantFrom('\r', '\u001b', '\u001b[', '\u001b[201', '\u001b[200~', '\u001b[A')))
  .map((texts) => texts.join(''))
  .filter((text) => !text.includes('\u001b[201~'))
const paste = pasted.map((text): Piece => ({
  bytes: `\u001b[200~${text}\u001b[201~`,
  inputs: [{ kind: 'paste', text }],
}))

const parameters = fc.stringMatching(/^[<-?]?[4-9]\d{3}[0-9:;]{0,8}$/)
const ends = fc.constantFrom('\u0007', '\u001b\\')
const silent = fc
  .oneof(
    fc
      .tuple(parameters, fc.stringMatching(/^[ !"%-/]{0,2}[f-ln-tv-z]$/))
      .map(([first, final]) => `\u001b[${first}${final}`),
    fc
      .tuple(fc.constantFrom(']', 'P', '_', '^', 'X'), printable, ends)
      .map(([start, text, end]) => `\u001b${start}${text.replaceAll('\u009c', '')}${end}`),
    fc.constantFrom('\u001b[<0;1;1M', '\u001b[?1u', '\u001b[?62;22c', '\u001b[[B', '\u001bOQ', '\u001b[201~'),
  )
  .map((bytes): Piece => ({ bytes, inputs: [] }))

/** A paste that begins with a marker itself, before Ctrl-C. */
const pasteMarkersInOneRead: [Piece[], number[]] = [
  [
    {
      bytes: '\u001b[200~\u001b[200~xx\r\u001b[\u001b[201~',
      inputs: [{ kind: 'paste', text: '\u001b[200~xx\r\u001b[' }],
    },
    { bytes: '\u0003', inputs: [{ kind: 'key', name: 'ctrl-c' }] },
  ],
  [2165],
]

test('any cut gives the same inputs, and unknown sequences give none', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(key, typed, paste, silent), { maxLength: 20 }), places, (pieces, places) => {
      const parser = new KeyParser()
      const reads = cut(Buffer.from(pieces.map(({ bytes }) => bytes).join('')), places)
      // A read that is Ctrl-C alone ends a paste.
      fc.pre(reads.every((read) => read.length !== 1 || read[0] !== 3))
      // A read of text with line ends may be a paste without brackets.
      fc.pre(reads.every((read) => !/[^\r\n][\r\n]+[^\r\n]/.test(Buffer.from(read).toString())))
      const inputs = reads.flatMap((read) => parser.feed(read))
      expect(joined(inputs)).toEqual(joined(withoutFeeds(pieces.flatMap(({ inputs }) => inputs))))
      expect(parser.isWaiting).toBe(false)
    }),
    { ...samples(250), examples: [pasteMarkersInOneRead] },
  )
})

test('random bytes and pauses do no harm', () => {
  const byte = fc.oneof(
    fc.nat({ max: 255 }),
    fc.constantFrom(...Array.from('\u001b\u001b\u001b[]OPMu~;:?0127', (one) => one.charCodeAt(0))),
  )
  const read = fc.oneof(fc.constant(undefined), fc.array(byte))
  fc.assert(
    fc.property(fc.array(read), (reads) => {
      const parser = new KeyParser()
      for (const bytes of reads) {
        const inputs = bytes === undefined ? parser.timeUp() : parser.feed(Uint8Array.from(bytes))
        for (const input of inputs) {
          if (input.kind === 'key') expect(input.name).toMatch(/^[^\u0000- \u007f]+$/)
          if (input.kind === 'text') expect(input.text).toMatch(/^[^\u0000-\u001f\u007f]+$/)
        }
        if (bytes === undefined) expect(parser.isWaiting).toBe(false)
      }
      parser.timeUp()
      // Bytes of a character that was cut come first.
      parser.feed(Buffer.from('|'))
      expect(parser.feed(Buffer.from('typed'))).toEqual([{ kind: 'text', text: 'typed' }])
    }),
    samples(250),
  )
})
