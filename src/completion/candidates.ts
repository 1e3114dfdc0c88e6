/** What completion offers for a flag, a value or an argument: from the tables, so that a new row is completed without a change here. */

import type { Argument } from '../command.ts'
import { type Completes, type Field, type Fields, flagName, flagOf } from '../fields/field.ts'
import { kindOf } from '../fields/kinds.ts'
import { rowHelp } from '../fields/terms.ts'

/** A word, which ends with a colon if the user is to continue it; or what else is completed. */
export type Candidate = { readonly word: string; readonly help?: string } | Completes

/** All names of the flags of a table: `-m`, `--model`, `--no-stream`. */
export function flagsOf(rows: Fields): { readonly word: string; readonly help: string }[] {
  return Object.entries(rows).flatMap(([name, row]) => {
    const help = shortHelp(rowHelp(row))
    const opposite = { word: `--no-${flagName(name)}`, help: `The opposite of ${flagOf(name)}` }
    return [
      ...(row.short ? [{ word: `-${row.short}`, help }] : []),
      { word: flagOf(name), help },
      ...(kindOf(row).flag.negatable ? [opposite] : []),
    ]
  })
}

/** In columns: completion lists are narrow. */
const longestHelp = 60

/** The first sentence, shortened if it is too long. */
function shortHelp(help: string): string {
  const sentence = withoutOpenParenthesis(help.split(/\.(?: |$)|; /)[0] ?? '')
  if (sentence.length <= longestHelp) return sentence
  const words = sentence.slice(0, longestHelp).split(' ').slice(0, -1)
  const cut = words.join(' ').replace(/[,:]$/, '')
  const whole = withoutOpenParenthesis(cut)
  return whole === cut ? `${cut}…` : whole
}

/** Removes an unclosed parenthesis, such as a default that was cut off. */
function withoutOpenParenthesis(text: string): string {
  return text.replace(/ \([^)]*$/, '')
}

/** For a value of the row. Free text and numbers have no candidates. */
export function candidatesOf(row: Field): Candidate[] {
  const kind = kindOf(row)
  // `tool:` is the only fixed part of `tool:NAME`.
  const words = (kind.words?.(row) ?? []).map((word) => ({ word: word.replace(/:[A-Z]+$/, ':') }))
  return [...words, ...(row.completes ? [row.completes] : []), ...(kind.completes?.(row) ?? [])]
}

/** For an argument. @param previous The argument before it. */
export function argumentCandidates({ choices = [], completes, rows = {} }: Argument, previous?: string): Candidate[] {
  const row = previous !== undefined && Object.hasOwn(rows, previous) ? rows[previous] : undefined
  const words = choices.map((word) => ({ word }))
  return row ? candidatesOf(row) : [...words, ...(completes ? [completes] : [])]
}
