/** The parser of a command line: commander, with the arguments and options of the command that the line names. */

import { Command, CommanderError, Option } from 'commander'
import type { AnyCommand } from '../command.ts'
import { UsageError } from '../errors.ts'
import { flagName, flagOf, mergeSpecs, type Field, type Fields } from '../fields/field.ts'
import { globalOptions, programOptions } from '../fields/global-options.ts'
import { kindOf } from '../fields/kinds.ts'
import type { RawFlag } from '../fields/parse.ts'
import type { Invocation } from '../fields/tables.ts'
import { attachBareValues, mayContain, type ParsedLine } from './argv.ts'

type RunCommand = (definition: AnyCommand, invocation: Invocation) => Promise<void>

/**
 * Parses a command line that does not ask for help, and runs its command.
 * @returns why the line is refused.
 * @throws UsageError for an option that is not valid there; what `run` throws.
 */
export async function parseLine(line: ParsedLine, run: RunCommand): Promise<CommanderError | undefined> {
  const { argv, specs, command } = line
  const program = new Command('syn')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .enablePositionalOptions()
    .helpOption(false)
    .action(() => undefined)
  mountOptions(program, { ...globalOptions, ...programOptions }, argv)
  if (command) declareCommand(program.command(command.name), command.definition, line, run)
  try {
    await program.parseAsync(attachBareValues(argv, specs), { from: 'user' })
    return undefined
  } catch (error) {
    if (error instanceof CommanderError) return error
    throw error
  }
}

/** Declares a command's arguments and options on commander, without the options that the command line cannot contain. */
export function declareCommand(command: Command, definition: AnyCommand, line: ParsedLine, run: RunCommand): void {
  const { argv } = line
  command.allowExcessArguments(false).helpOption(false)
  for (const { name, required, many } of definition.arguments ?? []) {
    const term = many ? `${name}...` : name
    command.argument(required ? `<${term}>` : `[${term}]`)
  }
  for (const table of [definition.options, definition.fields, globalOptions]) mountOptions(command, table ?? {}, argv)
  for (const [name, subcommand] of Object.entries(definition.subcommands ?? {})) {
    declareCommand(command.command(name), subcommand, line, run)
  }
  if (definition.run) {
    command.action(async () => {
      refuseForeign(command)
      await run(definition, { words: command.args, typed: typedFlags(command, definition, argv) })
    })
  }
}

function mountOptions(command: Command, specs: Fields, argv: readonly string[]): void {
  for (const [name, spec] of Object.entries(specs)) {
    if (!mayContain(argv, name, spec)) continue
    for (const option of optionsOf(name, spec)) command.addOption(option)
  }
}

function optionsOf(name: string, spec: Field): Option[] {
  const { value, negatable, repeatable } = kindOf(spec).flag
  const option = new Option(`${spec.short ? `-${spec.short}, ` : ''}${flagOf(name)}${valueTerms[value]}`)
  if (repeatable || 'several' in spec) option.argParser((text, before?: string[] | false) => [...(before || []), text])
  const negation = negatable ? [new Option(`--no-${flagName(name)}`)] : []
  const assignments = value === 'none' ? [true, false].map((one) => new Assignment(flagOf(name), one)) : []
  return [option, ...negation, ...assignments]
}

/** `--json=false`, as an option of its own: commander passes no value to a flag that works without one. */
class Assignment extends Option {
  readonly #flag: string

  constructor(flag: string, value: boolean) {
    super(`${flag}=${value}`)
    this.#flag = flag
    this.preset(value)
  }

  override attributeName(): string {
    return new Option(this.#flag).attributeName()
  }
}

/** Commander's notation for the value of a flag. */
const valueTerms = { none: '', required: ' <value>', optional: ' [value]', attached: ' <value>' } as const

/** Options may come before or after the command's name; the last one wins. Commander's own merge prefers the first. */
function optionValues(command: Command): Record<string, RawFlag | undefined> {
  return { ...(command.parent && optionValues(command.parent)), ...command.opts<Record<string, RawFlag | undefined>>() }
}

/** @throws UsageError for an option that only the parent command has: `syn config --json get model`, `syn --version chat`. */
function refuseForeign(command: Command): void {
  const { parent } = command
  if (!parent) return
  const own = new Set(command.options.map((option) => option.attributeName()))
  const foreign = Object.keys(parent.opts()).find((name) => !own.has(name))
  if (foreign !== undefined) throw new UsageError(`option ${flagOf(foreign)} is not valid here`)
}

function typedFlags(command: Command, definition: AnyCommand, argv: readonly string[]): Map<string, RawFlag> {
  const typed = new Map<string, RawFlag>()
  const values = optionValues(command)
  for (const [name, spec] of Object.entries(mergeSpecs(definition.fields, definition.options, globalOptions))) {
    if (!mayContain(argv, name, spec)) continue
    const value = values[new Option(flagOf(name)).attributeName()]
    if (value !== undefined) typed.set(name, value)
  }
  return typed
}
