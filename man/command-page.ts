/** syn-NAME(1): a page for each command, made from its tables. */

import type { AnyCommand, Argument } from '../src/command.ts'
import { globalOptions, helpOption } from '../src/fields/global-options.ts'
import { rowHelp } from '../src/fields/terms.ts'
import { statusItems, statusesOfRequests } from './exit-statuses.ts'
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

export interface CommandTopic {
  /** The command as typed, such as `['syn', 'chat']`. */
  readonly words: readonly string[]
  readonly summary: string
  readonly definition: AnyCommand
  /** Sections that only this page has. */
  readonly more: readonly Section[]
}

export function commandPage({ words, summary, definition, more }: CommandTopic, edition: Edition): string {
  return page(words.join('-'), summary, edition, [
    ['.Sh SYNOPSIS', ...synopses(words, definition)],
    ['.Sh DESCRIPTION', ...description([definition.description ?? `${summary}.`, definition.details], definition)],
    subcommandSection(words, definition),
    optionSection(definition),
    ...more,
    statusSection(definition),
    exampleSection(definition.examples),
    // Which names all the others: a new command changes its own page and that one.
    referenceSection(['syn']),
  ])
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

function description(texts: readonly (string | undefined)[], command: AnyCommand): Section {
  const text = texts.filter((one) => one !== undefined).join('\n\n')
  return [...paragraphs(text), ...list((command.arguments ?? []).flatMap(argumentItem))]
}

function argumentItem({ name, help, rows = {} }: Argument): Section {
  const meanings = Object.entries(rows).flatMap(([word, row]) => [macro('It', word), sentence(rowHelp(row))])
  return [macro('It Ar', name), sentence(help), ...list(meanings)]
}

function subcommandSection(words: readonly string[], command: AnyCommand): Section {
  const sections = subsections(words, command)
  return sections.length === 0 ? [] : ['.Sh SUBCOMMANDS', ...sections]
}

function subsections(words: readonly string[], command: AnyCommand): Section {
  return Object.entries(command.subcommands ?? {}).flatMap(([name, subcommand]) => {
    const path = [...words, name]
    return [
      macro('Ss', path.join(' ')),
      ...description([`${subcommand.summary}.`, subcommand.description, subcommand.details], subcommand),
      ...flagList({ ...subcommand.options, ...subcommand.fields }),
      ...exampleParagraphs(subcommand.examples),
      ...subsections(path, subcommand),
    ]
  })
}

const fieldsIntroduction =
  'Each sets the field of its name in the body of the request. A field that is not set is not sent.'
const jsonIntroduction = 'JSON is given as it stands, or as @ and the name of the file that holds it.'

const globalIntroduction = 'Every command takes these, before or after its name.'

/** What steers the tool first, then what the service gets, then what all commands have in common. */
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

/** A command that can show its request sends one. */
function statusSection({ fields, options }: AnyCommand): Section {
  if (!options?.curl) return ['.Sh EXIT STATUS', prose(fewStatuses), 'The others are explained in', '.Xr syn 1 .']
  const statuses = [...statusesOfRequests, ...(fields?.stream ? (['cutShort'] as const) : [])]
  return ['.Sh EXIT STATUS', ...list(statusItems(statuses)), '.Pp', 'The others are explained in', '.Xr syn 1 .']
}

const fewStatuses = '0 when it is done, 1 when it failed, 2 when the command line or a setting is wrong.'
