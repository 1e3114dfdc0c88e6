/** The cost of an answer, from a list whose rows may have any shape. */

import { expect, test } from 'vitest'
import { costText } from '../../src/answer/meter.ts'
import { costOf, decodeModels, priceNamed } from '../../src/api/models.ts'
import type { Json } from '../../src/io/json/json.ts'

const usage = { promptTokens: 1000, completionTokens: 100 }
const pricing = { prompt: '$0.00000055', completion: '$0.00000219' }
const cost = 0.000769

test.each<[what: string, list: Json, names: (string | undefined)[], cost: number | undefined]>([
  ['as requested', { data: [{ id: 'hf:a/b', pricing }] }, ['hf:a/b'], cost],
  ['as served, without its prefix', { data: [{ id: 'hf:a/b', pricing }] }, ['syn:large:text', 'a/b'], cost],
  [
    'by the name of the model that an alias points to',
    { data: [{ id: 'syn:x', hugging_face_id: 'a/b', pricing }] },
    ['hf:a/b'],
    cost,
  ],
  ['after a row without prices', { data: [{ id: 'hf:a/b' }, { id: 'hf:a/b', pricing }] }, ['hf:a/b'], cost],
  ['not of another model', { data: [{ id: 'hf:a/b', pricing }] }, ['hf:a/c', undefined], undefined],
  ['not with half a price', { data: [{ id: 'hf:a', pricing: { prompt: '1' } }] }, ['hf:a'], undefined],
  [
    'not with an empty price',
    { data: [{ id: 'hf:a', pricing: { prompt: '', completion: '$' } }] },
    ['hf:a'],
    undefined,
  ],
  ['not without a list', { data: {} }, ['hf:a'], undefined],
])('%s', (_what, list, names, expected) => {
  const price = priceNamed(decodeModels(list), names)
  if (expected === undefined) expect(price).toBeUndefined()
  else expect(price && costOf(price, usage)).toBeCloseTo(expected, 9)
})

test.each([
  [0.001234, '$0.0012'],
  [0.000000123, '$0.00000012'],
  [1234, '$1,234.00'],
])('%d is printed as %s', (cost, text) => {
  expect(costText(cost)).toBe(text)
})
