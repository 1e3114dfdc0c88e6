/** Finds the command line that was probably meant. Loaded only after a failure. */

import type { Fields } from '../fields/field.ts'
import { nearest } from '../fields/nearest.ts'
import { argumentsOf, commandName, knownFlag, type KnownFlag, type Piece, piecesOf } from './argv.ts'
import { strayValue, type StrayValue } from './misread-words.ts'
import { readLine } from './program.ts'
import { registry } from './registry.ts'
import { asArgument, commandsByWord, commandSynonyms, flagsByValue, flagSynonyms } from './synonyms.ts'

/** Replaces what people type from other tools, first the command, then its flags. */
export async function correctLine(argv: readonly string[]): Promise<string[]> {
  const line = correctCommand(argv)
  return correctFlags(line, (await readLine(line)).rows)
}

/** Replaces the words of a command by those of `commandSynonyms`. */
export function correctCommand(argv: readonly string[]): string[] {
  const words = argumentsOf(argv, {})
  for (const count of [2, 1].filter((one) => one <= words.length)) {
    const typed = words.slice(0, count).map(({ word }) => word.toLowerCase())
    const meant = meantCommand(typed.join(' '), words[count]?.word ?? '')
    // `syn history ls` has two words to correct.
    if (meant !== undefined) return correctCommand(replaceWords(argv, words.slice(0, count), meant.split(' ')))
  }
  return [...argv]
}

function meantCommand(typed: string, next: string): string | undefined {
  if (Object.hasOwn(commandsByWord, typed)) return commandsByWord[typed]?.(next)
  return Object.keys(commandSynonyms).find((name) => commandSynonyms[name]?.includes(typed))
}

/** Whether a command takes the words after its name: `syn history of Rome` is a question. */
export async function takesItsWords(argv: readonly string[]): Promise<boolean> {
  const { rows, target } = await readLine(argv)
  if (!target) return commandName(argv) === undefined
  const { path, definition, unknown } = target
  const words = argumentsOf(argv, rows).filter(({ word }) => word !== 'help')
  return unknown === undefined && (words.length === path.length || Boolean(definition.arguments))
}

/** Replaces the flags that the command does not have by those of `flagSynonyms`. */
function correctFlags(argv: readonly string[], rows: Fields): string[] {
  let line = [...argv]
  for (const { word, index, known, isFlag } of piecesOf(argv, rows).toReversed()) {
    if (!isFlag || (known && !Object.hasOwn(flagsByValue, word))) continue
    const [, flag = '', assigned] = /^([^=]*)(?:=(.*))?$/s.exec(word) ?? []
    const following = [...(assigned === undefined ? [] : [assigned]), ...line.slice(index + 1)]
    const [value = '', ...others] = following
    const [meant, usesValue] = meantFlag(flag, assigned, value, rows)
    if (meant === undefined) continue
    line = [...line.slice(0, index), ...(meant === asArgument ? [] : [meant]), ...(usesValue ? others : following)]
    // A text that begins like a flag would be one.
    if (meant === asArgument && value.startsWith('-')) line = asText(line, index, rows)
  }
  return line
}

/** The flag that was meant, and whether that includes the value. */
function meantFlag(
  flag: string,
  assigned: string | undefined,
  value: string,
  rows: Fields,
): readonly [flag: string | undefined, usesValue?: boolean] {
  const has = (one: string): boolean => one === asArgument || knownFlag(one, rows) !== undefined
  const long = knownFlag(flag, rows)?.flag
  if (assigned !== undefined && /^-[a-z]$/i.test(flag) && long !== undefined) return [`${long}=${assigned}`, true]
  const dashed = flag.replaceAll('_', '-')
  if (dashed !== flag && has(dashed)) return [dashed]
  if (Object.hasOwn(flagsByValue, flag)) return [flagsByValue[flag]?.(value).find(has)]
  const synonymOf = (typed: string): string | undefined =>
    Object.keys(flagSynonyms).find((one) => flagSynonyms[one]?.includes(typed) && has(one))
  const withValue = synonymOf(`${flag} ${value}`)
  return withValue === undefined ? [synonymOf(flag)] : [withValue, true]
}

