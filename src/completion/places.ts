/** What may be typed where, drawn from the registry and the tables. The script of each shell is rendered from it. */

import type { AnyCommand, Argument } from '../command.ts'
import { flagName, flagOf, type Field, type Fields } from '../fields/field.ts'
import { globalOptions, helpOption, versionOption } from '../fields/global-options.ts'
import { kindOf } from '../fields/kinds.ts'
import { rowHelp } from '../fields/terms.ts'
import { argumentOffers, offersOf, type Offer } from './offers.ts'

export interface CommandLine {
  /** The program itself first, then each command and its subcommands. */
  readonly places: readonly Place[]
  /** Flags that every place takes besides its own. */
  readonly everywhere: readonly Flag[]
}

/** A command after which words may follow: `syn` itself, `syn chat`, `syn config get`. */
export interface Place {
  /** What is typed to reach it, after `syn`: empty, `chat`, `config get`. */
  readonly path: string
  readonly subcommands: readonly Subcommand[]
  readonly flags: readonly Flag[]
  readonly arguments: readonly ArgumentRule[]
}

export interface Subcommand {
  readonly name: string
  readonly summary: string
}

export interface Flag {
  /** The forms that mean the same: `-m` and `--model`. */
  readonly forms: readonly string[]
  readonly help: string
  /** For the value in the next word or after `=`; absent when the flag takes none. */
  readonly offers?: readonly Offer[]
}

/** What is offered for an argument. */
export interface ArgumentRule {
  /** Counted from 0; absent when it holds for all of them. */
  readonly position?: number
  /** Holds after this word only. */
  readonly before?: string
  readonly offers: readonly Offer[]
}

export interface NamedCommand {
  readonly name: string
  readonly summary: string
  readonly definition: AnyCommand
}

export function commandLineOf(commands: readonly NamedCommand[]): CommandLine {
  const program: Place = { path: '', subcommands: commands, flags: flagsOf(versionOption), arguments: [] }
  const below = commands.flatMap(({ name, definition }) => placesBelow(name, definition))
  return { places: [program, ...below], everywhere: flagsOf({ ...globalOptions, ...helpOption }) }
}

function placesBelow(path: string, definition: AnyCommand): Place[] {
  const subcommands = Object.entries(definition.subcommands ?? {})
  const place: Place = {
    path,
    subcommands: subcommands.map(([name, { summary }]) => ({ name, summary })),
    flags: flagsOf({ ...definition.options, ...definition.fields }),
    arguments: (definition.arguments ?? []).flatMap(rulesOf),
  }
  return [place, ...subcommands.flatMap(([name, subcommand]) => placesBelow(`${path} ${name}`, subcommand))]
}

function flagsOf(rows: Fields): Flag[] {
  return Object.entries(rows).flatMap(([name, row]) => flagsOfRow(name, row))
}

function flagsOfRow(name: string, row: Field): Flag[] {
  const help = brief(rowHelp(row))
  const forms = [...(row.short ? [`-${row.short}`] : []), flagOf(name)]
  const { value, negatable } = kindOf(row).flag
  const flag = value === 'required' ? { forms, help, offers: offersOf(row) } : { forms, help }
  return negatable ? [flag, { forms: [`--no-${flagName(name)}`], help: `The opposite of ${flagOf(name)}` }] : [flag]
}

function rulesOf(argument: Argument, index: number): ArgumentRule[] {
  const position = argument.many ? {} : { position: index }
  const rules = [
    { ...position, offers: argumentOffers(argument) },
    ...Object.entries(argument.rows ?? {}).map(([before, row]) => ({ ...position, before, offers: offersOf(row) })),
  ]
  return rules.filter(({ offers }) => offers.length > 0)
}

/** Longest text beside a word, in columns: lists of completions are narrow. */
const longest = 60

/** The first sentence, or as much of it as fits. */
function brief(help: string): string {
  const sentence = help.split(/\.(?: |$)|; /)[0] ?? ''
  if (sentence.length <= longest) return sentence
  const words = sentence.slice(0, longest).split(' ').slice(0, -1)
  return `${words.join(' ').replace(/[,:]$/, '')}…`
}
