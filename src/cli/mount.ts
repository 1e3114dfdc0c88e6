/** Turns a command's tables into commander's arguments and options. */

import { type Command, Option } from 'commander'
import type { AnyCommand } from '../command.ts'
import type { Invocation } from '../context.ts'
import { UsageError } from '../errors.ts'
import { flagName, flagOf, type Field, type Fields } from '../fields/field.ts'
import { globalOptions } from '../fields/global-options.ts'
import { kindOf } from '../fields/kinds.ts'
import type { RawFlag } from '../fields/parse.ts'
import { commandHelp } from './help.ts'

/**
 * Declares a command's arguments and options on commander; `run` gets the parsed command line.
 * @param isBrief Whether help is limited to one screen.
 */
export function mountCommand(
  command: Command,
  summary: string,
  definition: AnyCommand,
  run: (definition: AnyCommand, invocation: Invocation) => Promise<void>,
  isBrief: boolean,
): void {
  // The command reports an unknown subcommand itself: its hint is more specific.
  command.allowExcessArguments(definition.subcommands !== undefined)
  for (const { name, required, many } of definition.arguments ?? []) {
    const term = many ? `${name}...` : name
    command.argument(required ? `<${term}>` : `[${term}]`)
  }
  for (const rows of [definition.options, definition.fields, globalOptions]) mountOptions(command, rows ?? {})
  command.helpOption('-h, --help').configureHelp({
    formatHelp: (_command, { helpWidth: width = 80 }) =>
      commandHelp(pathOf(command), summary, definition, { isBrief, width }),
  })
  for (const [name, subcommand] of Object.entries(definition.subcommands ?? {})) {
    mountCommand(command.command(name), subcommand.summary, subcommand, run, isBrief)
  }
  if (definition.run) {
    command.action(async () => {
      refuseForeign(command)
      await run(definition, { words: command.args, typed: typedFlags(command, definition) })
    })
  }
}

export function mountOptions(command: Command, rows: Fields): void {
  for (const [name, row] of Object.entries(rows)) {
    for (const option of optionsOf(name, row)) command.addOption(option)
  }
}

/** `syn config get` */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

function optionsOf(name: string, row: Field): Option[] {
  const { value, negatable, repeatable } = kindOf(row).flag
  const option = new Option(`${row.short ? `-${row.short}, ` : ''}${flagOf(name)}${valueTerms[value]}`)
  if (repeatable) option.argParser(collect)
  return negatable ? [option, new Option(`--no-${flagName(name)}`)] : [option]
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

function typedFlags(command: Command, definition: AnyCommand): Map<string, RawFlag> {
  const typed = new Map<string, RawFlag>()
  const values = optionValues(command)
  for (const name of Object.keys({ ...definition.fields, ...definition.options, ...globalOptions })) {
    const value = values[new Option(flagOf(name)).attributeName()]
    if (value !== undefined) typed.set(name, value)
  }
  return typed
}

/** The command's name: the first word that is not a global option, the value of one, or `help`. */
export function commandName(argv: readonly string[]): string | undefined {
  return wordsOf(argv).find((word) => word !== 'help')
}

/**
 * Whether help is limited to one screen: unless it is requested with `--help` or `syn help`. A value that equals
 * `--help` counts as the flag, which is harmless.
 */
export function isBriefHelp(argv: readonly string[]): boolean {
  return !argv.includes('--help') && wordsOf(argv)[0] !== 'help'
}

function wordsOf(argv: readonly string[]): string[] {
  const { valued } = flagsOf(globalOptions)
  return argv.filter((word, index) => !word.startsWith('-') && !valued.has(argv[index - 1] ?? ''))
}

/**
 * Rewrites a bare `--logprobs` to `--logprobs=true`. With commander's optional values, `--logprobs hi` would take the
 * prompt as the value.
 */
export function attachBareValues(argv: readonly string[], rows: Fields): string[] {
  const { bare, valued } = flagsOf(rows)
  const end = argv.indexOf('--')
  return argv.map((word, index) => {
    const isAfterDashes = end !== -1 && index > end
    return bare.has(word) && !isAfterDashes && !valued.has(argv[index - 1] ?? '') ? `${word}=true` : word
  })
}

/** Flags whose value is optional, and those whose value may be the next word. */
function flagsOf(rows: Fields): { bare: Set<string>; valued: Set<string> } {
  const bare = new Set<string>()
  const valued = new Set<string>()
  for (const [name, row] of Object.entries(rows)) {
    const { value } = kindOf(row).flag
    if (value === 'attached') bare.add(flagOf(name))
    if (value === 'required') {
      valued.add(flagOf(name))
      if (row.short) valued.add(`-${row.short}`)
    }
  }
  return { bare, valued }
}
