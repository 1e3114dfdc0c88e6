/** Boundaries found without the segmenter equal its own. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { graphemes } from '../../src/terminal/graphemes.ts'
import { samples } from '../helpers/samples.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Letters of the scripts that count as plain, of neighboring blocks, and combining characters. */
const unit = fc.oneof(
  fc.integer({ min: 0x20, max: 0x5ff }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0x3000, max: 0x3120 }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0x4e00, max: 0x9fff }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0xabf0, max: 0xd7ff }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0x1100, max: 0x11ff }).map((code) => String.fromCharCode(code)),
  fc.constantFrom(
    '\u0301',
    '\u0484',
    '\u3099',
    '\u200d',
    '\ufe0f',
    '👩',
    '🇫',
    '\u{20000}',
    '\u0e33',
    '\u094d',
    '\u0915',
  ),
)

test('of any text', () => {
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 60 }), (units) => {
      const text = units.join('')
      expect([...graphemes(text)]).toEqual(Array.from(segmenter.segment(text), ({ segment }) => segment))
    }),
    samples(100),
  )
})
