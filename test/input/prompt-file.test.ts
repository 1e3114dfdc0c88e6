import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitHead } from '../../src/fields/prompt-file.ts'
import { inputTemplate } from '../../src/input/template.ts'
import { samples } from '../helpers/samples.ts'

/** The fields as an object, the text, and the number of its first line. */
function parts(file: string): [head: Record<string, string>, text: string, line: number] {
  const { head, text, line } = splitHead(file, 'a.md')
  return [Object.fromEntries([...head].map(([name, { value }]) => [name, value])), text, line]
}

test.each<[file: string, head: Record<string, string>, text: string, line: number]>([
  ['', {}, '', 1],
  ['---\n---', {}, '', 2],
  ['---\na: 1\nb:2\n\nc : x: y \n---\n\n \n  text\n', { a: '1', b: '2', c: 'x: y' }, '  text\n', 9],
  ['---\r\na: {"b": 1}\r\n---\r\n\r\nx\r\ny', { a: '{"b": 1}' }, 'x\ny', 5],
  ['--- \na:\n---\t\ntext\n---\nb: 1\n---', { a: '' }, 'text\n---\nb: 1\n---', 4],
])('a file is a head and a text: %j', (file, head, text, line) => {
  expect(parts(file)).toEqual([head, text, line])
})

test.each([
  ['---\na: 1\n\na : 2\n---', 'a.md, line 4: "a" is set twice'],
  ['---\nsystem: |\n  Be brief\n---', 'a.md, line 3: "  Be brief" is not accepted; expected KEY: VALUE'],
])('%j is refused', (file, message) => {
  expect(() => splitHead(file, 'a.md')).toThrow(expect.objectContaining({ message, code: 2 }))
})

const value = fc.string({ unit: 'binary' }).filter((text) => !/[\n\r]/.test(text))

test('what was written is read, with any line ends', () => {
  const heads = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z_]{1,9}$/), value), { selector: ([name]) => name })
  const texts = fc.string({ unit: 'binary' }).filter((text) => /^\S/.test(text))
  fc.assert(
    fc.property(heads, texts, fc.constantFrom('\n', '\r\n'), (head, text, end) => {
      const lines = ['---', ...head.map(([name, one]) => `${name}: ${one}`), '---', text]
      const read = splitHead(lines.join(end), 'a.md')
      expect([...read.head].map(([name, one]) => [name, one.value])).toEqual(
        head.map(([name, one]) => [name, one.trim()]),
      )
      expect([read.text, read.line]).toEqual([text.replaceAll('\r\n', '\n'), head.length + 3])
    }),
    samples(),
  )
})

function filled(text: string, vars: readonly string[], input: string): string {
  return inputTemplate({ name: 'p', where: 'p.md', text, line: 5, head: new Map(), vars }).fill(
    input.trim() === '' ? undefined : input,
  )
}

test.each<[text: string, vars: string[], input: string, sent: string]>([
  ['Review.', [], 'diff', 'Review.\n\ndiff'],
  ['{{a b}}{{a b}}', ['a b=1', 'a b=x=y'], '', 'x=yx=y'],
])('%j with %j and %j', (text, vars, input, sent) => {
  expect(filled(text, vars, input)).toBe(sent)
})

test.each<[text: string, vars: string[], input: string, message: string, hint: unknown]>([
  ['{{focus}} {{.}}', [], 'diff', 'prompt p: no value for "focus"', { code: 'set variable', name: 'focus' }],
  ['{{.}}', [], ' ', 'prompt p: no value for "."', 'give words, or pipe in a text'],
  ['{{focus}}', ['focs=1'], '', 'p.md: the text has no {{focs}} (did you mean focus?)', undefined],
  ['{{a}}', ['=a'], '', '--var: "=a" is not accepted; expected NAME=VALUE', undefined],
])('%j with %j and %j is refused', (text, vars, input, message, hint) => {
  expect(() => filled(text, vars, input)).toThrow(expect.objectContaining({ message, hint, code: 2 }))
})
