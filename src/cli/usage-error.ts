/** What is wrong with a command line: commander's words as ours. Loaded for a failure only. */

import type { CommanderError } from 'commander'
import { UsageError } from '../errors.ts'
import { flagOf, type Fields } from '../fields/field.ts'
import { suggestion } from '../fields/nearest.ts'

/**
 * @param command The one that was named, if any was.
 * @param rows All that may be set for it.
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
      return new UsageError(`${/--[\w-]+/.exec(quoted)?.[0] ?? quoted}: its value is missing`)
    case 'commander.missingArgument':
      return new UsageError(`${quoted.toUpperCase()} is missing`, { hint: `see ${help}` })
    case 'commander.excessArguments': {
      const [, most = '0', given = ''] = /Expected (\d+) arguments? but got (\d+)/.exec(message) ?? []
      const taken =
        most === '0' ? 'takes no arguments' : `takes ${most} argument${most === '1' ? '' : 's'}, not ${given}`
      return new UsageError(`${quoted} ${taken}`, { hint: `see ${help}` })
    }
    default:
      return new UsageError(message)
  }
}

function unknownOption(typed: string, help: string, flags: readonly string[]): UsageError {
  const [, flag, value] = /^(--?[A-Za-z][\w-]*)(=.*)?$/s.exec(typed) ?? []
  if (flag === undefined) {
    return new UsageError(`unknown option '${typed}'`, { hint: 'put -- before text that starts with a dash' })
  }
  if (value !== undefined && flags.includes(flag)) return new UsageError(`${flag} takes no value`)
  if (/^--?(api-?)?(key|token)$|^-k$/i.test(flag)) {
    const hint = 'a key is never taken from an argument: syn login stores one, SYN_API_KEY sets it for one run'
    return new UsageError(`unknown option ${flag}`, { hint })
  }
  // Known, but not here: it belongs to a subcommand, or stands before the command's name.
  const meant = flags.includes(flag) ? ' in this place' : suggestion(flag, flags)
  return new UsageError(`unknown option ${flag}${meant}`, meant === '' ? { hint: `${help} lists the options` } : {})
}

/**
 * @param path What was typed before the word, such as `syn config`.
 * @param names Of the commands that could follow.
 */
export function unknownCommand(path: string, word: string, names: readonly string[]): UsageError {
  if (names.length === 0) {
    return new UsageError(`${path} has no subcommand ${JSON.stringify(word)}`, { hint: `see ${path} --help` })
  }
  const typed = [...path.split(' ').slice(1), word].join(' ')
  return new UsageError(`unknown command ${JSON.stringify(typed)}${suggestion(word, names)}`, {
    hint: `${path} --help lists the commands`,
  })
}
