/** Formats rows for help and man pages. */

import { flagName, flagOf, type Field, type Fields } from './field.ts'
import { kindOf } from './kinds.ts'

/** `-m, --model MODEL`, `    --[no-]stream`, `    --[no-]logprobs[=N]` */
export function flagTerm(name: string, row: Field): string {
  const { value, negatable } = kindOf(row).flag
  const short = row.short ? `-${row.short}, ` : '    '
  const flag = negatable ? `--[no-]${flagName(name)}` : flagOf(name)
  if (value === 'none') return short + flag
  return short + flag + (value === 'required' ? ` ${placeholderOf(row)}` : `[=${placeholderOf(row)}]`)
}

/** `N`, `TEXT`, `low|medium|high` */
export function placeholderOf(row: Field): string {
  return row.placeholder ?? kindOf(row).placeholder(row)
}

/** A row's help, then its range, default, exclusions and replacement in parentheses. */
export function rowHelp(row: Field): string {
  const { default: defaultValue, exclusive = [], deprecated } = row
  const notes = [
    ...rangeNotes(row),
    ...(defaultValue === undefined ? [] : [`default: ${defaultValue}`]),
    ...(exclusive.length === 0 ? [] : [`not with ${exclusive.map(flagOf).join(', ')}`]),
    ...(deprecated === undefined ? [] : [`deprecated: use ${deprecated}`]),
  ]
  return notes.length === 0 ? row.help : `${row.help.replace(/\.$/, '')} (${notes.join('; ')}).`
}

/** The rows in the order of help: everyday ones first. */
export function everydayFirst(rows: Fields): [name: string, row: Field][] {
  const all = Object.entries(rows)
  return [...all.filter(([, row]) => row.everyday), ...all.filter(([, row]) => !row.everyday)]
}

function rangeNotes(row: Field): string[] {
  if (!('minimum' in row)) return []
  const { minimum, maximum } = row
  if (minimum !== undefined && maximum !== undefined) return [`${minimum} to ${maximum}`]
  return minimum !== undefined && minimum > 0 ? [`at least ${minimum}`] : []
}
