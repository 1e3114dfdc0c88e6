/**
 * The model of the command line: commands, flags, arguments and the completion of their values. It is built from the
 * registry and the tables; the script of each shell is rendered from it.
 */

import type { AnyCommand, Argument } from '../command.ts'
import { type Completes, type Field, type Fields, flagName, flagOf } from '../fields/field.ts'
import { globalOptions, type GlobalValues, helpOption, versionOption } from '../fields/global-options.ts'
import { kindOf } from '../fields/kinds.ts'
import { rowHelp } from '../fields/terms.ts'

export interface CommandLine {
  /** The program itself first, then each command and its subcommands. */
  readonly nodes: readonly CommandNode[]
  /** Flags of every command. */
  readonly globalFlags: readonly Flag[]
}

/** A command or subcommand: `syn` itself, `syn chat`, `syn config get`. */
export interface CommandNode {
  /** Its words after `syn`: empty, `chat`, `config get`. */
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
  /** All its names: `-m` and `--model`. */
  readonly names: readonly string[]
  readonly help: string
  /** For the value in the next word or after `=`; `undefined` if the flag takes no such value. */
  readonly candidates?: readonly CandidateSource[]
  /** For a value that is optional, and only after `=`. */
  readonly attached?: readonly CandidateSource[]
}

/** The candidates for an argument. */
export interface ArgumentRule {
  /** Counted from 0; `undefined` for every position. */
  readonly position?: number
  /** The rule applies only after this word. */
  readonly previousWord?: string
  readonly candidates: readonly CandidateSource[]
}

export interface NamedCommand {
  readonly name: string
  readonly summary: string
  readonly definition: AnyCommand
}

/** Lists that the scripts get from the program: `syn completion models`. */
export const nameLists = ['models', 'embedding-models', 'profiles', 'conversations'] as const
export type NameList = (typeof nameLists)[number]

export function isNameList(word: string): word is NameList {
  return (nameLists as readonly string[]).includes(word)
}

/** Flags that change the contents of these lists; the scripts pass them on. */
export const contextFlags = (['profile', 'baseUrl', 'sandbox'] as const satisfies (keyof GlobalValues)[]).map(flagOf)

/** Where candidates for a value come from. */
export type CandidateSource =
  /** A word that ends with a colon is a prefix, to be continued by the user. */
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'names'; readonly list: NameList }
  | { readonly kind: 'path' }
  | { readonly kind: 'path after @' }
  /** A path, or one after @. */
  | { readonly kind: '[@]path' }

export function commandLineOf(commands: readonly NamedCommand[]): CommandLine {
  const program: CommandNode = { path: '', subcommands: commands, flags: flagsOf(versionOption), arguments: [] }
  const below = commands.flatMap(({ name, definition }) => nodesBelow(name, definition))
  return { nodes: [program, ...below], globalFlags: flagsOf({ ...globalOptions, ...helpOption }) }
}

/** With `syn help`, which takes the words of a command. */
export function withHelpCommand({ nodes, globalFlags }: CommandLine): CommandLine {
  const help = { name: 'help', summary: 'Print the help of a command' }
  const helped = nodes.map((node): CommandNode => {
    return { ...node, path: `help ${node.path}`.trim(), flags: [], arguments: [] }
  })
  const withHelp = nodes.map((node) =>
    node.path === '' ? { ...node, subcommands: [...node.subcommands, help] } : node,
  )
  return { nodes: [...withHelp, ...helped], globalFlags }
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
  const help = shortHelp(rowHelp(row))
  const names = [...(row.short ? [`-${row.short}`] : []), flagOf(name)]
  const { value, negatable } = kindOf(row).flag
  const flag = {
    names,
    help,
    ...(value === 'required' && { candidates: candidatesOf(row) }),
    ...(value === 'attached' && { attached: candidatesOf(row) }),
  }
  return negatable ? [flag, { names: [`--no-${flagName(name)}`], help: `The opposite of ${flagOf(name)}` }] : [flag]
}

function rulesOf(argument: Argument, index: number): ArgumentRule[] {
  const position = argument.many ? {} : { position: index }
  const rules = [
    { ...position, candidates: argumentCandidates(argument) },
    ...Object.entries(argument.rows ?? {}).map(([previousWord, row]) => ({
      ...position,
      previousWord,
      candidates: candidatesOf(row),
    })),
  ]
  return rules.filter(({ candidates }) => candidates.length > 0)
}

/** In columns: completion lists are narrow. */
const longestHelp = 60

/** The first sentence, shortened if it is too long. */
function shortHelp(help: string): string {
  const sentence = withoutOpenParenthesis(help.split(/\.(?: |$)|; /)[0] ?? '')
  if (sentence.length <= longestHelp) return sentence
  const words = sentence.slice(0, longestHelp).split(' ').slice(0, -1)
  const cut = words.join(' ').replace(/[,:]$/, '')
  const whole = withoutOpenParenthesis(cut)
  return whole === cut ? `${cut}…` : whole
}

/** Removes an unclosed parenthesis, such as a default that was cut off. */
function withoutOpenParenthesis(text: string): string {
  return text.replace(/ \([^)]*$/, '')
}

/** Free text and numbers have no candidates. */
function candidatesOf(row: Field): CandidateSource[] {
  const kind = kindOf(row)
  const names = [...(row.completes ? [row.completes] : []), ...(kind.completes?.(row) ?? [])]
  // Of `tool:NAME`, only `tool:` is fixed.
  const words = (kind.words?.(row) ?? []).map((text) => word(text.replace(/:[A-Z]+$/, ':')))
  return [...words, ...names.flatMap((name) => completions[name])]
}

function argumentCandidates({ choices = [], completes }: Argument): CandidateSource[] {
  return [...choices.map(word), ...(completes ? completions[completes] : [])]
}

/** The notation in scripts: lists and paths in angle brackets, to tell them from words. */
export function notationOf(source: CandidateSource): string {
  switch (source.kind) {
    case 'word':
      return source.word
    case 'names':
      return `<${source.list}>`
    case 'path':
      return '<path>'
    case 'path after @':
      return '<@path>'
    case '[@]path':
      return '<[@]path>'
  }
}

const completions: Readonly<Record<Completes, readonly CandidateSource[]>> = {
  file: [{ kind: 'path' }],
  '@file': [{ kind: 'path after @' }],
  '[@]file': [{ kind: '[@]path' }],
  'generating model': [{ kind: 'names', list: 'models' }],
  'embedding model': [{ kind: 'names', list: 'embedding-models' }],
  model: [
    { kind: 'names', list: 'models' },
    { kind: 'names', list: 'embedding-models' },
  ],
  profile: [{ kind: 'names', list: 'profiles' }],
  conversation: [{ kind: 'names', list: 'conversations' }],
}

function word(text: string): CandidateSource {
  return { kind: 'word', word: text }
}
