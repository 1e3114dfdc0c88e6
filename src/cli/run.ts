/** Runs the program, from the arguments to the exit status. The only place that reports errors. */

import type { AnyCommand } from '../command.ts'
import { exitCodes, UsageError } from '../errors.ts'
import type { CommandLine } from '../fields/tables.ts'
import { type Io, writeText } from '../io/io.ts'
import { Secrets } from '../io/secrets.ts'
import { commandName, firstWord, hasBlank } from './argv.ts'
import { rejectStrayArguments } from './stray-arguments.ts'
import { readLine, runLine } from './program.ts'
import { registry } from './registry.ts'

/** @param argv The arguments after the program's name. @returns the exit status. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const secrets = new Secrets()
  secrets.add(io.env.SYN_API_KEY?.trim() ?? '')
  try {
    const [command, flag, line, typed] = argv
    if (command === 'completion' && flag === '--words' && line !== undefined) {
      const { completeLine } = await import('./complete-line.ts')
      await writeText(io.out, await completeLine(line, typed, io, secrets))
    } else await runProgram(argv, io, secrets)
    return exitCodes.done
  } catch (error) {
    if (error instanceof UsageError) await (await import('./typed-keys.ts')).addTypedSecrets(argv, io, secrets)
    const { Notices } = await import('../notices.ts')
    // The arguments may be the error, so they are not parsed here: --debug counts anywhere among them.
    return new Notices(io.err, secrets, { debug: argv.includes('--debug') }).fail(error)
  }
}

async function runProgram(typed: readonly string[], io: Io, secrets: Secrets): Promise<void> {
  const argv = (await asksWithoutCommand(typed)) ? ['chat', ...typed] : typed
  const streams = { columns: () => io.out.columns(), hasInput: /^(pipe|file)$/.test(io.in.kind) }
  const { help, refusal, ...line } = await runLine(argv, streams, async (definition, invocation, parsed) => {
    rejectStrayArguments(parsed, definition)
    await runCommand(definition, { ...invocation, argv: typed }, io, secrets)
  })
  if (help !== undefined) await writeText(io.out, help)
  if (refusal) throw await (await import('./hints.ts')).usageError(refusal, line)
}

/**
 * Whether a command line such as `syn -m MODEL "What is a monad?"` asks a question. One that begins with a command and its
 * subcommand, as in `syn "sessions list"`, is rather a mistake in quoting.
 */
async function asksWithoutCommand(argv: readonly string[]): Promise<boolean> {
  if (!argv.some(hasBlank) || registry.some(({ name }) => name === commandName(argv))) return false
  const question = firstWord(argv, (await readLine(['chat'])).specs) ?? ''
  if (!hasBlank(question)) return false
  const { target } = await readLine(question.trim().split(/\s+/).slice(0, 2))
  return (target?.path.length ?? 0) < 2
}

async function runCommand(definition: AnyCommand, line: CommandLine, io: Io, secrets: Secrets): Promise<void> {
  const { createContext } = await import('../context.ts')
  const context = await createContext(definition, line, io, secrets)
  try {
    await definition.run?.(context)
  } catch (error) {
    const { withHintText } = await import('../hint-words.ts')
    throw withHintText(error, context.notices.voice)
  } finally {
    await context.client.close()
  }
}
