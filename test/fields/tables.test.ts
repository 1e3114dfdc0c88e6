/** What specs say of themselves holds for all commands: what they exclude, their defaults, and the order of help. */

import { describe, expect, test } from 'vitest'
import type { AnyCommand } from '../../src/command.ts'
import { flagOf, type Field, type Fields } from '../../src/fields/field.ts'
import { globalOptions, helpOption, programOptions } from '../../src/fields/global-options.ts'
import { settingSpecs } from '../../src/settings/setting-specs.ts'
import { commands } from '../helpers/commands.ts'
import { runSyn } from '../helpers/run-syn.ts'

interface Named {
  readonly path: string
  readonly specs: Fields
  readonly definition: AnyCommand
}

function below(path: string, definition: AnyCommand): Named[] {
  const nested = Object.entries(definition.subcommands ?? {})
  const specs: Fields = { ...definition.options, ...definition.fields }
  return [{ path, specs, definition }, ...nested.flatMap(([name, one]) => below(`${path} ${name}`, one))]
}

const all = commands.flatMap(({ name, definition }) => below(name, definition))

const pairs = all.flatMap(({ path, specs }) =>
  Object.entries(specs).flatMap(([name, { exclusive = [] }]) =>
    exclusive.map((other) => ({ path, rows: specs, pair: [name, other] as const })),
  ),
)

/** Flags with a value that their kind takes. */
function argvOf(name: string, spec: Field | undefined): string[] {
  if (spec === undefined) throw new Error(`there is no row ${name}`)
  if (spec.kind === 'switch' || spec.kind === 'boolean' || spec.kind === 'switch or notation') return [flagOf(name)]
  return [flagOf(name), spec.kind === 'number' ? '1' : 'x']
}

describe('options that cannot be combined', () => {
  test.each(pairs)('syn $path: $pair', async ({ path, rows: specs, pair }) => {
    const flags = pair.flatMap((name) => argvOf(name, specs[name]))
    const { code, out, err } = await runSyn([...path.split(' '), ...flags])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^syn: --[\w-]+ and --[\w-]+ cannot be combined\n/)
    for (const name of pair) expect(err).toContain(flagOf(name))
  })

  const withArguments = all.flatMap(({ path, specs, definition }) =>
    (definition.arguments ?? []).flatMap(({ name, exclusive = [] }) =>
      exclusive.map((option) => ({ path, rows: specs, name, option })),
    ),
  )

  test.each(withArguments)('syn $path: $option and $name', async ({ path, rows: specs, name, option }) => {
    const { code, err } = await runSyn([...path.split(' '), ...argvOf(option, specs[option]), 'x'])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(` and ${name.toUpperCase()} cannot be`) })
  })
})

describe('defaults', () => {
  const rows = [...all.map((one) => one.specs), globalOptions].flatMap((specs) => Object.entries<Field>(specs))

  test('are stated by their key alone', () => {
    const texts = rows.map(([name, spec]) => `${name}: ${spec.help}`)
    expect(texts.filter((text) => /default|when absent/.test(text))).toEqual([])
  })

  test('are printed in help', async () => {
    const { out } = await runSyn(['chat', '--help'])
    const text = out.replaceAll(/\s+/g, ' ')
    expect(text).toContain('--retries N Number of retries (default: 3)')
    expect(text).toContain('without data, or never if 0 (default: 300 before the first byte, then 120)')
  })
})

test('help has no period at its end, and starts with a capital letter', () => {
  const settings = Object.entries(settingSpecs).map(([name, { field }]) => [name, field.help])
  const rows = [...all.map((one) => one.specs), globalOptions, helpOption, programOptions]
  const texts = [
    ...rows.flatMap((one) => Object.entries<Field>(one).map(([name, spec]) => [name, spec.help])),
    ...settings,
  ]
  const given = all.flatMap(({ definition }) =>
    (definition.arguments ?? []).map(({ name, help: text }) => [name, text]),
  )
  expect([...texts, ...given].filter(([, text = '']) => !/^[A-Z].*[^.]$/.test(text))).toEqual([])
})
