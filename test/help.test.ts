/** Help and unknown commands. */

import { describe, expect, test } from 'vitest'
import type { AnyCommand } from '../src/command.ts'
import { registry } from '../src/cli/registry.ts'
import { flagOf, type Fields } from '../src/fields/field.ts'
import { packageVersion } from '../src/io/process/package.ts'
import { commands } from './helpers/commands.ts'
import { runSyn } from './helpers/run-syn.ts'

test.each<[line: string, code: number, out: string, err: string]>([
  ['chat some words -h', 0, 'Ask a model, or chat with it\n', ''],
  ['-h config get words', 0, 'Print the value of a setting\n', ''],
  ['--version', 0, `${packageVersion()}\n`, ''],
  [
    'nonsense',
    2,
    '',
    'syn: unknown command "nonsense"\nhint: syn --help lists the commands; to ask a model, use syn chat "QUESTION"\n',
  ],
  ['-h nonsense', 2, '', 'syn: unknown command "nonsense"'],
  [
    'help config gte',
    2,
    '',
    'syn: unknown subcommand "gte" (did you mean get?)\nhint: available: list, profiles, get, set, unset, path',
  ],
  ['help chat words', 2, '', 'syn: unknown command "chat words"\nhint: see syn chat --help\n'],
  ['caht', 2, '', 'syn: unknown command "caht" (did you mean chat?)'],
])('syn %s', async (line, code, out, err) => {
  const outcome = await runSyn(wordsOf(line))
  expect(outcome.code).toBe(code)
  expect(outcome.out.startsWith(out)).toBe(true)
  expect(outcome.out === '').toBe(out === '')
  expect(outcome.err).toContain(err)
  expect(outcome.err === '').toBe(err === '')
})

describe('-h prints one screen, --help and help everything', () => {
  test.each([
    ['', '-h'],
    ['--profile x', '-h'],
    ['-h chat', 'chat -h'],
    ['chat -uh', 'chat -h'],
    ['help', '--help'],
    ['help chat', 'chat --help'],
    ['chat -h --help', 'chat --help'],
    ['help config get', 'config get --help'],
  ])('syn %s is syn %s', async (line, same) => {
    const expected = await runSyn(wordsOf(same))
    expect(await runSyn(wordsOf(line))).toEqual(expected)
    expect(expected.out.includes('Global options:')).toBe(!same.endsWith('-h'))
  })

  const everyday = registry.filter((entry) => entry.everyday)
  const others = registry.filter((entry) => !entry.everyday)
  const listOf = (rows: typeof registry): string[] => rows.map(({ name, summary }) => `${name}: ${summary}`)
  const listIn = (help: string, title: string): string[] =>
    (sectionsOf(help).get(title) ?? []).map((line) => line.trim().replace(/ {2,}/, ': '))

  test('syn -h lists the everyday commands with their summaries', async () => {
    const { out } = await runSyn(['-h'])
    expect(everyday.map(({ name }) => name)).toEqual(expect.arrayContaining(['chat', 'login', 'models', 'quota']))
    expect(listIn(out, 'Commands')).toEqual(listOf(everyday))
  })

  test('syn --help lists every command with its summary, those of every day first', async () => {
    const { out } = await runSyn(['--help'], { columns: 200 })
    expect(listIn(out, 'Commands')).toEqual(listOf(everyday))
    expect(listIn(out, 'More commands')).toEqual(listOf(others))
  })

  test.each([80, 120])('syn -h fits on a screen of %i columns, and names what comes next', async (columns) => {
    const lines = (await runSyn(['-h'], { columns })).out.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(23)
    expect(lines).toContain('  syn chat --sandbox "Say hello in three languages"')
    expect(lines.at(-1)).toMatch(/'syn --help' for all commands.*'syn man'/)
  })
})

interface Page {
  readonly path: string
  readonly definition: AnyCommand
}

function pagesOf(path: string, definition: AnyCommand): Page[] {
  const nested = Object.entries(definition.subcommands ?? {})
  return [{ path, definition }, ...nested.flatMap(([name, one]) => pagesOf(`${path} ${name}`, one))]
}

const pages = commands.flatMap(({ name, definition }) => pagesOf(name, definition))

