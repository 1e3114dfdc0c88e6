/** A key anywhere in any text or JSON document. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secrets } from '../../src/io/secrets/secrets.ts'
import { leakIn, testKey } from '../helpers/canary.ts'
import { spellings } from '../helpers/key-spellings.ts'
import { samples } from '../helpers/samples.ts'

const secrets = new Secrets()
secrets.add(testKey)

test('text of any kind: no key is left, JSON stays valid, and text without a key is unchanged', () => {
  const piece = fc.oneof(
    fc.constantFrom(...Object.values(spellings), '\\', '\\u', 's', testKey.slice(0, 6), '\\/', '"'),
    fc.string(),
  )
  const text = fc.tuple(fc.array(piece), fc.integer({ min: 0, max: 3 })).map(([pieces, depth]) => {
    let all = pieces.join('')
    for (let level = 0; level < depth; level++) all = JSON.stringify(all)
    return { all, depth }
  })
  fc.assert(
    fc.property(text, ({ all, depth }) => {
      const masked = secrets.mask(all)
      expect(leakIn(masked)).toBeUndefined()
      if (leakIn(all) === undefined) expect(masked).toBe(all)
      if (depth > 0) expect(() => JSON.parse(masked) as unknown).not.toThrow()
    }),
    samples(250),
  )
})

test('the fast test of a document finds every document that is masked', () => {
  const string = fc.oneof(
    fc.constantFrom(...Object.values(spellings)),
    fc.string().map((one) => JSON.stringify(one).slice(1, -1)),
  )
  fc.assert(
    fc.property(fc.array(string), (strings) => {
      const document = `["${strings.join('')}"]`
      if (!secrets.mayBeIn(document)) expect(secrets.maskValues(JSON.parse(document) as string[])).toBe(false)
    }),
    samples(50),
  )
})
