import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wrapLine } from '../../src/terminal/wrap-line.ts'
import { samples } from '../helpers/samples.ts'

test.each<[line: string, lines: string[]]>([
  ['one two three four', ['one two', 'three four']],
  ['averyveryverylongword and more', ['averyveryverylongword', 'and more']],
  ['please run "a b c d"', ['please run', '"a b c d"']],
  ['please do (`syn -h x`).', ['please do', '(`syn -h x`).']],
  ["the users' and 'a b' too", ["the users'", "and 'a b'", 'too']],
  ['syn: /var/folders/zz: no file', ['syn: /var/folders/zz:', 'no file']],
  ['syn: a second syn: /var/folders', ['syn: a', 'second syn:', '/var/folders']],
])('%j', (line, lines) => {
  expect(wrapLine(line, 12)).toEqual(lines)
})

test('all words are there in their order, and only words that are too wide stand out', () => {
  const words = fc.array(fc.stringMatching(/^[a-z"'`]{1,12}$/), { maxLength: 20 })
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 40 }), (list, columns) => {
      const lines = wrapLine(list.join(' '), columns)
      expect(lines.join(' ')).toBe(list.join(' '))
      for (const line of lines.filter((one) => one.length > columns)) expect(wrapLine(line, columns)).toEqual([line])
    }),
    samples(),
  )
})

test.each(['syn', 'hint'])('the first word of a message follows %s: on its row, at every width and length', (label) => {
  const words = fc.array(fc.stringMatching(/^[a-z/:.]{1,60}$/), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 200 }), (list, columns) => {
      const [first = '', ...others] = wrapLine(`${label}: ${list.join(' ')}`, columns)
      expect(`${first} `.startsWith(`${label}: ${list[0]} `)).toBe(true)
      expect([first, ...others].join(' ')).toBe(`${label}: ${list.join(' ')}`)
    }),
    samples(),
  )
})
