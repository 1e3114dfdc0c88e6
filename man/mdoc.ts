/** Man pages from the tables that the program itself runs on: a command's definition → mdoc. */

import type { AnyCommand, Argument, Example } from '../src/command.ts'
import type { Field, Fields } from '../src/fields/field.ts'
import { globalOptions } from '../src/fields/global-options.ts'
import { flagTerm, rowHelp } from '../src/fields/terms.ts'
import { argument, display, macro, paragraphs, prose } from './macros.ts'

/** What every page of one release has in common. */
export interface Edition {
  /** As mdoc writes dates: `November 20, 2026`. */
  readonly date: string
  readonly version: string
}

type Section = readonly string[]

/**
 * The page syn-NAME(1).
 * @param words The command as typed, such as `['syn', 'chat']`.
 */
export function commandPage(words: readonly string[], summary: string, command: AnyCommand, edition: Edition): string {
  return page(words.join('-'), summary, edition, [
    ['.Sh SYNOPSIS', ...synopses(words, command)],
    ['.Sh DESCRIPTION', `${prose(summary)}.`, ...description(command)],
    optionSection('OPTIONS', command.options),
    optionSection('REQUEST FIELDS', command.fields),
    subcommandSection(words, command),
    globalSection(),
    exampleSection(command.examples),
    ['.Sh SEE ALSO', '.Xr syn 1'],
  ])
}

/** A page with the given sections after its NAME; empty ones are left out. */
export function page(name: string, summary: string, edition: Edition, sections: readonly Section[]): string {
  const head = [
    `.Dd ${edition.date}`,
    `.Dt ${name.toUpperCase()} 1`,
    macro('Os', `syn-cli ${edition.version}`),
    '.Sh NAME',
    macro('Nm', name),
    `.Nd ${prose(summary)}`,
  ]
  return `${[...head, ...sections.flat()].join('\n')}\n`
}

export function exampleSection(examples: readonly Example[]): Section {
  return examples.length === 0 ? [] : ['.Sh EXAMPLES', ...shown(examples).slice(1)]
}

/** Options that each command takes; `more` adds rows of its own. */
export function globalSection(more: Section = []): Section {
  return [
    '.Sh GLOBAL OPTIONS',
    ...list([...optionItems(globalOptions), '.It Fl h , \\-help', 'Print the help.', ...more]),
  ]
}

/** A list of terms and what they mean. */
export function list(items: Section): Section {
  return items.length === 0 ? [] : ['.Bl -tag -width Ds', ...items, '.El']
}

function synopses(words: readonly string[], command: AnyCommand): Section {
  const own = command.run ? synopsis(words, command.arguments ?? []) : []
  const nested = Object.entries(command.subcommands ?? {}).flatMap(([name, subcommand]) =>
    synopses([...words, name], subcommand),
  )
  return [...own, ...nested]
}

function synopsis(words: readonly string[], positionals: readonly Argument[]): Section {
  const terms = positionals.map(({ name, required, many }) => {
    const word = `Ar ${argument(name)}${many ? ' ...' : ''}`
    return required ? `.${word}` : `.Op ${word}`
  })
  return [macro('Nm', words.join(' ')), '.Op Ar options', ...terms]
}

function description(command: AnyCommand): Section {
  const text = command.description === undefined ? [] : ['.Pp', ...paragraphs(command.description)]
  const items = (command.arguments ?? []).flatMap(({ name, help }) => [macro('It Ar', name), prose(help)])
  return [...text, ...list(items)]
}

function subcommandSection(words: readonly string[], command: AnyCommand): Section {
  const sections = subsections(words, command)
  return sections.length === 0 ? [] : ['.Sh SUBCOMMANDS', ...sections]
}

function subsections(words: readonly string[], command: AnyCommand): Section {
  return Object.entries(command.subcommands ?? {}).flatMap(([name, subcommand]) => {
    const path = [...words, name]
    const items = [...optionItems(subcommand.options ?? {}), ...optionItems(subcommand.fields ?? {})]
    return [
      macro('Ss', path.join(' ')),
      `${prose(subcommand.summary)}.`,
      ...description(subcommand),
      ...list(items),
      ...shown(subcommand.examples),
      ...subsections(path, subcommand),
    ]
  })
}

/** Examples, a paragraph each. */
function shown(examples: readonly Example[]): Section {
  return examples.flatMap(([purpose, line]) => ['.Pp', `${prose(purpose)}:`, ...display(line.split('\n'))])
}

function optionSection(title: string, rows: Fields = {}): Section {
  const items = optionItems(rows)
  return items.length === 0 ? [] : [`.Sh ${title}`, ...list(items)]
}

function optionItems(rows: Fields): string[] {
  return Object.entries(rows).flatMap(([name, row]) => [`.It ${term(name, row)}`, prose(rowHelp(row))])
}

/** `Fl m , \-model Ar MODEL` out of `-m, --model MODEL`. */
function term(name: string, row: Field): string {
  const [, short, long = '', placeholder] = /^ *(?:-(\w), )?-(-\S+)(?: (.+))?$/.exec(flagTerm(name, row)) ?? []
  const flags = short === undefined ? `Fl ${argument(long)}` : `Fl ${short} , ${argument(long)}`
  return placeholder === undefined ? flags : `${flags} Ar ${argument(placeholder)}`
}
