/** Turns commander's errors into usage errors in this program's words. Loaded only after a failure. */

import type { CommanderError } from 'commander'
import { UsageError } from '../errors.ts'
import { flagOf, type Fields } from '../fields/field.ts'
import { suggestion } from '../fields/nearest.ts'

/**
 * @param command The command on the command line, if there is one.
 * @param rows All its options and fields.
 */
export function usageError(error: CommanderError, command: string | undefined, rows: Fields): UsageError {
  const message = error.message.replace(/^error: /, '').replace(/\n\(Did you mean .+\?\)$/, '')
  const help = `${command === undefined ? 'syn' : `syn ${command}`} --help`
  const [, quoted = ''] = /'(.*)'/s.exec(message) ?? []
  switch (error.code) {
    case 'commander.unknownOption':
      return unknownOption(quoted, help, [
        ...Object.keys(rows).map(flagOf),
        '--help',
        ...(command ? [] : ['--version']),
      ])
    case 'commander.optionMissingArgument':
      return new UsageError(`${/--[\w-]+/.exec(quoted)?.[0] ?? quoted}: missing value`)
    case 'commander.missingArgument':
      return new UsageError(`missing argument ${quoted.toUpperCase()}`, { hint: `see ${help}` })
    case 'commander.excessArguments': {
      const [, most = '0', given = ''] = /Expected (\d+) arguments? but got (\d+)/.exec(message) ?? []
      const taken =
        most === '0' ? 'takes no arguments' : `takes at most ${most} argument${most === '1' ? '' : 's'}, got ${given}`
      return new UsageError(`${quoted} ${taken}`, { hint: `see ${help}` })
    }
    default:
      return new UsageError(message)
  }
}

function unknownOption(typed: string, help: string, flags: readonly string[]): UsageError {
  const [, flag, value] = /^(--?[A-Za-z][\w-]*)(=.*)?$/s.exec(typed) ?? []
  if (flag === undefined) {
    return new UsageError(`unknown option ${JSON.stringify(typed)}`, {
      hint: 'put -- before text that starts with a dash',
    })
  }
  if (value !== undefined && flags.includes(flag)) return new UsageError(`${flag} takes no value`)
  if (/^--?(api-?)?(key|token)$|^-k$/i.test(flag)) {
    const hint = 'the API key is never read from the command line; use syn login to store it, or set SYN_API_KEY'
    return new UsageError(`unknown option ${flag}`, { hint })
  }
  // It belongs to a subcommand, or was given before the command's name.
  if (flags.includes(flag)) return new UsageError(`option ${flag} is not valid here`)
  const similar = suggestion(flag, flags)
  return new UsageError(
    `unknown option ${flag}${similar}`,
    similar === '' ? { hint: `use ${help} to list the options` } : {},
  )
}

/**
 * @param path The command before the word, such as `syn config`.
 * @param names The subcommands of that command; some have none.
 */
export function unknownCommand(path: string, word: string, names: readonly string[]): UsageError {
  const typed = [...path.split(' ').slice(1), word].join(' ')
  return new UsageError(`unknown command ${JSON.stringify(typed)}${suggestion(word, names)}`, {
    hint: names.length === 0 ? `see ${path} --help` : `use ${path} --help to list the commands`,
  })
}
