/** The parser of a command line: commander, with the command that the line names. */

import { Command, CommanderError } from 'commander'
import type { AnyCommand, CommandRow } from '../command.ts'
import type { Invocation } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { globalOptions } from '../fields/global-options.ts'
import { quote } from '../io/json/json.ts'
import { shownWord } from '../io/text/shell-word.ts'
import { argumentsOf, attachBareValues, commandName, isBriefHelp, rowsOf, type Target, targetOf } from './argv.ts'
import { programHelp } from './help.ts'
import { rejectMisreadValues } from './misread-words.ts'
import { mountCommand, mountOptions } from './mount.ts'
import { registry } from './registry.ts'

/** A command line, and the command that it names. */
export interface ParsedLine {
  readonly argv: readonly string[]
  /** The options and fields of the command and its subcommands; those of the program if there is none. */
  readonly rows: Fields
  /** `undefined` if the first word is no command. */
  readonly target?: Target
  readonly command?: CommandRow & { readonly definition: AnyCommand }
}

export async function readLine(argv: readonly string[]): Promise<ParsedLine> {
  const named = commandName(argv)
  const row = registry.find(({ name }) => name === named)
  if (!row) return { argv, rows: globalOptions }
  const { default: definition } = await row.load()
  const rows = rowsOf(definition)
  return { argv, rows, target: targetOf(argv, rows, definition), command: { ...row, definition } }
}

/** Why a command line is refused: a word that is no command, one that is no subcommand, or what commander says. */
export type Refusal = 'unknown command' | 'unknown subcommand' | CommanderError

/** What the parser knows of the streams. */
interface ProgramIo {
  /** The width of help. */
  columns(): number
  /** Whether standard input is a pipe or a file. */
  readonly hasInput: boolean
}

/**
 * Parses a command line, and runs its command.
 * @returns also the help to print, and why the line is refused.
 * @throws UsageError for words that would be read otherwise than they are meant; what `run` throws.
 */
export async function runLine(
  argv: readonly string[],
  io: ProgramIo,
  run: (definition: AnyCommand, invocation: Invocation, line: ParsedLine) => Promise<void>,
): Promise<ParsedLine & { readonly help: readonly string[]; readonly refusal?: Refusal }> {
  const help: string[] = []
  const isBrief = isBriefHelp(argv)
  const line = await readLine(argv)
  const program = createProgram(line, io, help, isBrief)
  const { command, rows } = line
  if (command) {
    mountCommand(program.command(command.name), command.summary, command.definition, {
      argv,
      isBrief,
      run: (definition, invocation) => {
        rejectMisreadValues(argv, rows, definition)
        return run(definition, invocation, line)
      },
    })
  } else if (commandName(argv) !== undefined) return { ...line, help, refusal: 'unknown command' }
  if (line.target?.unknown !== undefined) return { ...line, help, refusal: 'unknown subcommand' }
  try {
    await program.parseAsync(attachBareValues(argv, rows), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Help ends the parser with an error of status 0.
    if (error.exitCode !== 0) return { ...line, help, refusal: error }
  }
  return { ...line, help }
}

function createProgram({ argv, target }: ParsedLine, io: ProgramIo, help: string[], isBrief: boolean): Command {
  const path = target?.path ?? []
  const program = new Command('syn')
  const named = (): Command =>
    path.reduce<Command>((parent, name) => parent.commands.find((one) => one.name() === name) ?? parent, program)
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
      if (program.getOptionValue('help')) named().help()
    })
    .action(async (_options, { args }: Command) => {
      const extra = argumentsOf(argv, {})[path.length]
      if (extra) {
        throw new UsageError(`unknown command ${quote([...path, shownWord(extra.word)].join(' '))}`, {
          hint: `see ${['syn', ...path, '--help'].join(' ')}`,
        })
      }
      if (program.getOptionValue('version')) {
        const { packageVersion } = await import('../io/process/package.ts')
        help.push(`${packageVersion()}\n`)
      } else if (args.length === 0 && !program.getOptionValue('help') && io.hasInput) {
        throw new UsageError('no command', {
          hint: 'to ask a model about standard input, use syn chat; syn --help lists the commands',
        })
      } else named().outputHelp()
    })
    .allowExcessArguments()
  mountOptions(program, globalOptions, argv)
  return program
}
