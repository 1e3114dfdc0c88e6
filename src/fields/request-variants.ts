/** A command that can send one of several variants of request, which an option chooses. */

import { UsageError } from '../errors.ts'
import { flagOf, type Fields } from './field.ts'
import { kindOf } from './kinds.ts'

export interface RequestVariants {
  /** The row of the option that chooses. */
  readonly option: string
  /** The option's value where it is not given. */
  readonly default: string
  /** The rows of each variant by the option's values. */
  readonly rows: Readonly<Record<string, Fields>>
}

/**
 * How the option is given that chooses the variant whose documents the flags hold, where they don't fit the chosen one.
 * @param parse Throws for flags that rows don't accept.
 */
export async function fittingVariant(
  { option, rows }: RequestVariants,
  chosen: Fields,
  parse: (rows: Fields) => Promise<unknown>,
): Promise<string | undefined> {
  const fits = (one: Fields): Promise<boolean> =>
    parse(sharedDocuments(one, Object.values(rows))).then(
      () => true,
      () => false,
    )
  if (await fits(chosen)) return undefined
  for (const [value, one] of Object.entries(rows)) if (await fits(one)) return `${flagOf(option)} ${value}`
  return undefined
}

/** The rows of a variant for values that each variant has in a shape of its own; messages are read in either. */
function sharedDocuments(rows: Fields, variants: readonly Fields[]): Fields {
  const isShared = (name: string): boolean => variants.every((variant) => Object.hasOwn(variant, name))
  const shared = Object.entries(rows).filter(
    ([name, row]) => !kindOf(row).isCheckedWhenRead && 'shape' in row && isShared(name),
  )
  return Object.fromEntries(shared)
}

/**
 * The rows of the variant that is chosen.
 * @param typed The names of the rows whose flags were typed.
 * @throws UsageError for a flag of another variant alone.
 */
export function variantRows(
  { option, default: usual, rows }: RequestVariants,
  options: Readonly<Record<string, unknown>>,
  typed: Iterable<string>,
): Fields {
  const { [option]: value = usual } = options
  const variant = String(value)
  const { [variant]: chosen = {}, ...others } = rows
  for (const name of typed) {
    const other = Object.keys(others).find((one) => Object.hasOwn(others[one] ?? {}, name))
    if (other === undefined || Object.hasOwn(chosen, name)) continue
    const alike = similarField(name, chosen)
    throw new UsageError(
      `${flagOf(name)} goes with ${flagOf(option)} ${other}; ${variant} has ${alike ? flagOf(alike) : 'no such field'}`,
    )
  }
  return chosen
}

/** The field that most likely means the same, as `stop_sequences` does where there is no `stop`. */
export function similarField(name: string, rows: Fields): string | undefined {
  return Object.keys(rows).find((one) => isMoreOf(one, name) || isMoreOf(name, one))
}

/** `max_completion_tokens` says more of the same than `max_tokens`. */
function isMoreOf(long: string, short: string): boolean {
  const words = long.split('_')
  return short.split('_').every((word) => words.includes(word))
}
