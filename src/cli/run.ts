/** Runs the program, from the arguments to the exit status. The only place that reports errors. */

import { Command, CommanderError } from 'commander'
import type { AnyCommand } from '../command.ts'
import type { Invocation } from '../context.ts'
import { exitCodes, UsageError } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { globalOptions } from '../fields/global-options.ts'
import { rejectExpandedPatterns } from './expanded-pattern.ts'
import { programHelp } from './help.ts'
import { type Io, writeText } from '../io/io.ts'
import { Secrets } from '../io/secrets.ts'
import {
  attachBareValues,
  bareQuestion,
  commandName,
  isBriefHelp,
  rowsOf,
  strayValue,
  type Target,
  targetOf,
} from './argv.ts'
import { mountCommand, mountOptions, pathOf } from './mount.ts'
import { registry } from './registry.ts'
import { rejectSwallowedOptions } from './swallowed-option.ts'

/**
 * @param argv The arguments after the program's name.
 * @returns the exit status.
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const secrets = new Secrets()
  secrets.add(io.env.SYN_API_KEY?.trim() ?? '')
  try {
    await runProgram(argv, io, secrets)
    return exitCodes.done
  } catch (error) {
    const { Notices } = await import('../notices.ts')
    // The arguments may be the error, so they are not parsed here: --debug counts anywhere among them.
    return new Notices(io.err, secrets, { debug: argv.includes('--debug') }).fail(error)
  }
}

async function runProgram(typed: readonly string[], io: Io, secrets: Secrets): Promise<void> {
  const question = bareQuestion(typed, (word) => registry.some(({ name }) => name === word))
  const argv = question === undefined ? typed : ['chat', '--', question]
  const help: string[] = []
  const isBrief = isBriefHelp(argv)
  const program = createProgram(io, help, isBrief)
  const named = commandName(argv)
  let rows: Fields = globalOptions
  let target: Target | undefined
  const invoke = async (definition: AnyCommand, invocation: Invocation): Promise<void> => {
    rejectSwallowedOptions(argv, rows)
    rejectExpandedPatterns(argv, rows)
    const stray =
      invocation.words.length > 1 && definition.arguments?.some(({ many }) => many) && strayValue(argv, rows)
    if (stray) throw (await import('./usage-error.ts')).strayValueError(stray, { argv, rows })
    await runCommand(definition, invocation, io, secrets)
  }
  for (const row of registry) {
    const command = program.command(row.name)
    if (row.name !== named) continue
    const { default: definition } = await row.load()
    mountCommand(command, row.summary, definition, invoke, isBrief)
    rows = rowsOf(definition)
    target = targetOf(argv, rows, definition)
  }
  if (named !== undefined && !target) throw await (await import('./usage-error.ts')).unknownCommand(argv)
  if (target?.unknown !== undefined) throw await (await import('./usage-error.ts')).unknownSubcommand(target, argv)
  try {
    await program.parseAsync(attachBareValues(argv, rows), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0)
      throw await (await import('./usage-error.ts')).usageError(error, { argv, path: target?.path ?? [], rows })
  } finally {
    if (help.length > 0) await writeText(io.out, help.join(''))
  }
}

function createProgram(io: Io, help: string[], isBrief: boolean): Command {
  const program = new Command('syn')
  program
    .exitOverride()
    .configureHelp({ formatHelp: (_command, { helpWidth: width = 80 }) => programHelp(registry, { isBrief, width }) })
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => void help.push(text),
      writeErr: () => undefined,
      getOutHelpWidth: () => io.out.columns(),
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
        throw (await import('./usage-error.ts')).noHelp(pathOf(command), unknown)
      }
      if (program.getOptionValue('version')) {
        const { packageVersion } = await import('../io/package.ts')
        help.push(`${packageVersion()}\n`)
      } else if (args.length === 0 && !program.getOptionValue('help') && /^(pipe|file)$/.test(io.in.kind)) {
        throw new UsageError('no command', {
          hint: 'to ask a model about standard input, use syn chat; syn --help lists the commands',
        })
      } else command.outputHelp()
    })
    .allowExcessArguments()
  mountOptions(program, globalOptions)
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

async function runCommand(definition: AnyCommand, invocation: Invocation, io: Io, secrets: Secrets): Promise<void> {
  const { createContext } = await import('../context.ts')
  const context = await createContext(definition, invocation, io, secrets)
  try {
    await definition.run?.(context)
  } finally {
    await context.client.close()
  }
}
