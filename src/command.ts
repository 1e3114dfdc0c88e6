/** What a command is, and how its tables become commander's options. */

import { Command, Option } from 'commander'
import type { CommandContext } from './context.ts'
import { flagName, flagOf, type Field, type Fields } from './fields/field.ts'
import { globalOptions } from './fields/global-options.ts'
import type { Typed } from './fields/parse.ts'

export interface Argument {
  readonly name: string
  readonly help: string
  readonly required?: true
  /** Takes all the words that are left. */
  readonly many?: true
}

export type Example = readonly [purpose: string, line: string]

export interface CommandDefinition<F extends Fields, O extends Fields> {
  /** What `--help` and the man page say below the summary. */
  readonly description?: string
  readonly arguments?: readonly Argument[]
  /** Rows that become the request's body. */
  readonly fields?: F
  /** Rows that steer this tool only. */
  readonly options?: O
  readonly examples: readonly Example[]
  readonly subcommands?: Readonly<Record<string, AnyCommand & { readonly summary: string }>>
  run?(context: CommandContext<F, O>): Promise<void>
}

// oxlint-disable-next-line typescript/no-explicit-any -- a list of commands can't name each one's tables
export type AnyCommand = CommandDefinition<any, any>

/** Keeps the types of a command's tables, so that `run` sees their values typed. */
export function defineCommand<const F extends Fields, const O extends Fields, const M extends object>(
  definition: CommandDefinition<F, O> & M,
): CommandDefinition<F, O> & M {
  return definition
}

/** What was typed for one command: its words, and its flags by row name. */
export interface Invocation {
  readonly words: readonly string[]
  readonly typed: ReadonlyMap<string, Typed>
}

/** Declares a command's arguments and options on commander; `run` gets what was typed. */
export function mountCommand(
  parent: Command,
  definition: AnyCommand,
  run: (definition: AnyCommand, invocation: Invocation) => Promise<void>,
): void {
  if (definition.description) parent.description(`${parent.description()}\n\n${definition.description}`)
  for (const { name, help, required, many } of definition.arguments ?? []) {
    const term = many ? `${name}...` : name
    parent.argument(required ? `<${term}>` : `[${term}]`, help)
  }
  mountOptions(parent, definition.options ?? {}, 'Options:')
  mountOptions(parent, definition.fields ?? {}, 'Request fields:')
  mountOptions(parent, globalOptions, 'Global options:')
  parent.addHelpText('after', examplesText(definition.examples))
  for (const [name, subcommand] of Object.entries(definition.subcommands ?? {})) {
    mountCommand(parent.command(name).description(subcommand.summary), subcommand, run)
  }
  if (definition.run) {
    parent.action(async () => {
      await run(definition, { words: parent.args, typed: typedFlags(parent, definition) })
    })
  }
}

export function mountOptions(command: Command, rows: Fields, group: string): void {
  for (const [name, row] of Object.entries(rows)) {
    for (const option of optionsOf(name, row)) command.addOption(option.helpGroup(group))
  }
}

function optionsOf(name: string, row: Field): Option[] {
  const short = row.short ? `-${row.short}, ` : ''
  const help = row.deprecated ? `${row.help} (deprecated: use ${row.deprecated})` : row.help
  const negation = new Option(`--no-${flagName(name)}`).hideHelp()
  switch (row.kind) {
    case 'switch':
      return [new Option(`${short}${flagOf(name)}`, help)]
    case 'boolean':
      return [new Option(`${short}${flagOf(name)}`, help), negation]
    case 'boolean or number':
      return [new Option(`${flagOf(name)} <N>`, help), negation]
    case 'texts':
      return [new Option(`${short}${flagOf(name)} <${placeholderOf(row)}>`, help).argParser(collect)]
    case 'text':
    case 'model':
    case 'number':
    case 'object':
    case 'array':
    case 'choice or object':
    case 'document':
      return [new Option(`${short}${flagOf(name)} <${placeholderOf(row)}>`, help)]
  }
}

function collect(text: string, before: string[] = []): string[] {
  return [...before, text]
}

/** What stands for a value in help and man pages. */
export function placeholderOf(row: Field): string {
  if (row.placeholder) return row.placeholder
  switch (row.kind) {
    case 'text':
      return row.choices?.join('|') ?? 'TEXT'
    case 'texts':
      return 'TEXT'
    case 'model':
      return 'MODEL'
    case 'number':
    case 'boolean or number':
      return 'N'
    case 'object':
    case 'array':
      return 'JSON'
    case 'choice or object':
      return [...row.words, 'JSON'].join('|')
    case 'document':
      return 'FILE'
    case 'boolean':
    case 'switch':
      return ''
  }
}

/** The flag as help shows it: `-m, --model MODEL`, `--[no-]stream`, `--[no-]logprobs[=N]`. */
export function flagTerm(name: string, row: Field): string {
  const short = row.short ? `-${row.short}, ` : '    '
  if (row.kind === 'switch') return `${short}${flagOf(name)}`
  if (row.kind === 'boolean') return `${short}--[no-]${flagName(name)}`
  if (row.kind === 'boolean or number') return `${short}--[no-]${flagName(name)}[=N]`
  return `${short}${flagOf(name)} ${placeholderOf(row)}`
}

function typedFlags(command: Command, definition: AnyCommand): Map<string, Typed> {
  const typed = new Map<string, Typed>()
  const values = command.optsWithGlobals<Record<string, Typed | undefined>>()
  for (const name of Object.keys({ ...definition.fields, ...definition.options, ...globalOptions })) {
    const value = values[new Option(flagOf(name)).attributeName()]
    if (value !== undefined) typed.set(name, value)
  }
  return typed
}

function examplesText(examples: readonly Example[]): string {
  return `\nExamples:\n${examples.map(([purpose, line]) => `  # ${purpose}\n  ${line}`).join('\n\n')}\n`
}

/**
 * Rewrites a bare `--logprobs` to `--logprobs=true`. An optional value of commander's would swallow the prompt in
 * `--logprobs hi`; declared with a required one, the flag takes only what is attached to it.
 */
export function attachBareValues(argv: readonly string[], rows: Fields): string[] {
  const bare = new Set<string>()
  const valued = new Set<string>()
  for (const [name, row] of Object.entries(rows)) {
    if (row.kind === 'boolean or number') bare.add(flagOf(name))
    else if (row.kind !== 'boolean' && row.kind !== 'switch') {
      valued.add(flagOf(name))
      if (row.short) valued.add(`-${row.short}`)
    }
  }
  const end = argv.indexOf('--')
  return argv.map((word, index) => {
    const isText = end !== -1 && index > end
    return bare.has(word) && !isText && !valued.has(argv[index - 1] ?? '') ? `${word}=true` : word
  })
}
