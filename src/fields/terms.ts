/** How a row is written in help and man pages. */

import { flagName, flagOf, type Field } from './field.ts'

/** `-m, --model MODEL`, `    --[no-]stream`, `    --[no-]logprobs[=N]` */
export function flagTerm(name: string, row: Field): string {
  const short = row.short ? `-${row.short}, ` : '    '
  if (row.kind === 'switch') return `${short}${flagOf(name)}`
  if (row.kind === 'boolean') return `${short}--[no-]${flagName(name)}`
  if (row.kind === 'switch or number') return `${short}${flagOf(name)}[=${placeholderOf(row)}]`
  if (row.kind === 'boolean or number') return `${short}--[no-]${flagName(name)}[=N]`
  return `${short}${flagOf(name)} ${placeholderOf(row)}`
}

/** What stands for a value. */
export function placeholderOf(row: Field): string {
  if (row.placeholder) return row.placeholder
  switch (row.kind) {
    case 'text':
      return row.choices?.join('|') ?? 'TEXT'
    case 'texts':
      return 'TEXT'
    case 'model':
      return 'MODEL'
    case 'number':
    case 'switch or number':
    case 'boolean or number':
      return 'N'
    case 'object':
    case 'array':
      return 'JSON|@FILE'
    case 'choice or object':
      return [...row.words, 'JSON', '@FILE'].join('|')
    case 'document':
      return 'FILE'
    case 'boolean':
    case 'switch':
      return ''
  }
}

/** A row's help with the range it accepts, and what to use instead of it. */
export function rowHelp(row: Field): string {
  const notes = rangeNote(row) + (row.deprecated ? ` (deprecated: use ${row.deprecated})` : '')
  return notes === '' ? row.help : `${row.help.replace(/\.$/, '')}${notes}.`
}

function rangeNote(row: Field): string {
  if (row.kind !== 'number') return ''
  const { minimum, maximum } = row
  if (minimum !== undefined && maximum !== undefined) return ` (${minimum} to ${maximum})`
  return minimum !== undefined && minimum > 0 ? ` (at least ${minimum})` : ''
}
