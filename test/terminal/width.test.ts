import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutTo, widthOf } from '../../src/terminal/width.ts'
import { samples } from '../helpers/samples.ts'

test.each([
  ['Hello', 4, 'Hel…'],
  ['one two', 5, 'one…'],
  ['東京の海', 6, '東京…'],
  ['Γειά σου! and more', 12, 'Γειά σου! a…'],
  ['👩‍👩‍👧 x and more', 6, '👩‍👩‍👧 x…'],
])('%j cut to %i', (text, columns, cut) => {
  expect(cutTo(text, columns)).toBe(cut)
})

test.each([
  ['y\u200d', 1],
  ['\u200b\u2060', 0],
  ['🏳️‍🌈', 2],
])('what only joins or separates takes no column: %j', (text, width) => {
  expect(widthOf(text)).toBe(width)
})

test('any truncated text fits', () => {
  const text = fc.array(fc.constantFrom('a', 'ab ', '“', '…', 'é', 'e\u0301', 'Γ', '東', '👩‍👧', '🇳🇴', ' '), {
    maxLength: 40,
  })
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 40 }), (pieces, columns) => {
      expect(widthOf(cutTo(pieces.join(''), columns))).toBeLessThanOrEqual(columns)
    }),
    samples(),
  )
})
