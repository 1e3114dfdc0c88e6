/** The parser of a command line: commander, with the command that the line names. */

import { Command } from 'commander'
import type { AnyCommand } from '../command.ts'
import type { Invocation } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { globalOptions } from '../fields/global-options.ts'
import { quote } from '../io/json.ts'
import { shownWord } from '../io/shell-word.ts'
import { commandName, isBriefHelp, rowsOf, type Target, targetOf } from './argv.ts'
import { programHelp } from './help.ts'
import { mountCommand, mountOptions, pathOf } from './mount.ts'
import { registry } from './registry.ts'

export interface LoadedProgram {
  readonly program: Command
  /** What is printed of help, once the line is parsed. */
  readonly help: readonly string[]
  /** The options and fields of the command; those of the program if there is none. */
  readonly rows: Fields
  /** `undefined` if the first word is no command. */
  readonly target: Target | undefined
}

/** What the parser knows of the streams. */
interface ProgramIo {
  /** The width of help. */
  columns(): number
  /** Whether standard input is a pipe or a file. */
  readonly hasInput: boolean
}

/**
 * @param run Gets the parsed line.
 */
export async function loadProgram(
  argv: readonly string[],
  io: ProgramIo,
  run: (definition: AnyCommand, invocation: Invocation) => Promise<void>,
): Promise<LoadedProgram> {
  const help: string[] = []
  const isBrief = isBriefHelp(argv)
  const program = createProgram(argv, io, help, isBrief)
  const named = commandName(argv)
  let rows: Fields = globalOptions
  let target: Target | undefined
  const row = registry.find(({ name }) => name === named)
  if (row) {
    const { default: definition } = await row.load()
    mountCommand(program.command(row.name), row.summary, definition, { argv, isBrief, run })
    rows = rowsOf(definition)
    target = targetOf(argv, rows, definition)
  }
  return { program, help, rows, target }
}

function createProgram(argv: readonly string[], io: ProgramIo, help: string[], isBrief: boolean): Command {
  const program = new Command('syn')
  program
    .exitOverride()
    .configureHelp({ formatHelp: (_command, { helpWidth: width = 80 }) => programHelp(registry, { isBrief, width }) })
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => void help.push(text),
      writeErr: () => undefined,
      getOutHelpWidth: () => io.columns(),
    })
    .option('-V, --version')
    // With commander's own option, `syn nonsense --help` would print this help and succeed.
    .helpOption(false)
    .option('-h, --help')
    .hook('preSubcommand', () => {
      // `syn --help config get words` prints the help of `syn config get`.
      if (program.getOptionValue('help')) commandOf(program.args).command.help()
    })
    .action(async (_options, { args }: Command) => {
      const start = args.findIndex((word) => word !== 'help')
      const { command, unknown } = commandOf(start === -1 ? [] : args.slice(start))
      if (unknown !== undefined) {
        const typed = [...pathOf(command).split(' ').slice(1), shownWord(unknown)].join(' ')
        throw new UsageError(`unknown command ${quote(typed)}`, { hint: `see ${pathOf(command)} --help` })
      }
      if (program.getOptionValue('version')) {
        const { packageVersion } = await import('../io/package.ts')
        help.push(`${packageVersion()}\n`)
      } else if (args.length === 0 && !program.getOptionValue('help') && io.hasInput) {
        throw new UsageError('no command', {
          hint: 'to ask a model about standard input, use syn chat; syn --help lists the commands',
        })
      } else command.outputHelp()
    })
    .allowExcessArguments()
  mountOptions(program, globalOptions, argv)
  return program

  /** The command that the words name, and the first word that names no command. */
  function commandOf(words: readonly string[]): { command: Command; unknown?: string } {
    let command = program
    for (const word of words) {
      const next = command.commands.find((one) => one.name() === word)
      if (!next) return { command, unknown: word }
      command = next
    }
    return { command }
  }
}
