import { expect, test } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { parseJson, parseJsonIfValid } from '../../src/io/json/parse.ts'
import { jsonText } from '../../src/io/json/print.ts'

test.each([
  ['{"a":[1]}', { a: [1] }],
  [' 5 ', 5],
  ['', 'otherwise'],
  ['{"a":', 'otherwise'],
])('%j', (text, value) => {
  expect(parseJsonIfValid(text, 'otherwise')).toEqual(value)
  expect(parseJsonIfValid(text)).toEqual(value === 'otherwise' ? undefined : value)
})

test.each([
  ['{"a": tru\n}', 'line 1, column 10: Unexpected end of the line'],
  ['{"a":\r\n[1,2\r\n7]}', "line 3, column 1: Expected ',' or ']' after array element"],
  ['{"a": 😀}', "line 1, column 7: Unexpected token '😀'"],
  ["[']", "line 1, column 2: Unexpected token '''"],
  ['[\u0085]', 'line 1, column 2: Unexpected character U+0085'],
  ['["\n"]', 'line 1, column 3: Bad control character in string literal'],
  ['{"a":', 'line 1, column 6: Unexpected end of JSON input'],
])('the error in %j is on one line', (text, message) => {
  expect(() => parseJson(text, '--body')).toThrow(new UsageError(`--body: not valid JSON at ${message}`))
})

test('a terminal gets JSON indented, unless the indentation would take gigabytes', () => {
  const value = { a: [1, { b: '[{,' }], c: {} }
  expect(jsonText(value, { isTerminal: true })).toBe(`${JSON.stringify(value, undefined, 2)}\n`)
  expect(jsonText(value, { isTerminal: false })).toBe(`${JSON.stringify(value)}\n`)
  const deep = `${'['.repeat(490)}${Array(300_000).fill('0').join()}${']'.repeat(490)}`
  expect(jsonText(parseJsonIfValid(deep, null), { isTerminal: true })).toBe(`${deep}\n`)
})
