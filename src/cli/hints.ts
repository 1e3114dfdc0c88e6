/** The errors for command lines that are refused. Loaded only after a failure. */

import { UsageError } from '../errors.ts'
import { type Fields, flagName, flagOf, mergeSpecs } from '../fields/field.ts'
import { kindOf } from '../fields/kinds.ts'
import { closest, didYouMean } from '../fields/suggestion.ts'
import { invalidValue } from '../fields/problem.ts'
import { quote } from '../io/json/print.ts'
import { shownWord } from '../io/text/shell-word.ts'
import { argumentsOf, hasBlank, type KnownFlag, knownFlag, type ParsedLine, piecesOf, programSpecs } from './argv.ts'
import { rejectStrayValues, strayValue } from './stray-arguments.ts'
import { readLine, type Refusal } from './program.ts'
import { registry } from './registry.ts'
import { hasKey, isKeyFlag, keyHint } from './typed-keys.ts'
import { removedError } from './removed.ts'
import { synonymOf } from './synonyms.ts'

export async function usageError(refusal: Refusal, line: ParsedLine): Promise<UsageError> {
  const refused = { 'unknown command': unknownCommand, 'unknown subcommand': unknownSubcommand }
  const error =
    removedError(line) ??
    (await (typeof refusal === 'string' ? refused[refusal](line) : refusedByParser(refusal, line)))
  return hasKey(line.argv) ? new UsageError(error.message, { hint: keyHint }) : error
}

async function refusedByParser({ code, message }: Exclude<Refusal, string>, line: ParsedLine): Promise<UsageError> {
  const [, quoted = ''] = /'(.*)'/s.exec(message) ?? []
  const hint = `see ${helpOf(line)}`
  switch (code) {
    case 'commander.unknownOption':
      return unknownOption(quoted, line)
    case 'commander.optionMissingArgument':
      return new UsageError(`${/--[\w-]+/.exec(quoted)?.[0] ?? quoted}: missing value`)
    case 'commander.missingArgument':
      return new UsageError(`missing argument ${quoted.toUpperCase()}`, { hint })
    case 'commander.excessArguments': {
      if (line.target) rejectStrayValues(line.argv, line.specs, line.target.definition)
      const [, most = '0', given = ''] = /Expected (\d+) arguments? but got (\d+)/.exec(message) ?? []
      const limit = `at most ${most} argument${most === '1' ? '' : 's'}, got ${given}`
      return new UsageError(`${quoted} takes ${most === '0' ? 'no arguments' : limit}`, { hint })
    }
    default:
      return new UsageError(message.replace(/^error: /, ''))
  }
}

function helpOf({ target }: ParsedLine): string {
  return ['syn', ...(target?.path ?? []), '--help'].join(' ')
}

async function unknownOption(typed: string, line: ParsedLine): Promise<UsageError> {
  const { argv, command } = line
  if (typed.startsWith('-=')) {
    return new UsageError(`${quote(shownWord(typed.slice(1)))} after a short option is not accepted`, {
      hint: 'write a value after the long one, as in --stream=false',
    })
  }
  // -kKEY is no flag of a name.
  const [, flag, value] = /^(--?[A-Za-z][\w-]*)(?:=(.*))?$/s.exec(typed.replace(/^-k.*/s, '-k')) ?? []
  if (flag === undefined) {
    const hint = 'put -- before text that starts with a dash'
    return new UsageError(`unknown option ${quote(shownWord(typed))}`, { hint })
  }
  if (isKeyFlag(typed)) return new UsageError(`unknown option ${shownWord(flag)}`)

  // An option may stand before the command that it belongs to.
  const name = command?.name ?? argv.find((word) => registry.some((entry) => entry.name === word)) ?? 'chat'
  const specs = mergeSpecs(command ? line.specs : (await readLine([name])).specs, programSpecs)
  const known = knownFlag(flag, specs)
  const wrong = known && value !== undefined ? wrongAssignment(known, value) : undefined
  if (wrong) return wrong
  const message = known ? `option ${flag} is not valid here` : `unknown option ${shownWord(flag)}`
  // A synonym may have its value, as in --format json.
  const next = value ?? argv[argv.indexOf(typed) + 1] ?? ''
  const synonym = synonymOf([`${flag} ${next}`, flag], (meant) => isInstead(meant, specs, line))
  if (synonym !== undefined) return new UsageError(message + didYouMean(synonym))
  if (known) {
    const isBefore = argv.indexOf(typed) < argv.indexOf(name) || !command
    return new UsageError(message, isBefore ? { hint: `put it after the command, as in syn ${name} ${flag}` } : {})
  }
  const similar = closest(flag, flagsIn(specs))
  if (similar !== undefined) return new UsageError(message + didYouMean(similar))
  return new UsageError(message, { hint: `use ${helpOf(line)} to list the options` })
}

