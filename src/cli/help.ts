/** Renders the help from the tables: one screen for `-h`, everything for `--help`. */

import type { Argument, CommandEntry, Example } from '../command.ts'
import type { Field, Fields } from '../fields/field.ts'
import { globalOptions, helpOption, programOptions } from '../fields/global-options.ts'
import { jsonHelp, jsonPlaceholder } from '../fields/kinds.ts'
import { briefHelp, flagTerm, placeholderOf, optionHelp, splitByUse } from '../fields/option-help.ts'
import { wrapLine } from '../terminal/wrap-line.ts'
import { largestOf } from '../io/arrays.ts'
import type { Target } from './argv.ts'

/** The second column begins here, or further left where all terms are shorter. */
const widestTerm = 32

/** Lines longer than this are hard to read, however wide the terminal is. */
const widest = 100

const briefExamples = 3

export interface HelpLayout {
  /** `-h`: one screen. */
  readonly isBrief: boolean
  /** The width of the terminal, in columns. */
  readonly width: number
}

type Entry = readonly [term: string, help: string]

export function commandHelp({ path: names, definition }: Target, layout: HelpLayout): string {
  const { summary, description, examples } = definition
  const [program = ''] = names
  const path = ['syn', ...names].join(' ')
  const positionals: readonly Argument[] = definition.arguments ?? []
  const options = splitByUse(definition.options ?? {})
  const fields = splitByUse(definition.fields ?? {})
  const everyday = { ...fields.everyday, ...options.everyday }
  const subcommands = Object.entries(definition.subcommands ?? {})
  const commands: Section = ['Commands', subcommands.map(([name, one]): Entry => [name, one.summary])]
  const words = [path, ...(subcommands.length > 0 ? ['[COMMAND]'] : []), ...positionals.map(argumentTerm), '[OPTIONS]']
  const usage = `Usage: ${words.join(' ')}`
  if (layout.isBrief) {
    return sections(layout, [
      summary,
      usage,
      commands,
      ['Arguments', argumentEntries(positionals.filter(({ choices }) => choices))],
      ['Options', entries(everyday, briefHelp)],
      ['Examples', examples.slice(0, briefExamples).map(([, line]): Entry => [line, ''])],
      `See '${path} --help' for all options, or 'syn man ${program}'.`,
    ])
  }
  const hasEveryday = Object.keys(everyday).length > 0
  const specs = Object.values({ ...definition.options, ...definition.fields })
  const hasDocument = specs.some((spec) => placeholderOf(spec).endsWith(jsonPlaceholder))
  return sections(layout, [
    summary,
    ...(description ? [description] : []),
    usage,
    commands,
    ['Arguments', argumentEntries(positionals)],
    [
      'Values',
      positionals.flatMap(({ specs = {} }) =>
        Object.entries(specs).map(([name, spec]): Entry => [name, optionHelp(spec)]),
      ),
    ],
    ['Options', entries(everyday, optionHelp)],
    [hasEveryday ? 'More options' : 'Options', entries(options.others, optionHelp)],
    ['Request fields', entries(fields.others, optionHelp)],
    ['Global options', entries({ ...globalOptions, ...helpOption }, optionHelp)],
    hasDocument ? jsonHelp : '',
    ['Examples', examples.map(exampleEntry)],
    `See 'syn man ${program}' for the manual.`,
  ])
}

export function programHelp(commands: readonly Omit<CommandEntry, 'load'>[], layout: HelpLayout): string {
  const title = 'A terminal client for one hosted model-inference API'
  const usage = 'Usage: syn COMMAND [OPTIONS]'
  const question = 'syn "QUESTION", text with a space, is short for syn chat "QUESTION".'
  const everyday = commands.filter((entry) => entry.everyday)
  const others = commands.filter((entry) => !entry.everyday)
  if (layout.isBrief) {
    return sections(layout, [
      title,
      usage,
      ['Commands', everyday.map(commandEntry)],
      ['Examples', programExamples.map(([, line]): Entry => [line, ''])],
      "See 'syn --help' for all commands, 'syn COMMAND -h' for one, or 'syn man'.",
    ])
  }
  return sections(layout, [
    title,
    usage,
    question,
    ['Commands', everyday.map(commandEntry)],
    ['More commands', others.map(commandEntry)],
    ['Global options', entries({ ...globalOptions, ...helpOption, ...programOptions }, optionHelp)],
    ['Examples', programExamples.map(exampleEntry)],
    "See 'syn COMMAND --help' for a command, or 'syn man' for the manual.",
  ])
}

const programExamples: readonly Example[] = [
  ['Try it without an account or a network', 'syn chat --sandbox "Say hello in three languages"'],
  ['Store the base URL and API key of an account', 'syn login'],
  ['Ask about a file', 'syn "Summarize in one sentence" < notes.txt'],
]

function commandEntry({ name, summary }: Pick<CommandEntry, 'name' | 'summary'>): Entry {
  return [name, summary]
}

function argumentTerm({ name, required, many }: Argument): string {
  const term = `${name.toUpperCase()}${many ? '...' : ''}`
  return required ? term : `[${term}]`
}

function argumentEntries(positionals: readonly Argument[]): Entry[] {
  return positionals.map((one) => [argumentTerm(one), one.help])
}

function entries(specs: Fields, helpOf: (spec: Field) => string): Entry[] {
  return Object.entries(specs).map(([name, spec]) => [flagTerm(name, spec), helpOf(spec)])
}

/** A command is never wrapped, so that it can be copied. */
function exampleEntry([purpose, line]: Example): Entry {
  return [`# ${purpose}\n  ${line}`, '']
}

type Section = string | readonly [title: string, entries: readonly Entry[]]

function sections({ width }: HelpLayout, list: readonly Section[]): string {
  const limit = Math.min(width, widest)
  const indent = indentOf(list, limit)
  const texts = list.map((section) => {
    if (typeof section === 'string') return paragraphs(section, limit)
    const [title, rows] = section
    return rows.length === 0 ? '' : [`${title}:`, ...rows.map((row) => entryText(row, indent, limit))].join('\n')
  })
  return `${texts.filter(Boolean).join('\n\n')}\n`
}

/** The start of the second column. */
function indentOf(list: readonly Section[], limit: number): number {
  if (limit < 60) return 8
  const terms = list.flatMap((section) => (typeof section === 'string' ? [] : section[1]))
  const widths = terms.filter(([, help]) => help !== '').map(([term]) => term.length + 4)
  return Math.min(widestTerm, largestOf(widths))
}

/** A term that reaches into the second column pushes its help to the next line. */
function entryText([term, help]: Entry, indent: number, limit: number): string {
  const head = `  ${term}`
  if (help === '') return head
  const lines = wrapLine(help, limit - indent)
  const isPushed = head.length + 2 > indent
  const [first = '', ...others] = isPushed ? ['', ...lines] : lines
  return [(head.padEnd(indent) + first).trimEnd(), ...others.map((line) => ' '.repeat(indent) + line)].join('\n')
}

/** An empty line separates paragraphs. */
function paragraphs(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => (line === '' ? [''] : wrapLine(line, width)))
    .join('\n')
}
