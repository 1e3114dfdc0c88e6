import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tokenCount, tokenize } from '../../src/sandbox/tokens.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { samples } from '../helpers/samples.ts'
import { countedTexts } from '../helpers/token-counts.ts'

const text = fc.string({ unit: anyCharacter })

test('tokens join to their text', () => {
  fc.assert(
    fc.property(text, (whole) => tokenize(whole).join('') === whole),
    samples(),
  )
})

/**
 * A rehearsal at the sandbox costs about as much as the run. Its tokens of six bytes are three letters in Cyrillic, where models
 * have four.
 */
test.each(countedTexts)('%s: about as many tokens as models count', (name, text, median) => {
  const bound = name === 'Russian' ? 0.5 : 0.25
  expect(Math.abs(tokenCount(text) / median - 1)).toBeLessThan(bound)
})
