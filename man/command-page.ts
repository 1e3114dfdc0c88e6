/** syn-NAME(1): a page for each command, from its tables and from man/commands/NAME.ts. */

import type { AnyCommand, Argument } from '../src/command.ts'
import { optionHelp, splitByUse } from '../src/fields/option-help.ts'
import { statusItems, type Statuses } from './exit-statuses.ts'
import { argument, macro, paragraphs, prose, sentence } from './macros.ts'
import {
  exampleParagraphs,
  exampleSubsection,
  flagList,
  list,
  page,
  referenceSection,
  type Edition,
  type Section,
} from './mdoc.ts'

/** The parts of a command's page that are not made from its tables. */
export interface PageText {
  /** The exit statuses that this command can return, apart from signals and a closed pipe. */
  readonly statuses: Statuses
  /** Sections after the options. Headings that mdoc(7) orders before EXIT STATUS, such as FILES, have other words here. */
  readonly sections?: readonly Section[]
  /** Other pages of section 1 to read; syn(1) is always listed. */
  readonly seeAlso?: readonly string[]
}

export interface CommandTopic extends PageText {
  /** The command as typed, such as `['syn', 'chat']`. */
  readonly words: readonly string[]
  readonly summary: string
  readonly definition: AnyCommand
}

/** What most readers look for stands first: examples, everyday options, exit statuses. */
export function commandPage(topic: CommandTopic, edition: Edition): string {
  const { words, summary, definition, statuses, sections = [], seeAlso = [] } = topic
  const { options, more } = optionSections(definition)
  const subcommands = subcommandSection(words, definition)
  return page(words.join('-'), summary, edition, [
    ['.Sh SYNOPSIS', ...synopses(words, definition)],
    ['.Sh DESCRIPTION', ...description(definition.description ?? `${summary}.`, definition)],
    exampleSubsection(definition.examples),
    ...(definition.run ? [] : [subcommands]),
    options,
    ['.Sh EXIT STATUS', ...list(statusItems(statuses)), '.Pp', prose(otherStatuses)],
    more,
    ...(definition.run ? [subcommands] : []),
    ...sections,
    referenceSection(['syn', ...seeAlso]),
  ])
}

const otherStatuses = 'Ended by signal N: 128 plus N.'

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

function description(text: string, command: AnyCommand): Section {
  return [...paragraphs(text), ...list((command.arguments ?? []).flatMap(argumentItem))]
}

function argumentItem({ name, help, specs = {} }: Argument): Section {
  const meanings = Object.entries(specs).flatMap(([word, spec]) => [macro('It', word), sentence(optionHelp(spec))])
  return [macro('It Ar', name), sentence(help), ...list(meanings)]
}

function subcommandSection(words: readonly string[], command: AnyCommand): Section {
  const sections = subsections(words, command)
  return sections.length === 0 ? [] : ['.Sh SUBCOMMANDS', ...sections]
}

function subsections(words: readonly string[], command: AnyCommand): Section {
  return Object.entries(command.subcommands ?? {}).flatMap(([name, subcommand]) => {
    const path = [...words, name]
    const { summary, description: text } = subcommand
    return [
      macro('Ss', path.join(' ')),
      ...description(text === undefined ? `${summary}.` : `${summary}.\n\n${text}`, subcommand),
      ...flagList({ ...subcommand.options, ...subcommand.fields }),
      // --help has them all.
      ...exampleParagraphs(subcommand.examples.slice(0, 1)),
      ...subsections(path, subcommand),
    ]
  })
}

const fieldsIntroduction =
  'Each sets the field of the same name in the request body. A field that is not set is not sent. Values are checked ' +
  'before anything is sent.'

const globalOptionsText = 'syn(1) has the options of all commands, such as --profile and --timeout.'

/** The options that most people use, and the others with the fields of the request. Without everyday ones, all are together. */
function optionSections(command: AnyCommand): { options: Section; more: Section } {
  const options = splitByUse(command.options ?? {})
  const fields = splitByUse(command.fields ?? {})
  const everyday = flagList({ ...options.everyday, ...fields.everyday })
  const others = flagList(options.others)
  const request = flagList(fields.others)
  const more = [...others, ...(request.length > 0 ? ['.Ss Request fields', prose(fieldsIntroduction), ...request] : [])]
  return everyday.length > 0
    ? {
        options: ['.Sh OPTIONS', ...everyday, prose(globalOptionsText)],
        more: more.length > 0 ? ['.Sh MORE OPTIONS', ...more] : [],
      }
    : { options: ['.Sh OPTIONS', ...more, prose(globalOptionsText)], more: [] }
}
