/** A text is the same however a service cuts it, also within a pair of UTF-16 surrogates; half of a pair becomes U+FFFD. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Delta } from '../../src/stream/delta.ts'
import { PairJoiner } from '../../src/stream/well-formed.ts'

/** Characters, of which one has two units, and halves of such. */
const units = fc
  .array(fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00'), { maxLength: 12 })
  .map((all) => all.join(''))

function textsOf(deltas: readonly Delta[]): string[] {
  const texts = ['', '']
  for (const delta of deltas) if (delta.type === 'text') texts[delta.index] += delta.text
  return texts
}

test('cut anywhere, in two choices at the same time', () => {
  const property = fc.property(units, units, fc.infiniteStream(fc.boolean()), (first, second, choices) => {
    const rest = [first, second]
    const joiner = new PairJoiner()
    const joined: Delta[] = []
    while (rest[0] !== '' || rest[1] !== '') {
      const index = rest[0] === '' || (rest[1] !== '' && choices.next().value) ? 1 : 0
      const text = rest[index]?.slice(0, 1) ?? ''
      rest[index] = rest[index]?.slice(1) ?? ''
      joined.push(...joiner.join([{ type: 'text', index, text }], false))
      expect(textsOf(joined).every((one) => one.isWellFormed())).toBe(true)
    }
    joined.push(...joiner.join([{ type: 'end', index: 1, reason: 'stop' }], false), ...joiner.join([], true))
    expect(textsOf(joined)).toEqual([first.toWellFormed(), second.toWellFormed()])
  })
  fc.assert(property)
})
