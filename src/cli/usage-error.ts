/** Turns commander's errors into usage errors in this program's words. Loaded only after a failure. */

import type { CommanderError } from 'commander'
import { UsageError } from '../errors.ts'
import { flagName, flagOf, type Fields } from '../fields/field.ts'
import { kindOf } from '../fields/kinds.ts'
import { suggestion } from '../fields/nearest.ts'
import { invalidValue } from '../fields/problem.ts'
import { quote } from '../io/json.ts'
import { shownWord } from '../io/shell-word.ts'
import { argumentsOf, commandName, hasBlank, piecesOf, rowsOf, type Target } from './argv.ts'
import {
  asText,
  commandFirst,
  correctCommand,
  correctFlags,
  correctLine,
  correctTypo,
  rowsFor,
  takesItsWords,
} from './first-guess.ts'
import { helpOf, lineHint, withAssignment } from './line-hint.ts'
import { otherFieldError } from './other-field.ts'
import { registry } from './registry.ts'
import { hasKey, isKeyFlag, keyHint, keyHintFor } from './secret-words.ts'
import { strayValue, type StrayValue } from './stray-value.ts'
import { flagHints } from './synonyms.ts'

export interface ParsedLine {
  readonly argv: readonly string[]
  /** The words of the command on the command line; empty if there is none. */
  readonly path: readonly string[]
  /** All options and fields of the command and its subcommands. */
  readonly rows: Fields
}

export async function usageError(error: CommanderError, line: ParsedLine): Promise<UsageError> {
  const { argv, path } = line
  const message = error.message.replace(/^error: /, '').replace(/\n\(Did you mean .+\?\)$/, '')
  const hint = `see ${helpOf(path)}`
  const [, quoted = ''] = /'(.*)'/s.exec(message) ?? []
  switch (error.code) {
    case 'commander.unknownOption':
      return (await otherFieldError(quoted, path[0], argv)) ?? unknownOption(quoted, line)
    case 'commander.optionMissingArgument':
      return new UsageError(`${/--[\w-]+/.exec(quoted)?.[0] ?? quoted}: missing value`)
    case 'commander.missingArgument':
      return new UsageError(`missing argument ${quoted.toUpperCase()}`, { hint })
    case 'commander.excessArguments': {
      const [, most = '0', given = ''] = /Expected (\d+) arguments? but got (\d+)/.exec(message) ?? []
      const taken =
        most === '0' ? 'takes no arguments' : `takes at most ${most} argument${most === '1' ? '' : 's'}, got ${given}`
      if (hasKey(argv)) return new UsageError(`${quoted} ${taken}`, { hint: keyHintFor(argv) })
      const template = argumentsOf(argv, {}).find(({ word }) => path[0] === 'batch' && word.includes('{{'))
      if (template) {
        const line = argv.toSpliced(template.index, 0, '-t')
        return new UsageError(`${quoted} ${taken}`, { hint: await lineHint(line) })
      }
      const corrected = await correctLine(await withoutConfusion(argv, path))
      return new UsageError(`${quoted} ${taken}`, {
        hint: isChanged(corrected, argv) ? await lineHint(corrected) : hint,
      })
    }
    default:
      return new UsageError(message)
  }
}

async function unknownOption(typed: string, { argv, path, rows }: ParsedLine): Promise<UsageError> {
  const [, flag, value] = /^(--?[A-Za-z][\w-]*)(=.*)?$/s.exec(typed) ?? []
  if (isKeyFlag(typed)) {
    return new UsageError(`unknown option ${/^--?[a-z_-]+/i.exec(typed.replace(/^-k.*/s, '-k'))?.[0]}`, {
      hint: keyHint,
    })
  }
  const short = typed.startsWith('-=') ? argv.find((word) => /^-[a-z]=/i.test(word)) : undefined
  const long = short === undefined ? undefined : piecesOf([short.slice(0, 2)], rows)[0]?.known?.flag
  if (short !== undefined && long !== undefined) {
    const line = argv.with(argv.indexOf(short), `${long}${typed.slice(1)}`)
    return new UsageError(`${short.slice(0, 2)} takes no value after =`, { hint: await lineHint(line) })
  }
  if (flag === undefined) {
    const line = asText(['chat', ...argv], argv.indexOf(typed) + 1, await rowsFor(['chat']))
    return new UsageError(`unknown option ${quote(shownWord(typed))}`, {
      hint: path.length === 0 ? await lineHint(line) : 'put -- before text that starts with a dash',
    })
  }
  const negations = Object.entries(rows).flatMap(([name, row]) =>
    kindOf(row).flag.negatable ? [`--no-${flagName(name)}`] : [],
  )
  let flags = [...Object.keys(rows).map(flagOf), '--help', ...(path.length > 0 ? [] : ['--version'])]
  if (value !== undefined && [...flags, ...negations].includes(flag)) {
    const isBoolean = piecesOf([flag], rows)[0]?.known && flags.includes(flag) && flag !== '--help'
    if (!isBoolean) return new UsageError(`${flag} takes no value`)
    return invalidValue(flag, { path: [], found: quote(value.slice(1)), expected: 'true or false' })
  }
  if (isBeforeCommand(typed, argv, path)) {
    const line = await commandFirst(argv)
    const rows = await rowsFor(line)
    const corrected = correctFlags(line, rows)
    const isKnown = piecesOf(line, rows).some((piece) => piece.word === typed && piece.known)
    if (isKnown || isChanged(corrected, line)) {
      const what = isKnown ? `option ${flag} is not valid here` : `unknown option ${shownWord(flag)}`
      return new UsageError(what, { hint: await lineHint(corrected) })
    }
    flags = [...flags, ...Object.keys(rows).map(flagOf)]
  }
  const corrected = correctFlags(await withoutConfusion(argv, path), rows)
  if (isChanged(corrected, argv)) {
    return new UsageError(`unknown option ${shownWord(flag)}`, { hint: await lineHint(corrected) })
  }
  const other = Object.hasOwn(flagHints, flag) ? flagHints[flag] : undefined
  const named = other?.match(/--[a-z-]+/g) ?? []
  if (other !== undefined && named.every((one) => one === '--version' || flags.includes(one))) {
    return new UsageError(`unknown option ${flag}`, { hint: other })
  }
  // It belongs to another subcommand.
  if (flags.includes(flag)) return new UsageError(`option ${flag} is not valid here`)
  const similar = suggestion(flag, [...flags, ...negations])
  const hint = `use ${helpOf(path)} to list the options`
  return new UsageError(`unknown option ${shownWord(flag)}${similar}`, similar === '' ? { hint } : {})
}

