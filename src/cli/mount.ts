/** Turns a command's tables into commander's arguments and options. */

import { type Command, Option } from 'commander'
import type { AnyCommand } from '../command.ts'
import type { Invocation } from '../context.ts'
import { UsageError } from '../errors.ts'
import { flagName, flagOf, mergeRows, type Field, type Fields } from '../fields/field.ts'
import { globalOptions } from '../fields/global-options.ts'
import { kindOf } from '../fields/kinds.ts'
import type { RawFlag } from '../fields/parse.ts'
import { mayContain } from './argv.ts'
import { commandHelp } from './help.ts'

export interface Mounting {
  /** The options that the command line cannot contain are left out. */
  readonly argv: readonly string[]
  /** Whether help is limited to one screen. */
  readonly isBrief: boolean
  /** Gets the parsed command line. */
  run(definition: AnyCommand, invocation: Invocation): Promise<void>
}

/** Declares a command's arguments and options on commander. */
export function mountCommand(command: Command, summary: string, definition: AnyCommand, mounting: Mounting): void {
  const { argv, isBrief } = mounting
  command.allowExcessArguments(false)
  for (const { name, required, many } of definition.arguments ?? []) {
    const term = many ? `${name}...` : name
    command.argument(required ? `<${term}>` : `[${term}]`)
  }
  for (const rows of [definition.options, definition.fields, globalOptions]) mountOptions(command, rows ?? {}, argv)
  command.helpOption('-h, --help').configureHelp({
    formatHelp: (_command, { helpWidth: width = 80 }) =>
      commandHelp(pathOf(command), summary, definition, { isBrief, width }),
  })
  for (const [name, subcommand] of Object.entries(definition.subcommands ?? {})) {
    mountCommand(command.command(name), subcommand.summary, subcommand, mounting)
  }
  if (definition.run) {
    command.action(async () => {
      refuseForeign(command)
      await mounting.run(definition, { words: command.args, typed: typedFlags(command, definition, argv) })
    })
  }
}

export function mountOptions(command: Command, rows: Fields, argv: readonly string[]): void {
  for (const [name, row] of Object.entries(rows)) {
    if (!mayContain(argv, name, row)) continue
    for (const option of optionsOf(name, row)) command.addOption(option)
  }
}

/** `syn config get` */
function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

function optionsOf(name: string, row: Field): Option[] {
  const { value, negatable, repeatable } = kindOf(row).flag
  const option = new Option(`${row.short ? `-${row.short}, ` : ''}${flagOf(name)}${valueTerms[value]}`)
  if (repeatable) option.argParser(collect)
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

function collect(text: string, before: string[] = []): string[] {
  return [...before, text]
}

/** Options may come before or after the command's name; the last one wins. Commander's own merge prefers the first. */
function optionValues(command: Command): Record<string, RawFlag | undefined> {
  return { ...(command.parent && optionValues(command.parent)), ...command.opts<Record<string, RawFlag | undefined>>() }
}

/** @throws UsageError for an option that only the parent command has: `syn config --json get model`. */
function refuseForeign(command: Command): void {
  const { parent } = command
  if (!parent?.parent) return
  const own = new Set(command.options.map((option) => option.attributeName()))
  const foreign = Object.keys(parent.opts()).find((name) => !own.has(name))
  if (foreign !== undefined) throw new UsageError(`option ${flagOf(foreign)} is not valid here`)
}

function typedFlags(command: Command, definition: AnyCommand, argv: readonly string[]): Map<string, RawFlag> {
  const typed = new Map<string, RawFlag>()
  const values = optionValues(command)
  for (const [name, row] of Object.entries(mergeRows(definition.fields, definition.options, globalOptions))) {
    if (!mayContain(argv, name, row)) continue
    const value = values[new Option(flagOf(name)).attributeName()]
    if (value !== undefined) typed.set(name, value)
  }
  return typed
}
