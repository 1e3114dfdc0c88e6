/** Commands that can send one of several request variants, selected by an option. */

import { UsageError } from '../errors.ts'
import { flagOf, type Field, type Fields } from './field.ts'
import type { RawFlag } from './parse.ts'
import { paramHint } from './param-hint.ts'

export interface RequestVariants {
  /** Spec name of the option that selects the variant. */
  readonly option: string
  /** The option's default. */
  readonly default: string
  /** Each variant's specs, by the option's value. */
  readonly variants: Readonly<Record<string, Fields>>
}

/** The specs of the selected variant. @throws UsageError for a flag that only another variant has. */
export function variantSpecs(
  { option, default: defaultVariant, variants }: RequestVariants,
  options: Readonly<Record<string, unknown>>,
  typed: ReadonlyMap<string, RawFlag>,
): Fields {
  const { [option]: value = defaultVariant } = options
  const variant = String(value)
  const { [variant]: chosen = {}, ...others } = variants
  for (const name of typed.keys()) {
    const other = Object.keys(others).find((one) => Object.hasOwn(others[one] ?? {}, name))
    const spec = other === undefined ? undefined : others[other]?.[name]
    if (!spec || Object.hasOwn(chosen, name)) continue
    const similar = similarField(name, chosen, spec.kind)
    const instead = similar ? `, use ${flagOf(similar)}` : ' there is no such field'
    throw new UsageError(
      `${flagOf(name)} needs ${flagOf(option)} ${other}; with ${flagOf(option)} ${variant}${instead}`,
      similar ? {} : { hint: paramHint(name) },
    )
  }
  return chosen
}

/**
 * Returns the field that most likely means the same, such as `stop_sequences` for `stop`.
 * @param kind Of the field that is looked for, if known: `stream` is not similar to `stream_options`.
 */
export function similarField(name: string, specs: Fields, kind?: Field['kind']): string | undefined {
  const alike = Object.keys(specs).filter((one) => kind === undefined || specs[one]?.kind === kind)
  return alike.find((one) => hasWordsOf(one, name) || hasWordsOf(name, one))
}

/** Whether one name has all words of the other: `max_completion_tokens` has those of `max_tokens`. */
function hasWordsOf(long: string, short: string): boolean {
  const words = long.split('_')
  return short.split('_').every((word) => words.includes(word))
}
