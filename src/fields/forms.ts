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
 * How the option is given that chooses a form whose documents the flags hold, where they are none of the chosen form.
 * @param parse Throws for flags that rows don't accept.
 */
export async function fittingForm(
  { option, rows }: Forms,
  inForce: Fields,
  parse: (rows: Fields) => Promise<unknown>,
): Promise<string | undefined> {
  const fits = (one: Fields): Promise<boolean> =>
    parse(sharedDocuments(one, Object.values(rows))).then(
      () => true,
      () => false,
    )
  if (await fits(inForce)) return undefined
  for (const [form, one] of Object.entries(rows)) if (await fits(one)) return `${flagOf(option)} ${form}`
  return undefined
}

/** The rows of one form for values that each form has in a shape of its own; messages are read in each. */
function sharedDocuments(rows: Fields, forms: readonly Fields[]): Fields {
  const isShared = (name: string): boolean => forms.every((form) => Object.hasOwn(form, name))
  const shared = Object.entries(rows).filter(
    ([name, row]) => row.kind !== 'document' && 'shape' in row && isShared(name),
  )
  return Object.fromEntries(shared)
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
    const alike = nameAlike(name, inForce)
    throw new UsageError(
      `${flagOf(name)} goes with ${flagOf(option)} ${other}; ${form} has ${alike ? flagOf(alike) : 'no such field'}`,
    )
  }
  return inForce
}

/** The field that most likely means the same, as `stop_sequences` does where there is no `stop`. */
export function nameAlike(name: string, rows: Fields): string | undefined {
  return Object.keys(rows).find((one) => isMoreOf(one, name) || isMoreOf(name, one))
}

/** `max_completion_tokens` says more of the same than `max_tokens`. */
function isMoreOf(long: string, short: string): boolean {
  const words = long.split('_')
  return short.split('_').every((word) => words.includes(word))
}
