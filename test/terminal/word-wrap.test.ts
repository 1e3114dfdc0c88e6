/** Wraps text between words: a whole text, or one that arrives. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asSafeText, safe } from '../../src/io/text/safe-text.ts'
import { WordWrap, wrapTo } from '../../src/terminal/word-wrap.ts'
import { widthOf } from '../../src/terminal/width.ts'
import { samples } from '../helpers/samples.ts'

function shown(pieces: string[], columns: number): string {
  const words = new WordWrap({ columns: () => columns })
  return pieces.map((piece) => words.push(asSafeText(piece))).join('') + words.end()
}

test.each<[text: string, columns: number, shown: string]>([
  ['one two three', 9, 'one two\nthree'],
  ['  one\n\n  two three', 7, '  one\n\n  two\nthree'],
  ['an incomprehensible word', 9, 'an\nincomprehensible\nword'],
  ['한국어한국어 a', 5, '한국어한국어\na'],
  ['日本語日本語', 8, '日本語日\n本語'],
  ['ผมทำงานเป็นวิศวกร a', 9, 'ผมทำงาน\nเป็นวิศวกร\na'],
])('%j in %i columns', (text, columns, expected) => {
  expect(shown([text], columns)).toBe(expected)
})

test.each<[text: string, lines: string[]]>([
  ['one  two  three', ['one  two', 'three']],
  ['an incomprehensible\nword', ['an', 'incompreh', 'ensible', 'word']],
  ['see https://a.example/bc.', ['see', 'https://a.example/bc.']],
])('the whole text %j in 9 columns', (text, lines) => {
  expect(wrapTo(asSafeText(text), 9)).toEqual(lines)
})

test('a word is written when its end is known', () => {
  const words = new WordWrap({ columns: () => 40 })
  expect([words.push(safe`one tw`), words.push(safe`o`), words.push(safe` `), words.end()]).toEqual([
    'one',
    '',
    ' two',
    '',
  ])
})

test('the output does not depend on the pieces; no word is broken or lost', () => {
  const text = fc.array(fc.constantFrom('a', 'bc', 'défgh', '日', '👍🏽', ' ', '  ', '\n'), { maxLength: 40 })
  fc.assert(
    fc.property(text, fc.integer({ min: 8, max: 30 }), fc.nat({ max: 40 }), (parts, columns, at) => {
      const whole = parts.join('')
      const lines = shown([whole], columns).split('\n')
      expect(shown([parts.slice(0, at).join(''), parts.slice(at).join('')], columns).split('\n')).toEqual(lines)
      expect(lines.join('').replaceAll(/\s/g, '')).toBe(whole.replaceAll(/\s/g, ''))
      for (const word of whole.match(/[a-zé]{1,8}(?![a-zé])/g) ?? []) expect(lines.join('\n')).toContain(word)
      const broken = lines.filter((line) => widthOf(/^\S+/.exec(line)?.[0] ?? line) <= columns && /^\S/.test(line))
      for (const line of broken) expect(widthOf(line)).toBeLessThanOrEqual(columns)
    }),
    samples(),
  )
})
