/**
 * JSON that becomes part of a request. A number that JavaScript cannot hold is refused: `JSON.parse` rounds it, or makes it
 * infinite, which is sent as null.
 */

import { exactJson, isExactNumber, numberOf } from '../io/json/exact-numbers.ts'
import { isObject, type Json } from '../io/json/json.ts'
import { parseJson, parseJsonIfValid, positionText } from '../io/json/parse.ts'
import { visitNumbers } from '../io/json/scan.ts'
import { invalidValue } from './problem.ts'

/** Parses JSON as `parseJson` does. @throws UsageError also for the first number that would be changed. */
export function parseExactJson(text: string, where: string, firstLine?: number): Json {
  const value = parseJson(text, where, firstLine)
  checkNumbers(text, where, firstLine)
  return value
}

/** Parses JSON as `parseExactJson` does. @returns a text that is not JSON as it is. */
export function parseExactJsonOrText(text: string, where: string): Json {
  const isJson = parseJsonIfValid(text, undefined, Infinity, Infinity) !== undefined
  return isJson ? parseExactJson(text, where) : text
}

/** A value of `withExactNumbers` with plain numbers. @throws UsageError for a number that would be changed. */
export function plainNumbers(value: Json, where: string): Json {
  if (isExactNumber(value)) {
    const text = exactJson(value)
    const expected = acceptedInsteadOf(text)
    if (expected !== undefined) throw invalidValue(where, { path: [], found: quoteNumber(text), expected })
    return numberOf(value)
  }
  if (Array.isArray(value)) return value.map((one) => plainNumbers(one, where))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainNumbers(one, where)]))
}

/** What is accepted instead of a number that JavaScript would change, else `undefined`. */
export function acceptedInsteadOf(number: string): string | undefined {
  const value = Number(number)
  const bound = value < 0 ? 'at least -' : 'at most '
  if (!Number.isFinite(value)) return `a number of ${bound}${Number.MAX_VALUE}`
  const isChanged = /^[+-]?\d+(\.0*)?$/.test(number) && !Number.isSafeInteger(value)
  return isChanged ? `a whole number of ${bound}${Number.MAX_SAFE_INTEGER}` : undefined
}

/** @param text Valid JSON. */
function checkNumbers(text: string, where: string, firstLine = 1): void {
  visitNumbers(text, (number, start) => {
    const expected = acceptedInsteadOf(number)
    if (expected === undefined) return
    const position = text.trim() === number ? '' : positionText(start, text, firstLine)
    throw invalidValue(where, { path: [], found: quoteNumber(number) + position, expected })
  })
}

function quoteNumber(number: string): string {
  return number.length > 60 ? `${number.slice(0, 57)}…` : number
}
