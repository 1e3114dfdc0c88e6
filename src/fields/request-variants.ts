/** Commands that can send one of several request variants, selected by an option. */

import { UsageError } from '../errors.ts'
import { flagOf, type Fields } from './field.ts'
import type { RawFlag } from './parse.ts'

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
  const { [String(value)]: chosen = {}, ...others } = variants
  for (const name of typed.keys()) {
    const other = Object.keys(others).find((one) => Object.hasOwn(others[one] ?? {}, name))
    if (other === undefined || Object.hasOwn(chosen, name)) continue
    throw new UsageError(`${flagOf(name)} needs ${flagOf(option)} ${other}`, {
      hint: `use -p ${name}=VALUE to send it unchecked`,
    })
  }
  return chosen
}
