/** syn-NAME(1): a page for each command, from its tables and from man/commands/NAME.ts. */

import type { AnyCommand, Argument } from '../src/command.ts'
import { globalOptions, helpOption } from '../src/fields/global-options.ts'
import { optionHelp } from '../src/fields/option-help.ts'
import { statusItems, type Statuses } from './exit-statuses.ts'
import { argument, macro, paragraphs, prose, sentence } from './macros.ts'
import {
  exampleParagraphs,
  exampleSection,
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
  /** Sections between the options and the exit statuses. */
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

export function commandPage(topic: CommandTopic, edition: Edition): string {
  const { words, summary, definition, statuses, sections = [], seeAlso = [] } = topic
  return page(words.join('-'), summary, edition, [
    ['.Sh SYNOPSIS', ...synopses(words, definition)],
    ['.Sh DESCRIPTION', ...description(definition.description ?? `${summary}.`, definition)],
    subcommandSection(words, definition),
    optionSection(definition),
    ...sections,
    ['.Sh EXIT STATUS', ...list(statusItems(statuses)), '.Pp', prose(otherStatuses)],
    exampleSection(definition.examples),
    referenceSection(['syn', ...seeAlso]),
  ])
}

const otherStatuses = 'A run that a signal ends returns 128 plus its number. syn(1) lists all exit statuses.'

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
      ...exampleParagraphs(subcommand.examples),
      ...subsections(path, subcommand),
    ]
  })
}

const fieldsIntroduction =
  'Each sets the field of the same name in the request body. A field that is not set is not sent. Values are checked ' +
  'before anything is sent.'
const jsonIntroduction = 'JSON is given inline, or as @ and the name of a file that holds it.'

const globalIntroduction =
  'Every command accepts these, before or after its name. A flag that needs no value also takes =true and =false.'

/** The tool's own options first, then the fields of the request, then the global options. */
function optionSection({ options, fields }: AnyCommand): Section {
  const own = flagList(options)
  const request = flagList(fields)
  const introduction = request.join().includes('JSON|@')
    ? `${fieldsIntroduction} ${jsonIntroduction}`
    : fieldsIntroduction
  return [
    '.Sh OPTIONS',
    ...own,
    ...(request.length > 0 ? ['.Ss Request fields', prose(introduction), ...request] : []),
    ...(own.length > 0 || request.length > 0 ? ['.Ss Global options'] : []),
    prose(globalIntroduction),
    ...flagList({ ...globalOptions, ...helpOption }),
  ]
}
