/** Numbers that are only passed on keep their text. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exactJson, isExactNumber, numberOf, withExactNumbers } from '../../src/io/json/exact-numbers.ts'
import type { Json } from '../../src/io/json/json.ts'
import { samples } from '../helpers/samples.ts'

const numbers = [
  '12345678901234567890',
  '9007199254740993',
  '0.10',
  '-0',
  '1e5',
  '1e400',
  '0.1000000000000000055511151231257827',
]

function passedOn(text: string): string {
  return exactJson(withExactNumbers(JSON.parse(text) as Json, text))
}

test.each(numbers)('%s', (number) => {
  expect(passedOn(number)).toBe(number)
  const [value = null] = withExactNumbers(JSON.parse(`[${number}]`) as Json[], `[${number}]`)
  expect({ isExact: isExactNumber(value), number: numberOf(value) }).toEqual({ isExact: true, number: Number(number) })
})

test.each(['0', '-1', '0.5', '1700000000', '-0.31725305'])('%s needs nothing', (number) => {
  const value = JSON.parse(`[${number}]`) as Json
  expect(withExactNumbers(value, `[${number}]`)).toBe(value)
})

test('an index stays a number', () => {
  const text = '{"index":0.0,"index" : 1.0,"a":1.0}'
  expect(passedOn(text)).toBe('{"index":1,"a":1.0}')
})

test('strings are not numbers, whatever they contain', () => {
  const text = JSON.stringify(['1.0', ': 1.50', '{"a":1e5}', '[-0]', '\\', '"'])
  expect(passedOn(text)).toBe(text)
})

/** JSON with any numbers, without spaces. */
const document = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...numbers, '1', '2.5'),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
    fc.string().map((text) => JSON.stringify(text)),
    fc.array(tie('value'), { maxLength: 4 }).map((values) => `[${values.join()}]`),
    fc
      .uniqueArray(
        fc.string({ minLength: 1 }).map((name) => `k${name}`),
        { maxLength: 4 },
      )
      .chain((names) => fc.tuple(...names.map(() => tie('value'))).map((values) => ({ names, values })))
      .map(({ names, values }) => `{${names.map((name, at) => `${JSON.stringify(name)}:${values[at]}`).join()}}`),
  ),
})).value

test('any document is passed on unchanged', () => {
  const property = fc.property(document, (text) => {
    expect(passedOn(text)).toBe(text)
  })
  fc.assert(property, samples(200))
})
