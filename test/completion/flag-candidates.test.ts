/** Candidates come from the tables. */

import { describe, expect, test } from 'vitest'
import type { AnyCommand } from '../../src/command.ts'
import { argumentCandidates, type ShellCandidate, candidatesOf, flagsOf } from '../../src/completion/flag-candidates.ts'
import type { Field, Fields } from '../../src/fields/field.ts'
import { globalOptions } from '../../src/fields/global-options.ts'
import { placeholderOf } from '../../src/fields/option-help.ts'
import { commands, nodes } from '../helpers/commands.ts'

const help = 'Help.'

/** A word as it is, and what else is completed in angle brackets. */
function notationOf(candidate: ShellCandidate): string {
  return typeof candidate === 'string' ? `<${candidate}>` : candidate.word
}

test.each<[row: Field, flags: readonly string[], candidates: readonly string[]]>([
  [{ kind: 'switch', short: 's', help }, ['-s', '--some-name'], ['true', 'false']],
  [{ kind: 'boolean or model', help }, ['--some-name', '--no-some-name'], ['<generating model>']],
  [{ kind: 'text', file: true, help }, ['--some-name'], ['<@file>']],
  [{ kind: 'text', completes: 'file', help }, ['--some-name'], ['<file>']],
  [{ kind: 'model', help }, ['--some-name'], ['<generating model>']],
  [{ kind: 'model', aliases: false, help }, ['--some-name'], ['<embedding model>']],
  [
    { kind: 'choice or object', choices: ['auto'], words: ['auto', 'tool:NAME'], help },
    ['--some-name'],
    ['auto', 'tool:', '<[@]file>'],
  ],
])('%j', (spec, flags, candidates) => {
  expect(flagsOf({ some_name: spec }).map(({ word }) => word)).toEqual(flags)
  expect(candidatesOf(spec).map(notationOf)).toEqual(candidates)
})

/** Specs whose placeholder PATH is a path inside a document, not a file. */
const innerPaths = new Set(['get'])

test.each([
  ['Version 1.5 of it: all', 'Version 1.5 of it: all'],
  ['A text that is too long for the column (default: on a terminal).', 'A text that is too long for the column'],
  [
    'A sentence that is so long that it does not fit, and has to be shortened',
    'A sentence that is so long that it does not fit, and has to…',
  ],
])('help is shortened: %s', (long, short) => {
  expect(flagsOf({ name: { kind: 'switch', help: long } })[0]?.help).toBe(short)
})

describe('in the tables of all commands', () => {
  test('candidate words need no quotes in any shell', () => {
    const values = [globalOptions, ...nodes.map(({ specs }) => specs)].flatMap((rows) =>
      Object.values<Field>(rows).flatMap(candidatesOf),
    )
    const candidates = [...values, ...commands.flatMap(({ definition }) => candidatesOfArguments(definition))]
    const words = candidates.flatMap((candidate) => (typeof candidate === 'string' ? [] : [candidate.word]))
    expect(words).toEqual(expect.arrayContaining(['jsonl', 'tool:', 'zsh', 'base-url']))
    expect(words.filter((word) => !/^[a-z][\w.-]*:?$/i.test(word))).toEqual([])
  })

  test('a row whose value is a file completes paths', () => {
    const rows = [globalOptions, ...commands.flatMap(tablesOf)].flatMap((table) => Object.entries<Field>(table))
    const paths = rows.filter(([, spec]) => /(^|\W)(FILE|PATH)\b/.test(placeholderOf(spec)))
    expect(paths.map(([name]) => name)).toEqual(expect.arrayContaining(['body', 'output', 'schema', 'tools', 'image']))
    const completed = (spec: Field): boolean =>
      candidatesOf(spec).some((candidate) => typeof candidate === 'string' && /^(@|\[@\])?file$/.test(candidate))
    const silent = paths.filter(([, spec]) => !completed(spec)).map(([name]) => name)
    expect(silent.filter((name) => !innerPaths.has(name))).toEqual([])
  })
})

function tablesOf({ definition }: { definition: AnyCommand }): Fields[] {
  const nested = Object.values(definition.subcommands ?? {}).flatMap((one) => tablesOf({ definition: one }))
  return [{ ...definition.options, ...definition.fields }, ...nested]
}

function candidatesOfArguments({ arguments: positionals = [], subcommands = {} }: AnyCommand): ShellCandidate[] {
  const own = positionals.flatMap((argument) => argumentCandidates(argument))
  return [...own, ...Object.values(subcommands).flatMap(candidatesOfArguments)]
}
