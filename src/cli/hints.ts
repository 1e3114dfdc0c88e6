/** The errors for command lines that are refused, with the line to type instead. Loaded only after a failure. */

import { UsageError } from '../errors.ts'
import { flagName, flagOf, mergeRows } from '../fields/field.ts'
import { globalOptions, helpOption, versionOption } from '../fields/global-options.ts'
import { kindOf } from '../fields/kinds.ts'
import { suggestion } from '../fields/nearest.ts'
import { checkCombinations } from '../fields/parse.ts'
import { invalidValue } from '../fields/problem.ts'
import { similarField } from '../fields/request-variants.ts'
import { uncheckedHint } from '../fields/unchecked.ts'
import { quote } from '../io/json/json.ts'
import { shownWord, typedLine } from '../io/text/shell-word.ts'
import { argumentsOf, flagIn, hasBlank, knownFlag, type ParsedLine, piecesOf } from './argv.ts'
import {
  asText,
  commandFirst,
  correctCommand,
  correctLine,
  correctTypo,
  takesItsWords,
  withAssignment,
  withAssignments,
} from './meant-line.ts'
import { strayValue, type StrayValue } from './misread-words.ts'
import { readLine, runLine, type Refusal } from './program.ts'
import { registry } from './registry.ts'
import { hasKey, isKeyFlag, keyHintFor, withoutKeyCommand } from './secret-words.ts'
import { flagHints } from './synonyms.ts'

export function usageError(refusal: Refusal, line: ParsedLine): Promise<UsageError> {
  if (refusal === 'unknown command') return unknownCommand(line)
  return refusal === 'unknown subcommand' ? unknownSubcommand(line) : refusedByParser(refusal, line)
}

/** For `--stream false hi`, with both ways to write it. */
export async function strayValueError(stray: StrayValue, { argv, rows }: ParsedLine): Promise<UsageError> {
  const [typed = '', word = ''] = argv.slice(stray.index - 1)
  const lines = [withAssignment(stray, argv), asText(argv, stray.index, rows)]
  return new UsageError(`${typed} ${word} is ambiguous: write a value after =, and text after --`, {
    hint: await use(...lines),
  })
}

/** For `syn chat help` and `syn chat quota`, where the word would be a prompt. */
export function commandWordError(word: string, line: ParsedLine): UsageError {
  const meant = word === 'help' ? helpOf(line) : `syn ${word}`
  return new UsageError(`"${word}" alone is not sent`, { hint: `use ${meant}, or put -- before the word to send it` })
}

const noIo = { columns: () => 80, hasInput: false }

/** `use` and those of the lines that are accepted; a reference to the help instead of a line that would be refused. */
async function use(...lines: string[][]): Promise<string> {
  const [first = []] = lines
  if (hasKey(first)) return keyHintFor(first)
  const accepted: string[] = []
  for (const one of lines) {
    const argv = withAssignments(one, (await readLine(one)).rows)
    if (await isAccepted(argv)) accepted.push(typedLine(['syn', ...withoutKeyCommand(argv)]))
  }
  return accepted.length > 0 ? `use ${accepted.join(', or ')}` : `see ${helpOf(await readLine(first))}`
}

/** Whether the parser takes a line. Values of flags are not checked. */
async function isAccepted(argv: readonly string[]): Promise<boolean> {
  try {
    const { refusal } = await runLine(argv, noIo, (definition, invocation) => {
      const { fields, options, arguments: positionals = [] } = definition
      checkCombinations({ ...options, ...globalOptions, ...fields }, positionals, invocation)
      return Promise.resolve()
    })
    return refusal === undefined
  } catch (error) {
    if (error instanceof UsageError) return false
    throw error
  }
}

function helpOf({ target }: ParsedLine): string {
  return ['syn', ...(target?.path ?? []), '--help'].join(' ')
}

