/** Every option that takes JSON reads it by one rule: inline, a path, `@` and a path, or standard input. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CommandName } from '../../src/cli/registry.ts'
import { jsonHelp } from '../../src/fields/kinds.ts'
import { anyText, commandSamples } from '../helpers/command-lines.ts'
import { commands, documentFlags } from '../helpers/commands.ts'
import { emptyFolder, runSyn, type RunOptions } from '../helpers/run-syn.ts'

const documents: Readonly<Record<string, unknown>> = {
  '--body': { user: 'a' },
  '--schema': { type: 'object' },
  '--messages': [{ role: 'user', content: 'Hi' }],
  '--tools': [],
  '--functions': [],
  '--tool-choice': { type: 'function', function: { name: 'weather' } },
  '--function-call': { name: 'weather' },
  '--response-format': { type: 'json_object' },
  '--logit-bias': { 50256: -100 },
  '--stream-options': { include_usage: true },
  '--prompt-tokens': [1, 2],
}

const rows = commands.flatMap(({ name }) => documentFlags(name).map((flag) => [name, flag] as const))

async function bodySentWith(name: CommandName, argv: string[], options?: RunOptions): Promise<string> {
  const words = commandSamples[name].argv ?? []
  // Tokens stand in place of a prompt.
  const prompt = argv[0]?.startsWith('--prompt-tokens') ? words.filter((word) => word !== anyText) : words
  const { code, out, err } = await runSyn([name, '--dry-run', ...argv, ...prompt], options)
  expect({ code, err }).toMatchObject({ code: 0 })
  return out
}

test('each option that takes JSON is tried here', () => {
  expect([...new Set(rows.map(([, flag]) => flag))].toSorted()).toEqual(Object.keys(documents).toSorted())
})

/** Commands share most of these options: one of each in full, the others only with a path. */
const [firsts, others] = [true, false].map((isFirst) =>
  rows.filter(([, flag], at) => (rows.findIndex((row) => row[1] === flag) === at) === isFirst),
) as [typeof rows, typeof rows]

function sampleOf(name: CommandName, flag: string): { json: string; file: string } {
  const document = commandSamples[name].documents?.[flag] ?? documents[flag]
  const file = join(emptyFolder(), 'my file.json')
  writeFileSync(file, JSON.stringify(document, undefined, 2))
  return { json: JSON.stringify(document), file }
}

test.each(others)('syn %s %s reads a path as it reads inline JSON', async (name, flag) => {
  const { json, file } = sampleOf(name, flag)
  const expected = await bodySentWith(name, [flag, json])
  expect(expected).not.toBe(await bodySentWith(name, []))
  expect(await bodySentWith(name, [`${flag}=${file}`])).toBe(expected)
})

describe.each(firsts)('syn %s %s', (name, flag) => {
  const { json, file } = sampleOf(name, flag)
  let expected = ''

  beforeAll(async () => {
    expected = await bodySentWith(name, [flag, json])
  })

  test.each<[what: string, value: string, options?: RunOptions]>([
    ['blanks before inline JSON', ` \n ${json}`],
    ['a path', file],
    ['@ and a path', `@${file}`],
    ['-', '-', { stdin: json }],
    ['@-', '@-', { stdin: json }],
  ])('%s is read as inline JSON is', async (_what, value, options) => {
    expect(await bodySentWith(name, [`${flag}=${value}`], options)).toBe(expected)
  })
})

test.each([
  ['--schema', 'is neither JSON nor a file\n'],
  ['--tool-choice', 'is not accepted; expected auto'],
])('%s with text that is neither JSON nor a file', async (flag, problem) => {
  const { code, err } = await runSyn(['chat', flag, './missing.json'])
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`syn: ${flag}: "./missing.json" ${problem}`) })
})

test.each([...new Set(rows.map(([name]) => name))])('syn %s --help explains the rule once', async (name) => {
  const { out } = await runSyn([name, '--help'], { columns: 200 })
  expect(out.replaceAll(/\s+/g, ' ').split(jsonHelp)).toHaveLength(2)
})

test('~ after @ is the home folder: no shell expands it there', async () => {
  const home = emptyFolder()
  writeFileSync(join(home, 'tools.json'), '[]')
  writeFileSync(join(home, 'system.txt'), 'Be brief')
  const argv = ['--tools', '@~/tools.json', '-s', '@~/system.txt']
  const body = await bodySentWith('chat', argv, { env: { HOME: home } })
  expect(JSON.parse(body)).toMatchObject({ tools: [], messages: [{ content: 'Be brief' }, {}] })
})

test('--messages also takes inline JSON Lines', async () => {
  const lines = '{"role":"user","content":"Hi"}\n{"role":"assistant","content":"Hello"}'
  const { messages } = JSON.parse(await bodySentWith('chat', ['--messages', lines])) as { messages: unknown[] }
  expect(messages).toHaveLength(3)
})

test('an error in a file whose name begins as JSON names it as typed', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, '[a'), '[')
  const before = process.cwd()
  process.chdir(folder)
  try {
    expect((await runSyn(['chat', '--body', '@[a', 'hi'])).err).toContain('syn: --body @[a: not valid JSON at ')
  } finally {
    process.chdir(before)
  }
})

test('an error in the value names the file', async () => {
  const file = join(emptyFolder(), 'tools.json')
  writeFileSync(file, '[{"type":"tool"}]')
  const { err } = await runSyn(['chat', '--tools', file, 'hi'])
  expect(err).toMatch(`syn: --tools ${file}: $[0]`)
})

describe('a number that would be changed is refused as typed', () => {
  const folder = emptyFolder()
  const [body, messages] = [join(folder, 'body.json'), join(folder, 'messages.jsonl')]
  writeFileSync(body, '{\n  "user": "1e400 \\" 1e400",\n  "seed": -9007199254740993\n}')
  writeFileSync(messages, '{"role":"user","content":"1e400"}\n\n{"role":"user","content":"b","id":9007199254740993}\n')
  const [whole, largest] = ['a whole number of at most 9007199254740991', 'a number of at most 1.7976931348623157e+308']

  test.each([
    [['-p', 'temperature=1e400'], `--param temperature: 1e400 is not accepted; expected ${largest}`],
    [['--seed', '9007199254740993'], `--seed: "9007199254740993" is not accepted; expected ${whole}`],
    [
      ['-p', 'x={"a":9007199254740993}'],
      `--param x: 9007199254740993 at line 1, column 6 is not accepted; expected ${whole}`,
    ],
    [
      ['--body', body],
      `--body ${body}: -9007199254740993 at line 3, column 11 is not accepted; ` +
        'expected a whole number of at least -9007199254740991',
    ],
    [
      ['--messages', messages],
      `--messages ${messages}: 9007199254740993 at line 3, column 35 is not accepted; expected ${whole}`,
    ],
  ])('chat %j', async (argv, message) => {
    expect(await runSyn(['chat', '--dry-run', ...argv, 'hi'])).toEqual({ code: 2, out: '', err: `syn: ${message}\n` })
  })

  test('numbers that keep their value, and text that looks like others', async () => {
    const value =
      '{"a":[1,-0.5,1e22,9007199254740991,-9007199254740991,"9007199254740993","\\\\",1e308],"b":"\\"1e400"}'
    const out = await bodySentWith('chat', ['-p', `x=${value}`, '-p', 'y=+9007199254740993'])
    expect(JSON.parse(out)).toMatchObject({ x: JSON.parse(value), y: '+9007199254740993' })
  })
})
