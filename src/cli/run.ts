/** Runs the program, from the arguments to the exit status. The only place that reports errors. */

import { CommanderError } from 'commander'
import type { AnyCommand } from '../command.ts'
import type { CommandLine } from '../context.ts'
import { exitCodes, UsageError } from '../errors.ts'
import { rejectExpandedPatterns } from './expanded-pattern.ts'
import { type Io, writeText } from '../io/io.ts'
import { Secrets } from '../io/secrets.ts'
import { maskingTerminal } from '../io/terminal-mask.ts'
import { attachBareValues, bareQuestion, commandName } from './argv.ts'
import { loadProgram } from './program.ts'
import { registry } from './registry.ts'
import { mayBeStray, strayValue } from './stray-value.ts'
import { rejectSwallowedOptions } from './swallowed-option.ts'

/**
 * @param argv The arguments after the program's name.
 * @returns the exit status.
 */
export async function run(argv: readonly string[], given: Io): Promise<number> {
  const secrets = new Secrets()
  secrets.add(given.env.SYN_API_KEY?.trim() ?? '')
  const io = { ...given, out: maskingTerminal(given.out, secrets), err: maskingTerminal(given.err, secrets) }
  try {
    await runProgram(argv, io, secrets)
    return exitCodes.done
  } catch (error) {
    if (error instanceof UsageError) await (await import('./secret-words.ts')).addTypedSecrets(argv, io, secrets)
    const { Notices } = await import('../notices.ts')
    // The arguments may be the error, so they are not parsed here: --debug counts anywhere among them.
    return new Notices(io.err, secrets, { debug: argv.includes('--debug') }).fail(error)
  }
}

async function runProgram(typed: readonly string[], io: Io, secrets: Secrets): Promise<void> {
  const question = bareQuestion(typed, (word) => registry.some(({ name }) => name === word))
  const argv = question === undefined ? typed : ['chat', '--', question]
  const { program, help, rows, target } = await loadProgram(
    argv,
    { columns: () => io.out.columns(), hasInput: /^(pipe|file)$/.test(io.in.kind) },
    async (definition, invocation) => {
      rejectSwallowedOptions(argv, rows)
      rejectExpandedPatterns(argv, rows)
      const stray = mayBeStray(definition, invocation, io) ? strayValue(argv, rows) : undefined
      if (stray) throw await (await import('./usage-error.ts')).strayValueError(stray, { argv, rows })
      await runCommand(definition, { ...invocation, argv: typed }, io, secrets)
    },
  )
  if (commandName(argv) !== undefined && !target) throw await (await import('./usage-error.ts')).unknownCommand(argv)
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

async function runCommand(definition: AnyCommand, line: CommandLine, io: Io, secrets: Secrets): Promise<void> {
  const { createContext } = await import('../context.ts')
  const context = await createContext(definition, line, io, secrets)
  try {
    await definition.run?.(context)
  } finally {
    await context.client.close()
  }
}