describe.each(pages)('syn $path', ({ path, definition }) => {
  const { options = {}, fields = {}, examples } = definition
  const words = path.split(' ')

  test('-h has usage, the everyday flags, three examples, and where to find more', async () => {
    const { out } = await runSyn([...words, '-h'])
    const lines = out.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(23)
    expect(lines.filter((line) => line.startsWith(`Usage: syn ${path}`))).toHaveLength(1)
    expect(flagsIn(out)).toEqual([...everydayOf(fields), ...everydayOf(options)])
    expect(sectionsOf(out).get('Examples')).toEqual(examples.slice(0, 3).map(([, line]) => `  ${line}`))
    expect(examples.length).toBeGreaterThanOrEqual(3)
    expect(lines.at(-1)).toContain(`'syn ${path} --help'`)
    expect(lines.at(-1)).toContain(`'syn man ${words[0]}'`)
  })

  test('--help has the everyday flags first, then the others, the fields, and the global options', async () => {
    const { out } = await runSyn([...words, '--help'])
    const sections = sectionsOf(out)
    const titles = ['Options', 'More options', 'Request fields', 'Global options', 'Examples']
    const found = titles.filter((one) => sections.has(one))
    expect([...sections.keys()].slice(-found.length)).toEqual(found)
    expect(found.slice(-2)).toEqual(['Global options', 'Examples'])

    const listed = found.map((one) => flagsIn(`${sections.get(one)?.join('\n')}`))
    const everyday = [...everydayOf(fields), ...everydayOf(options)]
    if (everyday.length > 0) expect(listed[0]).toEqual(everyday)
    const flags = listed.flat()
    expect(flags).toEqual([...new Set(flags)])
    for (const name of Object.keys({ ...options, ...fields })) expect(flags).toContain(flagOf(name))
    expect(sections.get('Examples')).toEqual(examples.flatMap(([purpose, line]) => [`  # ${purpose}`, `  ${line}`]))
  })

  test.each([40, 120])('no line is wider than a terminal of %i columns, where words allow it', async (columns) => {
    for (const flag of ['-h', '--help']) {
      const { out } = await runSyn([...words, flag], { columns })
      const wide = out
        .slice(0, out.indexOf('\nExamples:'))
        .split('\n')
        .filter((line) => line.length > columns)
      // A flag's own term or a single word can't be broken.
      expect(wide.filter((line) => !/^ +(-\w, )?--\S+|^ *\S+$/.test(line))).toEqual([])
    }
  })

  test.each([40, 57])('nothing is broken inside quotes at %i columns', async (columns) => {
    for (const flag of ['-h', '--help']) {
      const { out } = await runSyn([...words, flag], { columns })
      for (const [, line] of examples.slice(0, flag === '-h' ? 3 : undefined)) expect(out).toContain(`\n  ${line}\n`)
      expect(out.split('\n').filter((line) => /^[^"]*"(?:[^"]*"[^"]*")*[^"]*$|^[^`]*`[^`]*$/.test(line))).toEqual([])
      expect(out).toContain(`'syn man ${words[0]}'`)
    }
  })

  test('examples fit into 80 columns', () => {
    expect(examples.map(([, line]) => line).filter((line) => line.length > 78)).toEqual([])
  })
})

test.each([40, 57])('nothing of the help of syn is broken inside quotes at %i columns', async (columns) => {
  for (const flag of ['-h', '--help']) {
    const { out } = await runSyn([flag], { columns })
    expect(out).toContain('"Say hello in three languages"')
    expect(out).toContain("'syn man'")
  }
})

test('a hint on a terminal is not broken inside quotes', async () => {
  const { err } = await runSyn(['search'], { isTerminal: true, columns: 40 })
  expect(err.split('\n')).toContain('"how tall is the Eiffel tower"')
})

function wordsOf(line: string): string[] {
  return line.split(' ').filter(Boolean)
}

function everydayOf(specs: Fields): string[] {
  return Object.entries(specs)
    .filter(([, spec]) => spec.everyday)
    .map(([name]) => flagOf(name))
}

/** The long flags that are listed, in their order. */
function flagsIn(help: string): string[] {
  return [...help.matchAll(/^ {2}(?:-\w, | {4})--(?:\[no-\])?([\w-]+)/gm)].map(([, name]) => `--${name}`)
}

/** Lines below each title. */
function sectionsOf(help: string): Map<string, string[]> {
  const blocks = help.split('\n\n').map((block) => block.trimEnd().split('\n'))
  const titled = blocks.filter(([first = '']) => /^[A-Z][a-z ]+:$/.test(first))
  return new Map(titled.map(([first = '', ...lines]) => [first.slice(0, -1), lines]))
}
