/** syn(1): what is true of every command. */

import type { Example } from '../src/command.ts'
import { exitCodes } from '../src/errors.ts'
import { exitStatuses } from './exit-statuses.ts'
import { exampleSection, globalSection, list, page, type Edition } from './mdoc.ts'
import { macro, paragraphs, prose } from './macros.ts'

/** What the page says of one thing a reader may set or find: its name and what it is for. */
export interface Entry {
  readonly name: string
  readonly help: string
}

export interface Program {
  readonly commands: readonly Entry[]
  readonly environment: readonly Entry[]
  readonly files: readonly Entry[]
  readonly examples: readonly Example[]
}

const description = `Talks to one hosted inference API: chats, completions, embeddings, models and quotas.

Standard output carries the answer and nothing else.
Notices, reasoning, usage and errors go to standard error.
Off a terminal the answer is plain text without colours, and nothing is ever asked.

Options of a command that are named like a field of the API set that field.
A field that is not set is not sent.`

export function programPage({ commands, environment, files, examples }: Program, edition: Edition): string {
  const references = commands.map(({ name }) => `.Xr syn-${name} 1`).toSorted()
  return page('syn', 'a terminal client for one hosted model-inference API', edition, [
    ['.Sh SYNOPSIS', '.Nm syn', '.Op Ar options', '.Ar command', '.Op Ar arguments'],
    ['.Sh DESCRIPTION', ...paragraphs(description)],
    ['.Sh COMMANDS', ...list(commands.flatMap(({ name, help }) => [`.It Xr syn-${name} 1`, `${prose(help)}.`]))],
    globalSection(['.It Fl V , \\-version', 'Print the version.']),
    ['.Sh ENVIRONMENT', ...entries('It Ev', environment)],
    ['.Sh FILES', ...entries('It Pa', files)],
    ['.Sh EXIT STATUS', ...list(statuses())],
    exampleSection(examples),
    ['.Sh SEE ALSO', ...references.map((line, index) => (index < references.length - 1 ? `${line} ,` : line))],
  ])
}

function entries(term: string, rows: readonly Entry[]): readonly string[] {
  return list(rows.flatMap(({ name, help }) => [macro(term, name), prose(help)]))
}

function statuses(): string[] {
  const codes = Object.entries(exitStatuses).map(([name, meaning]) => {
    return [exitCodes[name as keyof typeof exitStatuses], meaning] as const
  })
  const items = codes
    .toSorted(([code], [other]) => code - other)
    .flatMap(([code, meaning]) => [`.It ${code}`, prose(meaning)])
  return [...items, '.It 128+N', prose('Ended by the signal of number N: 130 after Ctrl-C.')]
}