/** Whether an option stands before the command's name, or there is none. */
function isBeforeCommand(typed: string, argv: readonly string[], path: readonly string[]): boolean {
  const index = argv.indexOf(typed)
  return path.length === 0 || (index !== -1 && index < argv.indexOf(path[0] ?? ''))
}

/** `syn completion "Once upon a time"` is a mistake for `syn complete`. */
async function withoutConfusion(argv: readonly string[], [command]: readonly string[]): Promise<string[]> {
  if (command !== 'completion') return [...argv]
  const { arguments: [shell] = [] } = (await registry.find(({ name }) => name === command)?.load())?.default ?? {}
  const word = argumentsOf(argv, {})[1]?.word
  // `syn complete` is paid for: only for a line that is certainly not about a script.
  const isAboutScript = word === undefined || shell?.choices?.includes(word)
  return isAboutScript ? [...argv] : argv.with(argv.indexOf(command), 'complete')
}

/** For a command line whose first word is no command. */
export async function unknownCommand(argv: readonly string[]): Promise<UsageError> {
  const words = argumentsOf(argv, {})
  const first = words[0]
  const stray = piecesOf(argv, {}).find(({ isFlag, known, index }) => isFlag && !known && index < (first?.index ?? 0))
  if (stray) return unknownOption(stray.word, { argv, path: [], rows: {} })

  const synonym = correctCommand(argv)
  const typo = correctTypo(argv)
  const asksHelp = argv[0] === 'help' || argv.includes('--help') || argv.includes('-h')
  const message = `unknown command ${quote(shownWord(first?.word ?? ''))}`
  if (hasKey(argv)) return new UsageError(message, { hint: keyHintFor(argv) })
  const value = strayValue(argv, {})
  if (value && value.index === first?.index) {
    return new UsageError(message, { hint: await lineHint(withAssignment(value, argv)) })
  }
  if (first && hasBlank(first.word)) {
    const unquoted = argv.toSpliced(first.index, 1, ...first.word.trim().split(/\s+/))
    if (registry.some(({ name }) => name === commandName(unquoted))) {
      return new UsageError(message, { hint: await lineHint(unquoted) })
    }
  }
  if (isChanged(synonym, argv) && (await takesItsWords(synonym))) {
    return new UsageError(message, { hint: await lineHint(await correctLine(argv)) })
  }
  if (typo && (await takesItsWords(typo.argv))) {
    return new UsageError(`${message} (did you mean ${typo.name}?)`, {
      hint: await lineHint(await correctLine(typo.argv)),
    })
  }
  if (asksHelp) return new UsageError(message, { hint: 'use syn --help to list the commands' })
  const question = await correctLine(['chat', ...argv])
  return new UsageError(message, { hint: await lineHint(question, 'syn --help lists the commands; to ask a model, ') })
}

/** For a word after a command that is none of its subcommands. */
export async function unknownSubcommand(
  { definition, unknown: word = '' }: Target,
  argv: readonly string[],
): Promise<UsageError> {
  const names = Object.keys(definition.subcommands ?? {})
  const typed = argumentsOf(argv, rowsOf(definition)).map((piece) => piece.word)
  const isKnown = isChanged(correctCommand(argv), argv)
  const similar = isKnown ? '' : suggestion(word, names)
  return new UsageError(`unknown subcommand ${quote(shownWord(word))}${similar}`, {
    hint: isKnown
      ? await lineHint(await correctLine(argv))
      : (definition.wordHint?.(word, typed.slice(typed.indexOf(word) + 1)) ?? `available: ${names.join(', ')}`),
  })
}

/** For `syn chat help` and `syn chat quota`, where the word would be a prompt. */
export function commandWordError(word: string, path: readonly string[]): UsageError {
  const meant = word === 'help' ? helpOf(path) : `syn ${word}`
  return new UsageError(`"${word}" alone is not sent`, { hint: `use ${meant}, or put -- before the word to send it` })
}

/** For `--stream false hi`, with both ways to write it. */
export async function strayValueError(
  stray: StrayValue,
  { argv, rows }: Pick<ParsedLine, 'argv' | 'rows'>,
): Promise<UsageError> {
  const { index } = stray
  const [typed = '', word = ''] = argv.slice(index - 1)
  return new UsageError(`${typed} ${word} is ambiguous: write a value after =, and text after --`, {
    hint: await lineHint(withAssignment(stray, argv), '', asText(argv, index, rows)),
  })
}

function isChanged(corrected: readonly string[], argv: readonly string[]): boolean {
  return corrected.length !== argv.length || corrected.some((word, index) => word !== argv[index])
}
