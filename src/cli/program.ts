/** Reads a command line: the command that it names, and whether it asks for help, which needs no parser. */

import type { AnyCommand } from '../command.ts'
import { UsageError } from '../errors.ts'
import { globalOptions } from '../fields/global-options.ts'
import type { Invocation } from '../fields/tables.ts'
import { quote } from '../io/json/print.ts'
import { shownWord } from '../io/text/shell-word.ts'
import { argumentsOf, commandName, isHelpWord, type ParsedLine, piecesOf, specsOf, targetOf } from './argv.ts'
import { commandHelp, programHelp } from './help.ts'
import { registry } from './registry.ts'

export async function readLine(argv: readonly string[]): Promise<ParsedLine> {
  const named = commandName(argv)
  const entry = registry.find(({ name }) => name === named)
  if (!entry) return { argv, specs: globalOptions }
  const { name, summary } = entry
  const definition = { ...(await entry.load()).default, summary }
  const specs = specsOf(definition)
  return { argv, specs, target: targetOf(argv, specs, definition), command: { name, definition } }
}

/** Why a command line is refused: a word that is no command, one that is no subcommand, or as commander says it. */
export type Refusal = 'unknown command' | 'unknown subcommand' | { readonly code: string; readonly message: string }

/** The width of help, and whether standard input is a pipe or a file. */
interface ProgramIo {
  columns(): number
  readonly hasInput: boolean
}

/**
 * Parses a command line, and runs its command.
 * @returns also, of a line that was not run, the text to print in its place, or why it is refused.
 * @throws UsageError for a word after `syn help chat`, and an option that is not valid where it stands; what `run` throws.
 */
export async function runLine(
  argv: readonly string[],
  io: ProgramIo,
  run: (definition: AnyCommand, invocation: Invocation, line: ParsedLine) => Promise<void>,
): Promise<ParsedLine & { help?: string; refusal?: Refusal | undefined }> {
  const line = await readLine(argv)
  if (!line.command && commandName(argv) !== undefined) return { ...line, refusal: 'unknown command' }
  if (line.target?.unknown !== undefined) return { ...line, refusal: 'unknown subcommand' }
  const help = await helpFor(line, io)
  if (help !== undefined) return { ...line, help }
  const { parseLine } = await import('./commander-parser.ts')
  const refusal = await parseLine(line, (definition, invocation) => run(definition, invocation, line))
  if (refusal || line.command) return { ...line, refusal }
  if (io.hasInput) {
    throw new UsageError('no command', {
      hint: 'to ask a model about standard input, use syn chat; syn --help lists the commands',
    })
  }
  return { ...line, help: programHelp(registry, { isBrief: isBriefHelp(argv), width: io.columns() }) }
}

/** Help is limited to one screen, unless it is requested with `--help` or `syn help`. */
function isBriefHelp(argv: readonly string[]): boolean {
  return !argv.includes('--help') && !isHelpWord(argv)
}

/**
 * Help, the version or the licenses, if the line asks for them, without commander: neither values nor options are checked.
 * @throws UsageError for a word after `syn help chat`.
 */
async function helpFor({ argv, specs, target, command }: ParsedLine, io: ProgramIo): Promise<string | undefined> {
  const asksByWord = isHelpWord(argv)
  const pieces = piecesOf(argv, asksByWord ? {} : specs)
  const flag = (name: string) => pieces.find(({ word, known }) => known?.name === name && !word.includes('='))
  const ofProgram = command && !asksByWord ? () => undefined : flag
  const [help, version, licenses] = [flag('help'), ofProgram('version'), ofProgram('licenses')]
  if (!help && !asksByWord && !version && !licenses) return undefined
  const { path } = target ?? { path: [] }
  const extra = asksByWord ? argumentsOf(argv, {})[path.length] : undefined
  if (extra) {
    throw new UsageError(`unknown command ${quote([...path, shownWord(extra.word)].join(' '))}`, {
      hint: `see ${['syn', ...path, '--help'].join(' ')}`,
    })
  }
  const program = version || licenses ? await import('../io/process/package.ts') : undefined
  if (program && version) return `${program.packageVersion()}\n`
  // The license of the program, then those of what it contains.
  if (program) return ['LICENSE', 'dist/THIRD-PARTY.txt'].map(program.packageFile).join('\n')
  const layout = { isBrief: isBriefHelp(argv), width: io.columns() }
  return target ? commandHelp(target, layout) : programHelp(registry, layout)
}
