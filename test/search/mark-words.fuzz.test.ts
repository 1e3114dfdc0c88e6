import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asSafeText, safe } from '../../src/io/text/safe-text.ts'
import { wordMarker } from '../../src/search/results.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { samples } from '../helpers/samples.ts'

function marked(query: string, text: string): string {
  return wordMarker(query, (word) => safe`<${word}>`)(asSafeText(text))
}

test.each<[query: string, text: string, expected: string]>([
  ['tower', 'The Tower, towers and a TOWER', 'The <Tower>, towers and a <TOWER>'],
  ['the tower', 'the tower other', '<the> <tower> other'],
  ['"how tall?"', 'How tall is tall?', '<How> <tall> is <tall>?'],
  ['C++', 'C++ and C, not C++x', '<C++> and C, not C++x'],
  ['a.c [x] $1 \\d ^ *', 'a.c abc x $1 d 5', '<a.c> abc <x> $<1> <d> 5'],
  ['don’t', 'I don’t', 'I <don’t>'],
  ['größe', 'GRÖSSE Größe größer', 'GRÖSSE <Größe> größer'],
  ['cafe', 'cafe cafe\u0301 café', '<cafe> cafe\u0301 café'],
  ['日本', '日本 日本語', '<日本> 日本語'],
  ['', 'nothing here', 'nothing here'],
])('%j in %j', (query, text, expected) => {
  expect(marked(query, text)).toBe(expected)
})

test('only marks are added, for any query', () => {
  const text = fc.string({ unit: anyCharacter })
  fc.assert(
    fc.property(text, text, (query, found) => {
      expect(wordMarker(query, (word) => word)(asSafeText(found))).toBe(found)
    }),
    samples(50),
  )
})
