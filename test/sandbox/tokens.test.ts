import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textOfTokens, tokenId, tokenize } from '../../src/sandbox/tokens.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { samples } from '../helpers/samples.ts'

const text = fc.string({ unit: anyCharacter })

test('tokens join to their text', () => {
  fc.assert(
    fc.property(text, (whole) => tokenize(whole).join('') === whole),
    samples(),
  )
})

test('ids are decoded to their text', () => {
  fc.assert(
    fc.property(text, (whole) => textOfTokens(tokenize(whole).map(tokenId)) === whole),
    samples(),
  )
})

test('English has about four characters per token', () => {
  const english = 'The service runs hosted language models and embedding models behind endpoints that speak JSON. '
  const length = english.length / tokenize(english).length
  expect(length).toBeGreaterThan(3.5)
  expect(length).toBeLessThan(5.5)
})
