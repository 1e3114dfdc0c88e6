/** What rows say of themselves holds for all commands: what they exclude, their defaults, and the order of help. */

import { describe, expect, test } from 'vitest'
import type { AnyCommand } from '../../src/command.ts'
import { flagOf, type Field, type Fields } from '../../src/fields/field.ts'
import { globalOptions, helpOption, versionOption } from '../../src/fields/global-options.ts'
import { checkCombinations, type RawFlag } from '../../src/fields/parse.ts'
import { briefHelp, rowHelp, splitByUse } from '../../src/fields/terms.ts'
import { settingsTable } from '../../src/settings/rows.ts'
import { commands } from '../helpers/commands.ts'
import { runSyn } from '../helpers/run-syn.ts'

const help = 'Help'

interface Named {
  readonly path: string
  readonly rows: Fields
  readonly definition: AnyCommand
}

function below(path: string, definition: AnyCommand): Named[] {
  const nested = Object.entries(definition.subcommands ?? {})
  const rows: Fields = { ...definition.options, ...definition.fields }
  return [{ path, rows, definition }, ...nested.flatMap(([name, one]) => below(`${path} ${name}`, one))]
}

const all = commands.flatMap(({ name, definition }) => below(name, definition))

const pairs = all.flatMap(({ path, rows }) =>
  Object.entries(rows).flatMap(([name, { exclusive = [] }]) =>
    exclusive.map((other) => ({ path, rows, pair: [name, other] as const })),
  ),
)

/** Flags with a value that their kind takes. */
function argvOf(name: string, row: Field | undefined): string[] {
  if (row === undefined) throw new Error(`there is no row ${name}`)
  if (row.kind === 'switch' || row.kind === 'boolean' || row.kind === 'switch or notation') return [flagOf(name)]
  return [flagOf(name), row.kind === 'number' ? '1' : 'x']
}

describe('options that cannot be combined', () => {
  test.each(pairs)('syn $path: $pair', async ({ path, rows, pair }) => {
    const flags = pair.flatMap((name) => argvOf(name, rows[name]))
    const { code, out, err } = await runSyn([...path.split(' '), ...flags])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^syn: --[\w-]+ and --[\w-]+ cannot be combined\n/)
    for (const name of pair) expect(err).toContain(flagOf(name))
  })

  test.each(
    all.flatMap(({ path, rows, definition }) => (definition.arguments ?? []).map((one) => ({ path, rows, one }))),
  )('an argument of syn $path excludes rows that there are', ({ rows, one }) => {
    expect(Object.keys(rows)).toEqual(expect.arrayContaining([...(one.exclusive ?? [])]))
  })
})

describe('a check of combinations', () => {
  const rows: Fields = {
    a: { kind: 'switch', exclusive: ['b', 'c'], help },
    b: { kind: 'boolean', exclusive: ['c'], help },
    c: { kind: 'text', help },
    d: { kind: 'text', help },
  }
  const positionals = [{ name: 'd', exclusive: ['d'] }]

  function combinationError(typed: Record<string, RawFlag>, words: string[] = []): string | undefined {
    try {
      checkCombinations(rows, positionals, { typed: new Map(Object.entries(typed)), words })
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }

  test.each<[typed: Record<string, RawFlag>, words: string[], message: string | undefined]>([
    [{ a: true }, [], undefined],
    [{ a: true, c: 'x' }, [], '--a and --c cannot be combined'],
    [{ c: 'x', b: true, a: true }, [], '--a and --b and --c cannot be combined'],
    [{ a: true, b: false }, [], undefined],
    [{ d: 'x' }, ['word'], '--d and D cannot be combined'],
  ])('%j with %j', (typed, words, message) => {
    expect(combinationError(typed, words)).toBe(message)
  })
})

test.each<[row: Field, text: string, brief: string]>([
  [{ kind: 'number', minimum: 0, maximum: 2, default: 1, help }, 'Help (0 to 2; default: 1)', 'Help (default: 1)'],
  [{ kind: 'boolean', default: 'a word', help }, 'Help (default: a word)', 'Help (default: a word)'],
  [{ kind: 'switch', exclusive: ['a', 'b_c', 'dE'], help }, 'Help (not with --a, --b-c, --d-e)', 'Help'],
  [{ kind: 'text', deprecated: '--new', help }, 'Help (deprecated: use --new)', 'Help'],
])('help of %j', (row, text, brief) => {
  expect(rowHelp(row)).toBe(text)
  expect(briefHelp(row)).toBe(brief)
})

describe('defaults', () => {
  const rows = [...all.map((one) => one.rows), globalOptions].flatMap((settingsTable) =>
    Object.entries<Field>(settingsTable),
  )

  test('are stated by their key alone', () => {
    const texts = rows.map(([name, row]) => `${name}: ${row.help}`)
    expect(texts.filter((text) => /default|when absent/.test(text))).toEqual([])
  })

  test('are printed in help', async () => {
    const { out } = await runSyn(['chat', '--help'])
    const text = out.replaceAll(/\s+/g, ' ')
    expect(text).toContain('--retries N Number of retries (default: 3)')
    expect(text).toContain('without data, or never if 0 (default: 300 before the first byte, then 120)')
  })
})

test('rows are split by use, each part in the order of its table', () => {
  const daily = { kind: 'switch', everyday: true, help } as const
  const other = { kind: 'switch', help } as const
  const { everyday, others } = splitByUse({ a: other, b: daily, c: other, d: daily })
  expect([Object.keys(everyday), Object.keys(others)]).toEqual([
    ['b', 'd'],
    ['a', 'c'],
  ])
})

test('help has no period at its end, and starts with a capital letter', () => {
  const settings = Object.entries(settingsTable).map(([name, { field }]) => [name, field.help])
  const rows = [...all.map((one) => one.rows), globalOptions, helpOption, versionOption]
  const texts = [
    ...rows.flatMap((one) => Object.entries<Field>(one).map(([name, row]) => [name, row.help])),
    ...settings,
  ]
  const given = all.flatMap(({ definition }) =>
    (definition.arguments ?? []).map(({ name, help: text }) => [name, text]),
  )
  expect([...texts, ...given].filter(([, text = '']) => !/^[A-Z].*[^.]$/.test(text))).toEqual([])
})
