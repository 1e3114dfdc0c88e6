/**
 * What may be typed where, drawn from the registry and the tables, and what a value is completed with. The script of each
 * shell is rendered from it.
 */

import type { AnyCommand, Argument } from '../command.ts'
import { type Completes, type Field, type Fields, flagName, flagOf } from '../fields/field.ts'
import { globalOptions, type GlobalValues, helpOption, versionOption } from '../fields/global-options.ts'
import { kindOf } from '../fields/kinds.ts'
import { rowHelp } from '../fields/terms.ts'

export interface CommandLine {
  /** The program itself first, then each command and its subcommands. */
  readonly nodes: readonly CommandNode[]
  /** Flags that every node takes besides its own. */
  readonly everywhere: readonly Flag[]
}

/** A command after which words may follow: `syn` itself, `syn chat`, `syn config get`. */
export interface CommandNode {
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
  /** The names that mean the same: `-m` and `--model`. */
  readonly names: readonly string[]
  readonly help: string
  /** For the value in the next word or after `=`; absent when the flag takes none. */
  readonly offers?: readonly Offer[]
}

/** What is offered for an argument. */
export interface ArgumentRule {
  /** TokenCountReply from 0; absent when it holds for all of them. */
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

/** Lists that only the program knows, and prints for the scripts: `syn completion models`. */
export const nameLists = ['models', 'embedding-models', 'profiles', 'conversations'] as const
export type NameList = (typeof nameLists)[number]

export function isNameList(word: string): word is NameList {
  return (nameLists as readonly string[]).includes(word)
}

/** Options that decide what stands in the lists; a script passes them on. */
export const decisiveFlags = (['profile', 'baseUrl', 'sandbox'] as const satisfies (keyof GlobalValues)[]).map(flagOf)

export type Offer =
  /** One that ends in a colon is a beginning, which is typed on. */
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'names'; readonly list: NameList }
  | { readonly kind: 'path' }
  | { readonly kind: 'path after @' }

export function commandLineOf(commands: readonly NamedCommand[]): CommandLine {
  const program: CommandNode = { path: '', subcommands: commands, flags: flagsOf(versionOption), arguments: [] }
  const below = commands.flatMap(({ name, definition }) => nodesBelow(name, definition))
  return { nodes: [program, ...below], everywhere: flagsOf({ ...globalOptions, ...helpOption }) }
}

function nodesBelow(path: string, definition: AnyCommand): CommandNode[] {
  const subcommands = Object.entries(definition.subcommands ?? {})
  const node: CommandNode = {
    path,
    subcommands: subcommands.map(([name, { summary }]) => ({ name, summary })),
    flags: flagsOf({ ...definition.options, ...definition.fields }),
    arguments: (definition.arguments ?? []).flatMap(rulesOf),
  }
  return [node, ...subcommands.flatMap(([name, subcommand]) => nodesBelow(`${path} ${name}`, subcommand))]
}

function flagsOf(rows: Fields): Flag[] {
  return Object.entries(rows).flatMap(([name, row]) => flagsOfRow(name, row))
}

function flagsOfRow(name: string, row: Field): Flag[] {
  const help = brief(rowHelp(row))
  const names = [...(row.short ? [`-${row.short}`] : []), flagOf(name)]
  const { value, negatable } = kindOf(row).flag
  const flag = value === 'required' ? { names, help, offers: offersOf(row) } : { names, help }
  return negatable ? [flag, { names: [`--no-${flagName(name)}`], help: `The opposite of ${flagOf(name)}` }] : [flag]
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
  const sentence = withoutOpenNote(help.split(/\.(?: |$)|; /)[0] ?? '')
  if (sentence.length <= longest) return sentence
  const words = sentence.slice(0, longest).split(' ').slice(0, -1)
  const cut = words.join(' ').replace(/[,:]$/, '')
  const whole = withoutOpenNote(cut)
  return whole === cut ? `${cut}…` : whole
}

/** Leaves out a note in parentheses that was cut, such as a default. */
function withoutOpenNote(text: string): string {
  return text.replace(/ \([^)]*$/, '')
}

/** Nothing is offered for free text and numbers. */
function offersOf(row: Field): Offer[] {
  const kind = kindOf(row)
  const names = [...(row.completes ? [row.completes] : []), ...(kind.completes?.(row) ?? [])]
  // `tool:NAME` is offered as far as it is fixed.
  const words = (kind.words?.(row) ?? []).map((text) => word(text.replace(/:[A-Z]+$/, ':')))
  return [...words, ...names.flatMap((name) => completions[name])]
}

function argumentOffers({ choices = [], completes }: Argument): Offer[] {
  return [...choices.map(word), ...(completes ? completions[completes] : [])]
}

/** How scripts write an offer: lists and paths in angle brackets, to tell them from words. */
export function markOf(offer: Offer): string {
  switch (offer.kind) {
    case 'word':
      return offer.word
    case 'names':
      return `<${offer.list}>`
    case 'path':
      return '<path>'
    case 'path after @':
      return '<@path>'
  }
}

const completions: Readonly<Record<Completes, readonly Offer[]>> = {
  file: [{ kind: 'path' }],
  '@file': [{ kind: 'path after @' }],
  'generating model': [{ kind: 'names', list: 'models' }],
  'embedding model': [{ kind: 'names', list: 'embedding-models' }],
  model: [
    { kind: 'names', list: 'models' },
    { kind: 'names', list: 'embedding-models' },
  ],
  profile: [{ kind: 'names', list: 'profiles' }],
  conversation: [{ kind: 'names', list: 'conversations' }],
}

function word(text: string): Offer {
  return { kind: 'word', word: text }
}
