/** A command that can send requests of several forms, of which an option chooses one. */

import { UsageError } from '../errors.ts'
import { flagOf, type Fields } from './field.ts'

export interface Forms {
  /** The row of the option that chooses. */
  readonly option: string
  /** The rows of each form by the option's values; without the option it is the first. */
  readonly rows: Readonly<Record<string, Fields>>
}

/**
 * The rows of the form that is chosen.
 * @param typed The names of the rows whose flags were typed.
 * @throws UsageError for a flag of another form alone.
 */
export function rowsInForce(
  { option, rows }: Forms,
  options: Readonly<Record<string, unknown>>,
  typed: Iterable<string>,
): Fields {
  const [first = ''] = Object.keys(rows)
  const { [option]: chosen = first } = options
  const form = String(chosen)
  const { [form]: inForce = {}, ...others } = rows
  for (const name of typed) {
    const other = Object.keys(others).find((one) => Object.hasOwn(others[one] ?? {}, name))
    if (other === undefined || Object.hasOwn(inForce, name)) continue
    const alike = Object.keys(inForce).find((one) => isMoreOf(one, name) || isMoreOf(name, one))
    throw new UsageError(
      `${flagOf(name)} goes with ${flagOf(option)} ${other}; ${form} has ${alike ? flagOf(alike) : 'no such field'}`,
    )
  }
  return inForce
}

/** `max_completion_tokens` says more of the same than `max_tokens`. */
function isMoreOf(long: string, short: string): boolean {
  const words = long.split('_')
  return short.split('_').every((word) => words.includes(word))
}
