import { expect, test } from 'vitest'
import { argument, display, literal, paragraphs, prose } from '../../man/macros.ts'

test.each([
  ['syn chat --n 2', 'syn chat \\-\\-n 2'],
  ["'quoted'", '\\(aqquoted\\(aq'],
  ['a "b" \\n ^ ~ `c`', 'a \\(dqb\\(dq \\en \\(ha \\(ti \\(gac\\(ga'],
])('to be typed: %s', (line, source) => {
  expect(literal(line)).toBe(source)
})

test.each([
  ['N', 'N'],
  ['URL', '\\&URL'],
  ['two words', '"two words"'],
])('argument: %s', (text, source) => {
  expect(argument(text)).toBe(source)
})

test.each([
  ['One. Two? Three.', 'One.\nTwo?\nThree.'],
  ['well-known flags (--dry-run, -n) or - alone', 'well-known flags \\%(\\-\\-dry\\-run, \\%\\-n) or \\%\\- alone'],
  ['.hidden \\ e.g. this', '\\&.hidden \\e e.g. this'],
])('prose: %s', (text, source) => {
  expect(prose(text)).toBe(source)
})

test('long sentences are wrapped, and no line starts like a request', () => {
  const lines = prose(`${'word '.repeat(14)}.dot ${'word '.repeat(20)}'quoted'`).split('\n')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
  expect(lines.filter((line) => /^[.']/.test(line))).toEqual([])
})

test('paragraphs, the indented ones unchanged', () => {
  expect(paragraphs('One\nline.\n\n  a -b\n    c\n\n  d\n\nTwo.')).toEqual([
    'One line.',
    ...display(['a -b', '  c', '', 'd']),
    '.Pp',
    'Two.',
  ])
})
