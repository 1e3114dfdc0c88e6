/** Splits the command line into flags, their values and arguments, for all that commander does not do. */

import type { AnyCommand } from '../command.ts'
import { flagName, flagOf, mergeSpecs, type Field, type Fields } from '../fields/field.ts'
import { globalOptions, helpOption, programOptions } from '../fields/global-options.ts'
import { kindOf } from '../fields/kinds.ts'

/** An argument or a flag, but no separate value of a flag. */
export interface Piece {
  readonly word: string
  /** In the command line. */
  readonly index: number
  readonly isFlag: boolean
  /** For a flag that the specs have; the last one of several short flags in one word. */
  readonly known?: KnownFlag
  /** Whether the flag's value is the next word. */
  readonly takesNext?: boolean
}

export interface KnownFlag {
  /** The name of the spec. */
  readonly name: string
  /** The long form, such as `--no-stream`. */
  readonly flag: string
  readonly spec: Field
  readonly isNegated: boolean
}

/** The options of the program itself. */
export const programSpecs: Fields = { ...globalOptions, ...helpOption, ...programOptions }

export function piecesOf(argv: readonly string[], specs: Fields): Piece[] {
  const pieces: Piece[] = []
  let areWords = false
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? ''
    if (areWords || !looksLikeFlag(word)) pieces.push({ word, index, isFlag: false })
    else if (word === '--') areWords = true
    else {
      const { known, takesNext } = readFlag(word, argv[index + 1], specs)
      pieces.push({ word, index, isFlag: true, takesNext, ...(known && { known }) })
      if (takesNext) index++
    }
  }
  return pieces
}

/**
 * The flag that a word is exactly. One table after the other: to merge them takes longer than to read a command line.
 * @param word Without a value.
 */
export function knownFlag(word: string, specs: Fields): KnownFlag | undefined {
  return flagIn(specs, word) ?? flagIn(programSpecs, word)
}

/** The flag of a table that a word is exactly. */
function flagIn(specs: Fields, word: string): KnownFlag | undefined {
  for (const [name, spec] of Object.entries(specs)) {
    const flag = flagOf(name)
    if (word === flag || (spec.short && word === `-${spec.short}`)) return { name, flag, spec, isNegated: false }
    if (word === `--no-${flagName(name)}` && kindOf(spec).flag.negatable)
      return { name, flag: word, spec, isNegated: true }
  }
  return undefined
}

/** Whether a command line may contain a flag of the spec: commander takes a while to declare one. */
export function mayContain(argv: readonly string[], name: string, { short }: Field): boolean {
  return argv.some((word) => {
    if (!word.startsWith('--')) return short !== undefined && word.startsWith('-') && word.includes(short)
    return word.startsWith(flagOf(name)) || word.startsWith(`--no-${flagName(name)}`)
  })
}

function looksLikeFlag(word: string): boolean {
  return word.length > 1 && word.startsWith('-')
}

function readFlag(word: string, next: string | undefined, specs: Fields) {
  if (word.startsWith('--')) {
    const known = knownFlag(word.replace(/=.*/s, ''), specs)
    return { known, takesNext: !word.includes('=') && takesValue(known, next) }
  }
  // Short flags in one word: the first that takes a value takes the rest, or else the next word.
  for (const [index, letter] of [...word].entries()) {
    if (index === 0) continue
    const known = knownFlag(`-${letter}`, specs)
    const isLast = index === word.length - 1 || known?.name === 'help'
    if (!known || isLast) return { known, takesNext: isLast && takesValue(known, next) }
    if (takesValue(known, '')) return { known, takesNext: false }
  }
  return { known: undefined, takesNext: false }
}

/** Whether the next word is its value. */
export function takesValue(known: KnownFlag | undefined, next = ''): boolean {
  if (!known || known.isNegated) return false
  const { value } = kindOf(known.spec).flag
  return value === 'required' || (value === 'optional' && !looksLikeFlag(next))
}

/** The arguments, without a leading `help`. */
export function argumentsOf(argv: readonly string[], specs: Fields): Piece[] {
  const found = piecesOf(argv, specs).filter(({ isFlag }) => !isFlag)
  const start = found.findIndex(({ word }) => word !== 'help')
  return start === -1 ? [] : found.slice(start)
}

/** The command's name: the first word that is not a global option, the value of one, or `help`. */
export function commandName(argv: readonly string[]): string | undefined {
  return argumentsOf(argv, {})[0]?.word
}

/** The first word that is no flag, and no value of one. @param specs The options that may stand before it. */
export function firstWord(argv: readonly string[], specs: Fields): string | undefined {
  return piecesOf(argv, specs).find(({ isFlag }) => !isFlag)?.word
}

/** Whether words stand on both sides of a blank: then it may be a question, which a word never is. */
export function hasBlank(text: string): boolean {
  return /\S\s+\S/.test(text)
}

/** Whether the first word is `help`: `syn help chat`. */
export function isHelpWord(argv: readonly string[]): boolean {
  return firstWord(argv, {}) === 'help'
}

type SummarizedCommand = AnyCommand & { readonly summary: string }

/** The command that the words name, such as `['sessions', 'show']`, and a word that names none of its subcommands. */
export type Target = Readonly<ReturnType<typeof targetOf>>

/** A command line, and the command that it names. */
export interface ParsedLine {
  readonly argv: readonly string[]
  /** The options and fields of the command and its subcommands; those of the program if there is none. */
  readonly specs: Fields
  /** `undefined` if the first word is no command. */
  readonly target?: Target
  readonly command?: { readonly name: string; readonly definition: SummarizedCommand }
}

/** All options and fields of a command and its subcommands. */
export function specsOf({ fields, options, subcommands = {} }: AnyCommand): Fields {
  const nested = Object.values(subcommands).map(specsOf)
  return mergeSpecs(globalOptions, fields, options, ...nested)
}

/** @param specs Those of `specsOf`. @param definition The definition of the command. */
export function targetOf(argv: readonly string[], specs: Fields, definition: SummarizedCommand) {
  const [command, ...words] = argumentsOf(argv, specs)
  // An option of the command may take its name as the value: syn --format embed.
  const path = [command?.word ?? commandName(argv) ?? '']
  for (const { word, index } of words) {
    const { subcommands, arguments: positionals = [] } = definition
    if (!subcommands) break
    const next = Object.hasOwn(subcommands, word) ? subcommands[word] : undefined
    if (!next) {
      // The word may be the value of an unknown option, which commander reports.
      const isSure = piecesOf(argv, specs).every((piece) => !piece.isFlag || piece.known || piece.index > index)
      return positionals.length === 0 && isSure ? { path, definition, unknown: word } : { path, definition }
    }
    path.push(word)
    definition = next
  }
  return { path, definition }
}

/**
 * Rewrites a bare `--logprobs` to `--logprobs=true`. With commander's optional values, `--logprobs hi` would take the
 * prompt as the value.
 */
export function attachBareValues(argv: readonly string[], specs: Fields): string[] {
  const words = [...argv]
  for (const { word, index, known } of piecesOf(argv, specs)) {
    if (known && known.flag === word && !known.isNegated && kindOf(known.spec).flag.value === 'attached') {
      words[index] = `${word}=true`
    }
  }
  return words
}
