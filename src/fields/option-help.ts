/** Formats specs for help and man pages. */

import { flagName, flagOf, type Field, type Fields } from './field.ts'
import { kindOf } from './kinds.ts'

/** `-m, --model MODEL`, `    --[no-]stream`, `    --[no-]logprobs[=N]` */
export function flagTerm(name: string, spec: Field): string {
  const { value, negatable } = kindOf(spec).flag
  const short = spec.short ? `-${spec.short}, ` : '    '
  const flag = negatable ? `--[no-]${flagName(name)}` : flagOf(name)
  if (value === 'none') return short + flag
  return short + flag + (value === 'required' ? ` ${placeholderOf(spec)}` : `[=${placeholderOf(spec)}]`)
}

/** `N`, `TEXT`, `low|medium|high` */
export function placeholderOf(spec: Field): string {
  return spec.placeholder ?? kindOf(spec).placeholder(spec)
}

/** A spec's help, then its range, default, exclusions and replacement in parentheses. */
export function optionHelp(spec: Field): string {
  const { exclusive = [], deprecated } = spec
  return withNotes(spec, [
    ...rangeNotes(spec),
    ...defaultNotes(spec),
    ...(exclusive.length === 0 ? [] : [`not with ${exclusive.map(flagOf).join(', ')}`]),
    ...(deprecated === undefined ? [] : [`deprecated: use ${deprecated}`]),
  ])
}

/** A spec's help with its default only, to fit on one line. */
export function briefHelp(spec: Field): string {
  return withNotes(spec, defaultNotes(spec))
}

/** The everyday specs and the others, each in the order of the table. */
export function splitByUse(specs: Fields): { everyday: Fields; others: Fields } {
  const all = Object.entries(specs)
  return {
    everyday: Object.fromEntries(all.filter(([, spec]) => spec.everyday)),
    others: Object.fromEntries(all.filter(([, spec]) => !spec.everyday)),
  }
}

function withNotes({ help }: Field, notes: readonly string[]): string {
  return notes.length === 0 ? help : `${help} (${notes.join('; ')})`
}

function defaultNotes(spec: Field): string[] {
  return spec.default === undefined ? [] : [`default: ${spec.default}`]
}

function rangeNotes(spec: Field): string[] {
  if (!('minimum' in spec)) return []
  const { minimum, maximum } = spec
  if (minimum !== undefined && maximum !== undefined) return [`${minimum} to ${maximum}`]
  return minimum !== undefined && minimum > 0 ? [`at least ${minimum}`] : []
}
