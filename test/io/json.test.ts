import { expect, test } from 'vitest'
import { parseJsonIfValid } from '../../src/io/json.ts'

test.each([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  [' 5 ', 5],
  ['', 'otherwise'],
  ['{"a":', 'otherwise'],
  ['{}x', 'otherwise'],
])('%j', (text, value) => {
  expect(parseJsonIfValid(text, 'otherwise')).toEqual(value)
  expect(parseJsonIfValid(text)).toEqual(value === 'otherwise' ? undefined : value)
})
