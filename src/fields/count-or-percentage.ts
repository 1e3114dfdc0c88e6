import { withHint } from '../errors.ts'
import { quote } from '../io/json.ts'
import { invalidValue } from './problem.ts'

/** A limit that is a number, or a share: `50`, `10%`. */
export interface CountOrPercentage {
  /** As typed. */
  readonly text: string
  readonly value: number
  readonly isPercent: boolean
}

/**
 * @param flag The option that it is the value of.
 * @param check Which counts are accepted, and the hint for one that is not.
 * @throws UsageError for anything else, but for a percentage up to 100.
 */
export function parseCountOrPercentage(
  flag: string,
  text: string,
  example: number,
  check: (count: number) => { readonly isValid: boolean; readonly hint?: string },
): CountOrPercentage {
  const [, digits, sign] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? []
  const [value, isPercent] = [Number(digits), sign === '%']
  const { isValid, hint } = isPercent ? { isValid: value <= 100 } : check(value)
  if (isValid && Number.isFinite(value)) return { text, value, isPercent }
  const expected = `a count such as ${example}, or a percentage from 0% to 100%`
  throw withHint(invalidValue(flag, { path: [], found: quote(text), expected }), hint)
}
