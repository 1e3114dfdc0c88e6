import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalize } from '../../src/io/text/normalize.ts'
import { samples } from '../helpers/samples.ts'

test('equals that of the engine, unless marks are stacked without end', () => {
  const character = fc.constantFrom('e', 'é', '\u0301', '\u0323', '\ufb01', '한', 'ㅎ', 'ก', '็', '👩', '\u200d', ' ')
  fc.assert(
    fc.property(fc.array(character, { maxLength: 64 }), (characters) => {
      const text = characters.join('')
      expect(normalize(text)).toBe(text.normalize())
    }),
    samples(400),
  )
})

test('many marks in a row take no time', () => {
  const text = `a${'\u0301\u0323'.repeat(100_000)} e\u0301`
  const normalized = normalize(text)
  expect(normalized.endsWith(' é')).toBe(true)
  expect(normalized.length).toBeGreaterThan(180_000)
})