async function refusedByParser({ code, message }: Exclude<Refusal, string>, line: ParsedLine): Promise<UsageError> {
  const { argv } = line
  const [, quoted = ''] = /'(.*)'/s.exec(message) ?? []
  const hint = `see ${helpOf(line)}`
  switch (code) {
    case 'commander.unknownOption':
      return (await otherFieldError(quoted, line)) ?? unknownOption(quoted, line)
    case 'commander.optionMissingArgument':
      return new UsageError(`${/--[\w-]+/.exec(quoted)?.[0] ?? quoted}: missing value`)
    case 'commander.missingArgument':
      return new UsageError(`missing argument ${quoted.toUpperCase()}`, { hint })
    case 'commander.excessArguments': {
      const [, most = '0', given = ''] = /Expected (\d+) arguments? but got (\d+)/.exec(message) ?? []
      const limit = `at most ${most} argument${most === '1' ? '' : 's'}, got ${given}`
      const template = argumentsOf(argv, {}).find(({ word }) => line.target?.path[0] === 'batch' && word.includes('{{'))
      const meant = template ? argv.toSpliced(template.index, 0, '-t') : await correctLine(argv)
      const takes = `${quoted} takes ${most === '0' ? 'no arguments' : limit}`
      if (hasKey(argv)) return new UsageError(takes, { hint: keyHintFor(argv) })
      return new UsageError(takes, { hint: isChanged(meant, argv) ? await use(meant) : hint })
    }
    default:
      return new UsageError(message.replace(/^error: /, ''))
  }
}

async function unknownOption(typed: string, line: ParsedLine): Promise<UsageError> {
  const { argv, rows, target: { path } = { path: [] } } = line
  // -kKEY is no flag of a name.
  const [, flag, value] = /^(--?[A-Za-z][\w-]*)(?:=(.*))?$/s.exec(typed.replace(/^-k.*/s, '-k')) ?? []
  const assigned = typed.startsWith('-=') ? argv.find((word) => /^-[a-z]=/i.test(word)) : undefined
  const corrected = await correctLine(argv)
  if (assigned !== undefined && !corrected.includes(assigned)) {
    return new UsageError(`${assigned.slice(0, 2)} takes no value after =`, { hint: await use(corrected) })
  }
  if (flag === undefined) {
    const text = asText(['chat', ...argv], argv.indexOf(typed) + 1, (await readLine(['chat'])).rows)
    const hint = path.length === 0 ? await use(text) : 'put -- before text that starts with a dash'
    return new UsageError(`unknown option ${quote(shownWord(typed))}`, { hint })
  }
  if (isKeyFlag(typed)) return new UsageError(`unknown option ${shownWord(flag)}`, { hint: keyHintFor(argv) })
  const known = value === undefined ? undefined : knownFlag(flag, rows)
  if (known?.flag === flag) {
    if (known.isNegated || flag === '--help') return new UsageError(`${flag} takes no value`)
    return invalidValue(flag, { path: [], found: quote(value), expected: 'true or false' })
  }
  const index = argv.indexOf(typed)
  const isBefore = path.length === 0 || (index !== -1 && index < argv.indexOf(path[0] ?? ''))
  const ordered = isBefore ? await readLine(await commandFirst(argv)) : line
  const meant = isBefore ? await correctLine(ordered.argv) : corrected
  const isElsewhere = isBefore && piecesOf(ordered.argv, ordered.rows).some((one) => one.word === typed && one.known)
  const message = isElsewhere ? `option ${flag} is not valid here` : `unknown option ${shownWord(flag)}`
  if (isElsewhere || isChanged(meant, ordered.argv)) return new UsageError(message, { hint: await use(meant) })
  const all = mergeRows(rows, ordered.rows, helpOption, path.length === 0 ? versionOption : {})
  const flags = Object.keys(all).map(flagOf)
  const hint = Object.hasOwn(flagHints, flag) ? flagHints[flag] : undefined
  if (hint?.match(/--[a-z-]+/g)?.every((one) => one === '--version' || flags.includes(one)) ?? hint !== undefined) {
    return new UsageError(message, { hint })
  }
  // It belongs to another subcommand.
  if (flags.includes(flag)) return new UsageError(`option ${flag} is not valid here`)
  const negations = Object.entries(all).flatMap(([name, row]) =>
    kindOf(row).flag.negatable ? [`--no-${flagName(name)}`] : [],
  )
  const similar = suggestion(flag, [...flags, ...negations])
  return new UsageError(message + similar, similar === '' ? { hint: `use ${helpOf(line)} to list the options` } : {})
}