/** Whether the command has what a synonym names: all of its options, or the argument, as in `the prompt without an option`. */
function isInstead(meant: string, specs: Fields, { command }: ParsedLine): boolean {
  const options = meant.match(/--[a-z-]+/g)
  if (options) return options.every((one) => knownFlag(one, specs))
  const positionals = command ? (command.definition.arguments ?? []) : [{ name: 'prompt' }]
  return positionals.some((one) => meant.startsWith(`the ${one.name} `))
}

function flagsIn(specs: Fields): string[] {
  return Object.entries(specs).flatMap(([name, spec]) =>
    kindOf(spec).flag.negatable ? [flagOf(name), `--no-${flagName(name)}`] : [flagOf(name)],
  )
}

/** For `--json=yes` and `--no-stream=false`. */
function wrongAssignment({ flag, spec, isNegated }: KnownFlag, value: string): UsageError | undefined {
  if (isNegated || flag === '--help') return new UsageError(`${flag} takes no value`)
  if (kindOf(spec).flag.value === 'required' || /^(true|false)$/.test(value)) return undefined
  return invalidValue(flag, { path: [], found: quote(value), expected: 'true or false' })
}

async function unknownCommand(line: ParsedLine): Promise<UsageError> {
  const { argv, specs } = line
  const [first, second] = argumentsOf(argv, specs)
  const word = first?.word ?? ''
  const unknown = piecesOf(argv, specs).find(
    ({ isFlag, known, index }) => isFlag && !known && index < (first?.index ?? 0),
  )
  if (unknown) return unknownOption(unknown.word, line)
  const stray = strayValue(argv, specs)
  if (stray) return stray
  const names = registry.map(({ name }) => name)
  const meant = synonymOf([`${word} ${second?.word ?? ''}`, word], isCommand) ?? closest(word, names)
  // A question with blanks was asked, unless it begins with a command and its subcommand.
  const advice = hasBlank(word) ? 'write a command without quotes' : 'syn --help lists the commands'
  return new UsageError(`unknown command ${quote(shownWord(word))}${didYouMean(meant)}`, {
    hint: meant === 'login' ? keyHint : `${advice}; to ask a model, use syn chat "QUESTION"`,
  })
}

function isCommand(name: string): boolean {
  const [first] = name.split(' ')
  return first === '--version' || registry.some((entry) => entry.name === first)
}

/** For a word after a command that is none of its subcommands. */
function unknownSubcommand({ target }: ParsedLine): UsageError {
  const { path = [], definition, unknown: word = '' } = target ?? {}
  const names = Object.keys(definition?.subcommands ?? {})
  const message = `unknown subcommand ${quote(shownWord(word))}`
  const elsewhere = synonymOf([`${path.join(' ')} ${word}`], isCommand)
  if (elsewhere !== undefined) return new UsageError(message + didYouMean(`syn ${elsewhere}`))
  const meant = synonymOf([word], (name) => names.includes(name)) ?? closest(word, names)
  return new UsageError(message + didYouMean(meant), { hint: `available: ${names.join(', ')}` })
}
