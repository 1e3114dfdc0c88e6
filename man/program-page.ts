/** syn(1): what is true of every command. */

import type { Example } from '../src/command.ts'
import { globalOptions, helpOption, versionOption } from '../src/fields/global-options.ts'
import { allStatuses, statusItems } from './exit-statuses.ts'
import { exampleSection, flagList, list, page, referenceSection, type Edition, type Section } from './mdoc.ts'
import { macro, paragraphs, prose } from './macros.ts'

/** What the page says of one thing a reader may type, set or find: its name and what it is for. */
export interface Entry {
  readonly name: string
  readonly help: string
}

export interface Program {
  readonly commands: readonly Entry[]
  readonly environment: readonly Entry[]
  readonly files: readonly Entry[]
}

const description = `Talks to one hosted inference API: chats, completions, embeddings, models and quotas.

Standard output carries the answer and nothing else.
Notices, reasoning, usage and errors go to standard error.
Off a terminal the answer is plain text without colours, and nothing is ever asked.

Options of a command that are named like a field of the API set that field.
A field that is not set is not sent.`

const optionsIntroduction = 'Every command takes these, before or after its name.'

const environmentIntroduction =
  'A flag goes before the environment, which goes before the profile in use, which goes before the default. A variable ' +
  'that is empty counts as not set.'

const filesIntroduction =
  'These are their places on Linux. On macOS they lie below ~/Library/Preferences, ~/Library/Caches and ' +
  '~/Library/Application Support, on Windows below %APPDATA% and %LOCALAPPDATA%.'

const examples: readonly Example[] = [
  ['Try it without an account and without a network', 'syn chat --sandbox "Say hello in three languages"'],
  ['Log in once, then ask', 'syn login\nsyn chat "What is a monad?"'],
  ['Put a question before a text', 'syn chat "Summarise" < notes.txt'],
  [
    'Keep the code of an answer, or say why there is none',
    'syn chat -x "Count lines in C" > count.c || echo "status $?"',
  ],
  ['See which settings are in force, and why', 'syn config list'],
]

export function programPage({ commands, environment, files }: Program, edition: Edition): string {
  const pages = commands.map(({ name }) => `syn-${name}`)
  return page('syn', 'a terminal client for one hosted model-inference API', edition, [
    ['.Sh SYNOPSIS', '.Nm syn', '.Op Ar options', '.Ar command', '.Op Ar arguments'],
    ['.Sh DESCRIPTION', ...paragraphs(description)],
    ['.Sh COMMANDS', ...list(commands.flatMap(({ name, help }) => [`.It Xr syn-${name} 1`, `${prose(help)}.`]))],
    ['.Sh OPTIONS', prose(optionsIntroduction), ...flagList({ ...globalOptions, ...helpOption, ...versionOption })],
    ['.Sh ENVIRONMENT', prose(environmentIntroduction), ...entries('It Ev', environment)],
    ['.Sh FILES', prose(filesIntroduction), ...entries('It Pa', files)],
    ['.Sh EXIT STATUS', ...list([...statusItems(allStatuses), '.It 128+N', prose(signals)])],
    exampleSection(examples),
    referenceSection(pages),
  ])
}

const signals = 'Ended by the signal of number N: 130 after Ctrl-C.'

function entries(term: string, rows: readonly Entry[]): Section {
  return list(rows.flatMap(({ name, help }) => [macro(term, name), prose(help)]))
}
