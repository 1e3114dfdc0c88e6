import { UsageError } from '../errors.ts'
import { flagOf } from './field.ts'

/** @throws UsageError when more than one of the named options was given. */
export function refuseTogether<Name extends string>(
  options: { readonly [name in Name]?: unknown },
  names: readonly Name[],
): void {
  const given = names.filter((name) => (options[name] ?? false) !== false)
  if (given.length > 1) throw new UsageError(`${given.map(flagOf).join(' and ')} exclude each other: give one of them`)
}
