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
  const { exclusive = [], deprecated } = row
  return withNotes(row, [
    ...rangeNotes(row),
    ...defaultNotes(row),
    ...(exclusive.length === 0 ? [] : [`not with ${exclusive.map(flagOf).join(', ')}`]),
    ...(deprecated === undefined ? [] : [`deprecated: use ${deprecated}`]),
  ])
}

/** A row's help with its default only, to fit on one line. */
export function briefHelp(row: Field): string {
  return withNotes(row, defaultNotes(row))
}

/** The everyday rows and the others, each in the order of the table. */
export function splitByUse(rows: Fields): { everyday: Fields; others: Fields } {
  const all = Object.entries(rows)
  return {
    everyday: Object.fromEntries(all.filter(([, row]) => row.everyday)),
    others: Object.fromEntries(all.filter(([, row]) => !row.everyday)),
  }
}

function withNotes({ help }: Field, notes: readonly string[]): string {
  return notes.length === 0 ? help : `${help} (${notes.join('; ')})`
}

function defaultNotes(row: Field): string[] {
  return row.default === undefined ? [] : [`default: ${row.default}`]
}

function rangeNotes(row: Field): string[] {
  if (!('minimum' in row)) return []
  const { minimum, maximum } = row
  if (minimum !== undefined && maximum !== undefined) return [`${minimum} to ${maximum}`]
  return minimum !== undefined && minimum > 0 ? [`at least ${minimum}`] : []
}
