/** What completion offers for a flag, a value or an argument: from the tables, so that a new spec is completed without a change here. */

import type { Argument } from '../command.ts'
import { type Completes, type Field, type Fields, flagName, flagOf } from '../fields/field.ts'
import { kindOf } from '../fields/kinds.ts'
import { optionHelp } from '../fields/option-help.ts'

/** A word, which ends with a colon if the user is to continue it; or what else is completed. */
export type ShellCandidate = { readonly word: string; readonly help?: string } | Completes

/** All names of the flags of a table: `-m`, `--model`, `--no-stream`. */
export function flagsOf(specs: Fields): { readonly word: string; readonly help: string }[] {
  return Object.entries(specs).flatMap(([name, spec]) => {
    const help = shortHelp(optionHelp(spec))
    const opposite = { word: `--no-${flagName(name)}`, help: `The opposite of ${flagOf(name)}` }
    return [
      ...(spec.short ? [{ word: `-${spec.short}`, help }] : []),
      { word: flagOf(name), help },
      ...(kindOf(spec).flag.negatable ? [opposite] : []),
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

/** For a value of the spec. Free text and numbers have no candidates. */
export function candidatesOf(spec: Field): ShellCandidate[] {
  const kind = kindOf(spec)
  // `tool:` is the only fixed part of `tool:NAME`.
  const words = (kind.words?.(spec) ?? []).map((word) => ({ word: word.replace(/:[A-Z]+$/, ':') }))
  return [...words, ...(spec.completes ? [spec.completes] : []), ...(kind.completes?.(spec) ?? [])]
}

/** For an argument. @param previous The argument before it. */
export function argumentCandidates(
  { choices = [], completes, specs = {} }: Argument,
  previous?: string,
): ShellCandidate[] {
  const spec = previous !== undefined && Object.hasOwn(specs, previous) ? specs[previous] : undefined
  const words = choices.map((word) => ({ word }))
  return spec ? candidatesOf(spec) : [...words, ...(completes ? [completes] : [])]
}
