/** Finds the command line that was probably meant. Loaded only after a failure. */

import type { Fields } from '../fields/field.ts'
import { nearest } from '../fields/nearest.ts'
import { argumentsOf, commandName, type Piece, piecesOf, programRows, rowsOf, targetOf } from './argv.ts'
import { registry } from './registry.ts'
import { strayValue } from './stray-value.ts'
import { asArgument, commandSynonyms, flagSynonyms } from './synonyms.ts'

/** The options and fields of the command that a corrected command line begins with; those of the program if none does. */
export async function rowsFor(argv: readonly string[]): Promise<Fields> {
  const row = registry.find(({ name }) => name === commandName(argv))
  return row ? rowsOf((await row.load()).default) : programRows
}

/** Replaces what people type from other tools, first the command, then its flags. */
export async function correctLine(argv: readonly string[]): Promise<string[]> {
  const corrected = correctCommand(argv)
  return correctFlags(corrected, await rowsFor(corrected))
}

/** Replaces the words of a command by those of `commandSynonyms`. */
export function correctCommand(argv: readonly string[]): string[] {
  const words = argumentsOf(argv, {})
  const typed = words.map(({ word }) => word.toLowerCase())
  for (const count of [2, 1]) {
    const key = typed.slice(0, count).join(' ')
    const found = typed.length >= count && Object.hasOwn(commandSynonyms, key) ? commandSynonyms[key] : undefined
    const meant = typeof found === 'function' ? found(words[count]?.word ?? '') : found
    // `syn history ls` has two words to correct.
    if (meant !== undefined) return correctCommand(replaceWords(argv, words.slice(0, count), meant.split(' ')))
  }
  return [...argv]
}

/** Whether a command takes the words after its name: `syn history of Rome` is a question. */
export async function takesItsWords(argv: readonly string[]): Promise<boolean> {
  const row = registry.find(({ name }) => name === commandName(argv))
  if (!row) return commandName(argv) === undefined
  const { default: command } = await row.load()
  const rows = rowsOf(command)
  const { path, definition, unknown } = targetOf(argv, rows, command)
  const words = piecesOf(argv, rows).filter(({ isFlag, word }) => !isFlag && word !== 'help')
  return unknown === undefined && (words.length === path.length || (definition.arguments ?? []).length > 0)
}

/** Replaces the flags that the command does not have by those of `flagSynonyms`. */
export function correctFlags(argv: readonly string[], rows: Fields): string[] {
  const corrected = [...argv]
  for (const { word, index } of piecesOf(argv, rows)
    .filter(({ isFlag, known, word }) => isFlag && (!known || isFlagOfValue(word)))
    .toReversed()) {
    const [flag = '', ...rest] = word.split('=')
    const value = rest.length > 0 ? rest.join('=') : corrected[index + 1]
    const meant = meantFlag(flag, value, rows)
    if (!meant) continue
    // A text that begins like a flag would be one.
    const isText = meant.flag === asArgument && value !== undefined && value.startsWith('-')
    if (isText) {
      const line = rest.length > 0 ? corrected.with(index, value) : corrected.toSpliced(index, 1)
      corrected.splice(0, corrected.length, ...asText(line, index, rows))
      continue
    }
    const replaced = meant.flag === asArgument ? [] : [meant.flag]
    if (meant.usesValue) corrected.splice(index, rest.length > 0 ? 1 : 2, ...replaced)
    else corrected.splice(index, 1, ...replaced, ...(rest.length > 0 ? [rest.join('=')] : []))
  }
  return corrected
}

function isFlagOfValue(word: string): boolean {
  return Object.hasOwn(flagSynonyms, word) && typeof flagSynonyms[word] === 'function'
}

/** Puts a word, and the arguments that follow it, behind `--`. */
export function asText(argv: readonly string[], index: number, rows: Fields): string[] {
  const following = argv.slice(index + 1)
  const words = piecesOf(following, rows).filter(({ isFlag }) => !isFlag)
  const flags = following.filter((one, at) => one !== '--' && !words.some((piece) => piece.index === at))
  return [...argv.slice(0, index), ...flags, '--', argv[index] ?? '', ...words.map(({ word }) => word)]
}

/** Replaces a command that is misspelled. */
export function correctTypo(argv: readonly string[]): { argv: string[]; name: string } | undefined {
  const [word] = argumentsOf(argv, {})
  if (!word || isQuestion(word.word)) return undefined
  const name = nearest(
    word.word,
    registry.map((row) => row.name),
  )
  return name === undefined ? undefined : { argv: replaceWords(argv, [word], [name]), name }
}

/** The command of a line whose options stand before its name; `syn chat` if there is no name. */
export async function commandFirst(argv: readonly string[]): Promise<string[]> {
  const rows = await rowsFor(['chat'])
  const pieces = piecesOf(argv, rows)
  const stray = strayValue(argv, rows)
  const position = pieces.findIndex(({ isFlag, index }) => !isFlag && index !== stray?.index)
  const isName = (piece: Piece | undefined): boolean => registry.some(({ name }) => name === piece?.word)
  // The first word may be the value of an option that chat does not have.
  const hasUnknown = position > 0 && !pieces[position - 1]?.known
  const name = pieces.slice(position, position + (hasUnknown ? 2 : 1)).find((piece) => position !== -1 && isName(piece))
  return name === undefined ? ['chat', ...argv] : [name.word, ...argv.toSpliced(name.index, 1)]
}

/** Questions begin with a capital, or with the one question word that looks like `chat`. */
function isQuestion(word: string): boolean {
  return word === 'what' || (/^\p{Lu}/u.test(word) && !registry.some(({ name }) => name === word.toLowerCase()))
}

function meantFlag(
  flag: string,
  value: string | undefined,
  rows: Fields,
): { flag: string; usesValue: boolean } | undefined {
  const has = (one: string): boolean => one === asArgument || piecesOf([one], rows)[0]?.known !== undefined
  const dashed = flag.replaceAll('_', '-')
  if (dashed !== flag && has(dashed)) return { flag: dashed, usesValue: false }
  for (const [key, usesValue] of [
    [`${flag} ${value}`, true],
    [flag, false],
  ] as const) {
    const found = Object.hasOwn(flagSynonyms, key) ? flagSynonyms[key] : undefined
    const meant = (typeof found === 'function' ? found(value ?? '') : (found ?? [])).find(has)
    if (meant !== undefined) return { flag: meant, usesValue }
  }
  return undefined
}

function replaceWords(argv: readonly string[], words: readonly Piece[], by: readonly string[]): string[] {
  const [first] = words
  const others = new Set(words.slice(1).map(({ index }) => index))
  return argv.flatMap((word, index) => {
    if (index === first?.index) return by
    return others.has(index) ? [] : [word]
  })
}