/** For an option that is a field of another request. @returns `undefined` for any other, and if the command asks no model. */
async function otherFieldError(typed: string, { argv, command }: ParsedLine): Promise<UsageError | undefined> {
  const [, flag, value] = /^(--[a-z][\w-]*)(?:=(.*))?$/s.exec(typed) ?? []
  const { fields, unsent, options } = command?.definition ?? {}
  if (flag === undefined || !fields?.model || !options?.param) return undefined
  const definitions = await Promise.all(registry.map(async ({ load }) => (await load()).default))
  const found = definitions.map((one) => flagIn(one.fields ?? {}, flag)).find((one) => one && !one.row.required)
  // A required field is what its command is about, such as the prompt: others have their own way to it.
  if (!found || { ...fields, ...options, ...unsent }[found.name]) return undefined
  const { name, row, isNegated } = found
  const similar = similarField(name, fields, row.kind)
  if (similar !== undefined) return new UsageError(`unknown option ${flag} (did you mean ${flagOf(similar)}?)`)
  const next = argv[argv.indexOf(flag) + 1] ?? ''
  const following = /^(?!-).|^-\.?\d/s.test(next) ? next : undefined
  const text = value ?? (kindOf(row).flag.value === 'required' ? following : !isNegated)
  const hint = uncheckedHint(name, row, typeof text === 'string' ? shownWord(text) : text)
  return new UsageError(`unknown option ${flag}`, { hint })
}

async function unknownCommand({ argv, rows }: ParsedLine): Promise<UsageError> {
  const pieces = piecesOf(argv, rows)
  const [first] = argumentsOf(argv, rows)
  const unknown = pieces.find(({ isFlag, known, index }) => isFlag && !known && index < (first?.index ?? 0))
  if (!first || unknown) return unknownOption(unknown?.word ?? '', { argv, rows })

  const message = `unknown command ${quote(shownWord(first.word))}`
  if (hasKey(argv)) return new UsageError(message, { hint: keyHintFor(argv) })
  const stray = strayValue(argv, rows)
  const unquoted = argv.toSpliced(first.index, 1, ...first.word.trim().split(/\s+/))
  const synonym = correctCommand(argv)
  let meant: string[] | undefined
  if (stray?.index === first.index) meant = withAssignment(stray, argv)
  else if (hasBlank(first.word) && (await readLine(unquoted)).command) meant = unquoted
  else if (isChanged(synonym, argv) && (await takesItsWords(synonym))) meant = await correctLine(argv)
  if (meant) return new UsageError(message, { hint: await use(meant) })
  const typo = correctTypo(argv)
  if (typo && (await takesItsWords(typo.argv))) {
    return new UsageError(`${message} (did you mean ${typo.name}?)`, { hint: await use(await correctLine(typo.argv)) })
  }
  const asksHelp = argv[0] === 'help' || argv.includes('--help') || argv.includes('-h')
  if (asksHelp) return new UsageError(message, { hint: 'use syn --help to list the commands' })
  const question = await use(await correctLine(['chat', ...argv]))
  return new UsageError(message, { hint: `syn --help lists the commands; to ask a model, ${question}` })
}

/** For a word after a command that is none of its subcommands. */
async function unknownSubcommand({ argv, rows, target }: ParsedLine): Promise<UsageError> {
  const { definition, unknown: word = '' } = target ?? {}
  const names = Object.keys(definition?.subcommands ?? {})
  const message = `unknown subcommand ${quote(shownWord(word))}`
  if (isChanged(correctCommand(argv), argv))
    return new UsageError(message, { hint: await use(await correctLine(argv)) })
  const typed = argumentsOf(argv, rows).map((piece) => piece.word)
  const hint = definition?.wordHint?.(word, typed.slice(typed.indexOf(word) + 1))
  return new UsageError(message + suggestion(word, names), { hint: hint ?? `available: ${names.join(', ')}` })
}

function isChanged(line: readonly string[], argv: readonly string[]): boolean {
  return line.length !== argv.length || line.some((word, index) => word !== argv[index])
}
