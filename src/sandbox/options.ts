/** The options of the sandbox that are more than a number. */

import { invalidValue } from '../fields/problem.ts'
import { quote } from '../io/json.ts'

/** In milliseconds. */
const units = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
])

/** A range of times in milliseconds. */
export interface Latency {
  readonly least: number
  readonly most: number
}

/**
 * @returns the share, from 0 to 1, of a text such as `5%`.
 * @throws UsageError
 */
export function parseShare(flag: string, text: string): number {
  const [, digits] = /^(\d+(?:\.\d+)?)%$/.exec(text) ?? []
  const percent = Number(digits)
  if (percent <= 100) return percent / 100
  throw invalidValue(flag, { path: [], found: quote(text), expected: 'a percentage from 0% to 100%' })
}

/**
 * @param text `200ms`, `50-500ms`, `0.5s-1m`.
 * @throws UsageError
 */
export function parseLatency(flag: string, text: string): Latency {
  const [, from, fromUnit, to = from, toUnit = fromUnit] = /^([\d.]+)([a-z]+)?(?:-([\d.]+)([a-z]+))?$/.exec(text) ?? []
  // The first unit may be left out, as in `50-500ms`.
  const latency = { least: milliseconds(from, fromUnit ?? toUnit), most: milliseconds(to, toUnit) }
  if (latency.least <= latency.most) return latency
  const expected = 'a time such as 200ms or 1s, or a range such as 50-500ms'
  throw invalidValue(flag, { path: [], found: quote(text), expected })
}

/**
 * @returns milliseconds, more than 0, of a text such as `60s`.
 * @throws UsageError
 */
export function parseTime(flag: string, text: string): number {
  const [, digits, unit] = /^([\d.]+)([a-z]+)$/.exec(text) ?? []
  const time = milliseconds(digits, unit)
  if (time > 0) return time
  throw invalidValue(flag, { path: [], found: quote(text), expected: 'a time such as 60s, 5m or 1h' })
}

/** @returns NaN for what is not a time. */
function milliseconds(digits = '', unit = ''): number {
  return /^\d+(\.\d+)?$/.test(digits) ? Number(digits) * (units.get(unit) ?? NaN) : NaN
}
