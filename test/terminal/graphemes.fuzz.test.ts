/** Boundaries found without the segmenter equal its own. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { graphemes } from '../../src/terminal/graphemes.ts'
import { samples } from '../helpers/samples.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

const scripts = [
  [0x20, 0x5ff],
  [0x1100, 0x11ff],
  [0x3000, 0x3120],
  [0x4e00, 0x9fff],
  [0xabf0, 0xd7ff],
] as const

/** Letters of the scripts that count as plain, of neighboring blocks, and combining characters. */
const unit = fc.oneof(
  fc.constantFrom(...scripts).chain(([min, max]) => fc.integer({ min, max }).map((code) => String.fromCharCode(code))),
  fc.constantFrom(...'\u0301\u0484\u3099\u200d\ufe0f👩🇫\u{20000}\u0e33\u094d\u0915'),
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
