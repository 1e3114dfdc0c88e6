/** Candidates come from the tables. */

import { describe, expect, test } from 'vitest'
import type { AnyCommand } from '../../src/command.ts'
import { commandLineOf, notationOf } from '../../src/completion/command-line.ts'
import type { Field, Fields } from '../../src/fields/field.ts'
import { globalOptions } from '../../src/fields/global-options.ts'
import { placeholderOf } from '../../src/fields/terms.ts'
import { commands } from '../helpers/commands.ts'

const help = 'Help.'

/** The candidates for each flag of a single command, by its names. */
function candidatesByFlag(row: Field): Record<string, string[] | undefined> {
  const definition: AnyCommand = { options: { some_name: row }, examples: [] }
  const { nodes } = commandLineOf([{ name: 'do', summary: help, definition }])
  return Object.fromEntries(
    (nodes[1]?.flags ?? []).map(({ names, candidates, attached }) => [
      names.join(' '),
      attached ? attached.map((source) => `=${notationOf(source)}`) : candidates?.map(notationOf),
    ]),
  )
}

test.each<[row: Field, flags: Record<string, string[] | undefined>]>([
  [{ kind: 'switch', short: 's', help }, { '-s --some-name': undefined }],
  [
    { kind: 'boolean', help },
    { '--some-name': undefined, '--no-some-name': undefined },
  ],
  [{ kind: 'switch or number', help }, { '--some-name': undefined }],
  [
    { kind: 'boolean or number', help },
    { '--some-name': ['=true', '=false'], '--no-some-name': undefined },
  ],
  [
    { kind: 'boolean or choice', choices: ['auto', 'always'], help },
    { '--some-name': ['=auto', '=always'], '--no-some-name': undefined },
  ],
  [{ kind: 'number', help }, { '--some-name': [] }],
  [{ kind: 'text', help }, { '--some-name': [] }],
  [{ kind: 'text', choices: ['low', 'high'], help }, { '--some-name': ['low', 'high'] }],
  [{ kind: 'text', file: true, help }, { '--some-name': ['<@path>'] }],
  [{ kind: 'text', completes: 'file', help }, { '--some-name': ['<path>'] }],
  [{ kind: 'text', completes: 'profile', help }, { '--some-name': ['<profiles>'] }],
  [{ kind: 'texts', completes: 'file', help }, { '--some-name': ['<path>'] }],
  [{ kind: 'model', help }, { '--some-name': ['<models>'] }],
  [{ kind: 'model', aliases: false, help }, { '--some-name': ['<embedding-models>'] }],
  [{ kind: 'object', help }, { '--some-name': ['<[@]path>'] }],
  [{ kind: 'array', help }, { '--some-name': ['<[@]path>'] }],
  [
    { kind: 'choice or object', choices: ['auto'], words: ['auto', 'tool:NAME'], help },
    { '--some-name': ['auto', 'tool:', '<[@]path>'] },
  ],
  [{ kind: 'document', help }, { '--some-name': ['<[@]path>'] }],
])('%j', (row, flags) => {
  expect(candidatesByFlag(row)).toStrictEqual(flags)
})

/** Rows whose placeholder PATH is a path inside a document, not a file. */
const innerPaths = new Set(['get'])

test.each([
  ['One sentence.', 'One sentence'],
  ['A first one. And a second one.', 'A first one'],
  ['A clause; and more', 'A clause'],
  ['Version 1.5 of it: all', 'Version 1.5 of it: all'],
  ['A note (default: 3; 0: never).', 'A note'],
  ['A note (default: on a terminal).', 'A note (default: on a terminal)'],
  ['A text that is too long for the column (default: on a terminal).', 'A text that is too long for the column'],
  [
    'A sentence that is so long that it does not fit, and has to be shortened',
    'A sentence that is so long that it does not fit, and has to…',
  ],
])('help is shortened: %s', (long, short) => {
  const definition: AnyCommand = { options: { name: { kind: 'switch', help: long } }, examples: [] }
  expect(commandLineOf([{ name: 'do', summary: help, definition }]).nodes[1]?.flags[0]?.help).toBe(short)
})

describe('in the tables of all commands', () => {
  const { nodes, globalFlags } = commandLineOf(commands)

  test('candidate words need no quotes in any shell', () => {
    const lists = [...nodes.flatMap(({ flags, arguments: rules }) => [...flags, ...rules]), ...globalFlags]
    const candidates = lists.flatMap((one) => one.candidates ?? [])
    const words = candidates.flatMap((source) => (source.kind === 'word' ? [source.word] : []))
    expect(words).toEqual(expect.arrayContaining(['medium', 'tool:', 'zsh', 'base-url']))
    expect(words.filter((word) => !/^[a-z][\w.-]*:?$/i.test(word))).toEqual([])
  })

  test('a row whose value is a file completes paths', () => {
    const rows = [globalOptions, ...commands.flatMap(tablesOf)].flatMap((table) => Object.entries<Field>(table))
    const paths = rows.filter(([, row]) => /(^|\W)(FILE|PATH)\b/.test(placeholderOf(row)))
    expect(paths.map(([name]) => name)).toEqual(expect.arrayContaining(['body', 'output', 'schema', 'tools', 'image']))
    const completed = (row: Field): boolean =>
      Object.values(candidatesByFlag(row)).some((marks) => marks?.join().includes('path>'))
    const silent = paths.filter(([, row]) => !completed(row)).map(([name]) => name)
    expect(silent.filter((name) => !innerPaths.has(name))).toEqual([])
  })
})

function tablesOf({ definition }: { definition: AnyCommand }): Fields[] {
  const nested = Object.values(definition.subcommands ?? {}).flatMap((one) => tablesOf({ definition: one }))
  return [{ ...definition.options, ...definition.fields }, ...nested]
}
