/** What is wrong with a value, and how it is said. */

import { UsageError } from '../errors.ts'
import { jsonPath } from '../io/json.ts'
import { suggestion } from './nearest.ts'

/** Bounds of a number, both included. */
export interface Range {
  readonly minimum?: number
  readonly maximum?: number
  readonly whole?: true
}

/** Where in a value something is wrong, what was found there, and what is accepted. */
export interface Problem {
  readonly path: readonly (string | number)[]
  readonly found: string
  readonly expected: string
}

/** `--temperature: 3 is not accepted; expected a number from 0 to 2` */
export function refusal(where: string, problem: Problem): UsageError {
  const place = problem.path.length === 0 ? where : `${where}: ${jsonPath(problem.path)}`
  if (problem.found === 'missing') return new UsageError(`${place} is missing; ${problem.expected}`)
  return new UsageError(`${place}: ${problem.found} is not accepted; expected ${problem.expected}`)
}

/** `a whole number, at least 1`, `a number from 0 to 2` */
export function rangeText({ minimum, maximum, whole }: Range): string {
  const noun = whole ? 'a whole number' : 'a number'
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}`
  if (minimum !== undefined) return `${noun}, at least ${minimum}`
  if (maximum !== undefined) return `${noun}, at most ${maximum}`
  return noun
}

/** `low, medium or high`, and the one that was likely meant. */
export function choicesText(choices: readonly string[], given: unknown): string {
  const [last = '', ...others] = choices.toReversed()
  const list = others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`
  return list + suggestion(given, choices)
}