/** Puts a word, and the arguments that follow it, behind `--`. */
export function asText(argv: readonly string[], index: number, rows: Fields): string[] {
  const following = argv.slice(index + 1)
  const words = piecesOf(following, rows).filter(({ isFlag }) => !isFlag)
  const flags = following.filter((one, at) => one !== '--' && !words.some((piece) => piece.index === at))
  return [...argv.slice(0, index), ...flags, '--', argv[index] ?? '', ...words.map(({ word }) => word)]
}

/**
 * Replaces a command that is misspelled, or the only word of a line if it is nearly what other tools call one. Questions begin
 * with a capital, or with the one question word like `chat`.
 */
export function correctTypo(argv: readonly string[]): { argv: string[]; name: string } | undefined {
  const [first, ...others] = argumentsOf(argv, {})
  const names = registry.map(({ name }): string => name)
  const word = first?.word ?? ''
  if (!first || word === 'what' || (/^\p{Lu}/u.test(word) && !names.includes(word.toLowerCase()))) return undefined
  // A typo seldom changes the first letter, and a word of four letters is near to many others.
  const synonyms = Object.values(commandSynonyms).flat()
  const likely = synonyms.filter((one) => one.length > 4 && one.startsWith(word.charAt(0)))
  const synonym = others.length === 0 ? nearest(word, likely) : undefined
  const name = nearest(word, names) ?? (synonym && meantCommand(synonym, ''))
  return name === undefined ? undefined : { argv: replaceWords(argv, [first], name.split(' ')), name }
}

/** The command of a line whose options stand before its name; `syn chat` if there is no name. */
export async function commandFirst(argv: readonly string[]): Promise<string[]> {
  const { rows } = await readLine(['chat'])
  const pieces = piecesOf(argv, rows)
  const stray = strayValue(argv, rows)
  const position = pieces.findIndex(({ isFlag, index }) => !isFlag && index !== stray?.index)
  // The first word may be the value of an option that chat does not have.
  const hasUnknown = position > 0 && !pieces[position - 1]?.known
  const words = position === -1 ? [] : pieces.slice(position, position + (hasUnknown ? 2 : 1))
  const command = words.find(({ word }) => registry.some(({ name }) => name === word))
  return command === undefined ? ['chat', ...argv] : [command.word, ...argv.toSpliced(command.index, 1)]
}

/** `--stream false` → `--stream=false`, for each such flag. */
export function withAssignments(argv: readonly string[], rows: Fields): string[] {
  const stray = strayValue(argv, rows)
  return stray ? withAssignments(withAssignment(stray, argv), rows) : [...argv]
}

export function withAssignment({ known, index, meant }: StrayValue, argv: readonly string[]): string[] {
  if (meant !== undefined) return argv.with(index - 1, meant)
  const [typed = '', word = ''] = argv.slice(index - 1)
  // Of several short flags in one word, the last one has the value.
  const others = /^-[^-]{2,}/.test(typed) ? [typed.slice(0, -1)] : []
  return argv.toSpliced(index - 1, 2, ...others, ...assignmentOf(known, word))
}

/** `--stream false` → `--stream=false`; `--json auto`, where there is nothing to choose, → nothing. */
function assignmentOf({ flag, row, isNegated }: KnownFlag, word: string): string[] {
  const isOn = /^(true|always)$/.test(word)
  if (isNegated) return word === 'auto' ? [] : [isOn ? flag : flag.replace('--no-', '--')]
  if (row.kind === 'boolean or choice' || /^\d+$/.test(word)) return [`${flag}=${word}`]
  return word === 'auto' ? [] : [`${flag}=${isOn}`]
}

function replaceWords(argv: readonly string[], [first, ...others]: readonly Piece[], by: readonly string[]): string[] {
  return argv.flatMap((word, index) => {
    if (index === first?.index) return by
    return others.some((other) => other.index === index) ? [] : [word]
  })
}
