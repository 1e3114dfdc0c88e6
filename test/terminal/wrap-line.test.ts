import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wrapLine } from '../../src/terminal/wrap-line.ts'

test.each<[line: string, lines: string[]]>([
  ['one two three four', ['one two', 'three four']],
  ['', []],
  ['averyveryverylongword and more', ['averyveryverylongword', 'and more']],
  ['run "a b c" now', ['run "a b c"', 'now']],
  ['please run "a b c d"', ['please run', '"a b c d"']],
  ['please do (`syn -h x`).', ['please do', '(`syn -h x`).']],
  ["see 'man syn chat', ok", ['see', "'man syn chat',", 'ok']],
  ['--to="a b" c', ['--to="a b"', 'c']],
  ["it's a user's own word", ["it's a", "user's own", 'word']],
  ["the users' and 'a b' too", ["the users'", "and 'a b'", 'too']],
  ['5" and 6" of the pipe', ['5" and 6" of', 'the pipe']],
  ['open "quote never ends', ['open "quote', 'never ends']],
])('%j', (line, lines) => {
  expect(wrapLine(line, line.startsWith('--') ? 11 : line.startsWith('see') ? 14 : 12)).toEqual(lines)
})

test('all words are there in their order, and only words that are too wide stand out', () => {
  const words = fc.array(fc.stringMatching(/^[a-z"'`]{1,12}$/), { maxLength: 20 })
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 40 }), (list, columns) => {
      const lines = wrapLine(list.join(' '), columns)
      expect(lines.join(' ')).toBe(list.join(' '))
      for (const line of lines.filter((one) => one.length > columns)) expect(wrapLine(line, columns)).toEqual([line])
    }),
  )
})
