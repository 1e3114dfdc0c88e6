/** Errors for invalid values and combinations. */

import { type Hint, UsageError } from '../errors.ts'
import { jsonPath } from '../io/json/print.ts'
import { suggestion } from './suggestion.ts'

/** The path of an invalid part within a value, what was found there, and what is accepted. */
export interface Problem {
  readonly path: readonly (string | number)[]
  readonly found: string
  readonly expected: string
}

/** `--temperature: 3 is not accepted; expected a number from 0 to 2` */
export function invalidValue(where: string, problem: Problem, hint?: Hint): UsageError {
  const location = problem.path.length === 0 ? where : `${where}: ${jsonPath(problem.path)}`
  if (problem.found === 'missing') return new UsageError(`${location} is missing; ${problem.expected}`, { hint })
  return new UsageError(`${location}: ${problem.found} is not accepted; expected ${problem.expected}`, { hint })
}

/** `low, medium or high (did you mean high?)` */
export function choicesText(choices: readonly string[], given: unknown): string {
  return orList(choices) + suggestion(given, choices)
}

/** `low, medium or high` */
export function orList(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

/** `--json and --raw cannot be combined` */
export function cannotBeCombined(terms: readonly string[]): UsageError {
  return new UsageError(`${terms.join(' and ')} cannot be combined`)
}
