/** What is parsed, what `--help` lists, what the page explains and what shells complete are the same flags. */

import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { manPages } from '../../man/pages.ts'
import type { AnyCommand } from '../../src/command.ts'
import { flagsOf } from '../../src/completion/flag-candidates.ts'
import { declareCommand } from '../../src/cli/commander-parser.ts'
import { type Field, type Fields, flagOf } from '../../src/fields/field.ts'
import { kindOf } from '../../src/fields/kinds.ts'
import { commands, globalRows, nodes } from '../helpers/commands.ts'
import { runSyn } from '../helpers/run-syn.ts'

const pages = await manPages()

describe.each(nodes)('syn $path', ({ path, specs }) => {
  const flags = (rows: Fields): string[] =>
    flagsOf(rows)
      .map(({ word }) => word)
      .sort()

  test('--help lists what is completed', async () => {
    const { out } = await runSyn([...path.split(' '), '--help'].filter(Boolean))
    const [options = ''] = out.split('\nExamples:')
    const listed = [...options.matchAll(/^ {2}(?:-(\w), | {4})-(-\S+)/gm)]
    expect(listed.flatMap(([, short, long = '']) => flagNames(short, long)).sort()).toEqual(
      flags({ ...specs, ...globalRows }),
    )
  })

  // syn(1) has those of every command.
  test('the page explains what is completed', () => {
    const terms = [...pageParts(path).matchAll(/^\.It Fl (?:(\w) , )?(\S+)/gm)]
    expect(terms.flatMap(([, short, long = '']) => flagNames(short, long)).sort()).toEqual(
      flags(path === '' ? { ...specs, ...globalRows } : specs),
    )
  })
})

describe.each(nodes.slice(1))('syn $path', ({ path, specs }) => {
  const definition = definitionOf(path)
  const mounted = new Command()
  // Only the flags of the line are declared.
  const argv = flagsOf({ ...specs, ...globalRows }).map(({ word }) => word)
  declareCommand(mounted, { ...definition, subcommands: {} }, { argv, specs }, () => Promise.resolve())

  test('the parser takes what is completed', () => {
    const options = mounted.options.filter(({ long = '' }) => !long.includes('='))
    const parsed = options.flatMap(({ short = '', long = '' }) => [short, long].filter(Boolean))
    expect(parsed.sort()).toEqual(argv.filter((name) => name !== '-h' && name !== '--help').sort())
  })

  test('flags take a value in the next word where one is completed', () => {
    const parsed = mounted.options.flatMap(({ required, long = '' }) => (required ? [long] : []))
    const all = Object.entries<Field>({ ...specs, ...globalRows })
    const valued = all.flatMap(([name, spec]) =>
      /required|attached/.test(kindOf(spec).flag.value) ? [flagOf(name)] : [],
    )
    expect(valued.sort()).toEqual(parsed.sort())
  })
})

/** `-m` and `--model`, or the two flags that `--[no-]stream` means. */
function flagNames(short: string | undefined, long: string): string[] {
  const name = long.replace('-[no-]', '').replace(/^-|\[=.*$/g, '')
  const negated = long.includes('[no-]') ? [`--no-${name}`] : []
  return [...(short === undefined ? [] : [`-${short}`]), `--${name}`, ...negated]
}

/** The parts of a page that list flags: for a subcommand its own section. */
function pageParts(path: string): string {
  const [name, ...nested] = path.split(' ')
  const text = (pages.get(name ? `syn-${name}.1` : 'syn.1') ?? '').replaceAll('\\-', '-')
  if (nested.length === 0) {
    return text
      .split(/^\.Sh /m)
      .filter((part) => /^"?(MORE )?OPTIONS/.test(part))
      .join('')
  }
  return text.split(/^\.S[hs] /m).find((part) => part.startsWith(`"syn ${path}"\n`)) ?? ''
}

function definitionOf(path: string): AnyCommand {
  const [first, ...nested] = path.split(' ')
  const start = commands.find(({ name }) => name === first)?.definition
  const definition = nested.reduce((command, name) => command?.subcommands?.[name], start)
  if (!definition) throw new Error(`there is no syn ${path}`)
  return definition
}
