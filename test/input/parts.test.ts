/** The parts of a text that a search by meaning ranks. */

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitParts } from '../../src/input/parts.ts'
import { expectLinear, growthFactor } from '../helpers/growth.ts'
import { samples } from '../helpers/samples.ts'

type Kind = Parameters<typeof splitParts>[1]

const kinds: readonly Kind[] = ['paragraph', 'line', 'file']
const longest = 1500

/** `1: text`, with its lines separated by slashes. */
const shown = (text: string, by: Kind = 'paragraph'): string[] =>
  [...splitParts(text, by)].map((part) => `${part.line}: ${part.text.replaceAll('\n', '/')}`)

const [words, word] = ['word '.repeat(200).trim(), 'x'.repeat(400)]

test.each<[title: string, text: string, ...parts: string[]]>([
  ['blank', ' \n\t\n\n'],
  ['paragraphs', 'a\nb\n\nc\n \t\n\f\nd\n', '1: a/b', '4: c', '7: d'],
  ['line ends of Windows', 'a\r\nb\r\n\r\nc\r\n', '1: a/b', '4: c'],
  ['a progress bar', '1%\r2%\n\nb', '1: 1%\r2%', '3: b'],
  ['a form feed begins a page', 'a\n\n\fb', '1: a', '3: b'],
  ['headings', 'x\n\n# A\n## B\n\n\n### C\n\nb', '1: x', '3: # A/## B///### C//b'],
  ['underlined headings', 'A\n===\n\nb\n\nC\n---\n\nd', '1: A/===//b', '6: C/---//d'],
  ['a heading at the end', 'b\n\n# A\n', '1: b', '3: # A'],
  ['no headings', '#a\n\n#!/bin/sh\n\na\n--\n\nb', '1: #a', '3: #!/bin/sh', '5: a/--', '8: b'],
  ['a heading far away', `# A${'\n'.repeat(400)}b`, '1: # A', '401: b'],
])('%s', (_title, text, ...parts) => {
  expect(shown(text)).toEqual(parts)
})

test.each<[title: string, text: string, ...parts: [line: number, length: number][]]>([
  ['after a line', `${words}\n${word}\n${words}\n`, [1, words.length + 401], [3, words.length]],
  ['in a line after a word', `${words} ${words}\nend`, [1, 1499], [1, 503]],
  ['not after its heading', `# A\n\n${words} ${words}`, [1, 1499], [3, 504]],
  ['at a blank only if it is far', `short ${'x'.repeat(1600)}`, [1, 1500], [1, 106]],
])('a long paragraph is cut %s', (_title, text, ...parts) => {
  expect([...splitParts(text, 'paragraph')].map((part) => [part.line, part.text.length])).toEqual(parts)
})

test('lines and files', () => {
  const text = '\n a \n\n---\nb\tc\r\n'
  expect(shown(text, 'line')).toEqual(['2: a', '4: ---', '5: b\tc'])
  expect(shown(text, 'file')).toEqual(['2: a //---/b\tc'])
  expect(shown('x'.repeat(5000), 'line')).toEqual([`1: ${'x'.repeat(5000)}`])
  for (const by of kinds) expect(shown('\n \n', by)).toEqual([])
})

/** What holds of the parts of any text. */
function check(text: string): void {
  const lines = text.split(text.slice(0, 65_536).includes('\n') ? /\r?\n/ : /\r\n?|\n/)
  const normal = lines.join('\n')
  for (const by of kinds) {
    const parts = [...splitParts(text, by)]
    let [at, left] = [0, '']
    for (const part of parts) {
      // All of it follows on the part before, and is in its line.
      const start = normal.indexOf(part.text, at)
      expect(start).toBeGreaterThanOrEqual(at)
      left += normal.slice(at, start)
      at = start + part.text.length
      expect(part.text).toBe(part.text.trim())
      expect(lines[part.line - 1]).toContain(part.text.split('\n')[0])
    }
    left += normal.slice(at)
    expect(left).not.toMatch(by === 'paragraph' ? /[\p{L}\p{N}]/u : /\S/)
    if (by === 'paragraph') expect(Math.max(0, ...parts.map((part) => part.text.length))).toBeLessThanOrEqual(longest)
    if (by === 'line') expect(parts.map((part) => part.line)).toEqual([...new Set(parts.map((part) => part.line))])
    if (by === 'file') expect(parts.length).toBeLessThanOrEqual(1)
    if (!text.includes('\r')) expect([...splitParts(text.replaceAll('\n', '\r\n'), by)]).toEqual(parts)
  }
}

const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('\n', '\n\n', ' ', '# ', '\n---\n', '\n===\n', '\r\n', '\r', '\f', '}', '\t'),
  },
  { weight: 4, arbitrary: fc.lorem() },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  fc.nat(3000).map((length) => 'x'.repeat(length)),
  fc.nat(900).map((length) => '😀'.repeat(length)),
  fc.nat(400).map((length) => 'some words\n'.repeat(length)),
  fc.nat(400).map((length) => ' \n'.repeat(length)),
)

test('any text: nothing is lost, and each part begins in its line', () => {
  const texts = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
  fc.assert(fc.property(texts, check), samples(200))
})

describe('texts of other people', () => {
  const folder = new URL('../../node_modules/', import.meta.url)
  test.each(['highlight.js/CHANGES.md', 'commonmark-spec/spec.txt', 'highlight.js/styles/github.min.css'])(
    '%s',
    (name) => {
      const text = readFileSync(new URL(name, folder), 'utf8')
      check(text)
      const parts = [...splitParts(text, 'paragraph')]
      expect(parts.length).toBeGreaterThan(0)
      // A paragraph is no word or two, on the whole.
      expect(text.length / parts.length).toBeGreaterThan(60)
      expect(parts.filter((part) => /^#+ .*$/.test(part.text)).length).toBeLessThanOrEqual(1)
    },
  )
})

test.each<[title: string, repeated: string]>([
  ['one line', 'word '],
  ['blank lines', '\n'],
  ['carriage returns', 'a\r'],
  ['a heading and blank lines', `# a${'\n'.repeat(290)}`],
])('takes linear time for %s', async (_title, repeated) => {
  const read = (size: number) => (): void => {
    for (const by of kinds)
      expect([...splitParts(`a ${repeated.repeat(size / repeated.length)} b`, by)].length).toBeGreaterThan(0)
  }
  await expectLinear(read(10_000), read(10_000 * growthFactor))
})
