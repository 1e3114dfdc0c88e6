/** `--expect` and `--pass`: answers beside those that a column of the input expects. */

import { readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bareLabel, expectedOf } from '../../src/batch/output/scores.ts'
import { BatchProgram } from '../helpers/batch-program.ts'
import { streamed } from '../helpers/chat-chunks.ts'
import { json, startService } from '../helpers/service.ts'

test.each([
  // From openai/evals #159, EvolvingLMMs-Lab/lmms-eval #673 and stanford-crfm/helm #4187.
  ['No.', 'No'],
  ['yes.', 'Yes'],
  ['A.', 'A'],
  ['**Positive**', 'positive'],
  [' "**good**."\n', 'Good'],
  ['“gut”', 'gut'],
  ['« bon »', 'bon'],
  ['Na\u00efve', 'nai\u0308ve'],
  ['U.S.', 'u.s'],
  ['**', '**'],
])('%j is the label %j', (answer, label) => {
  expect(bareLabel(answer)).toBe(bareLabel(label))
})

test.each([
  ['good', 'not good'],
  ['good!', 'good'],
  ['*good*', 'good'],
  ['.5', '5'],
])('%j is another label than %j', (answer, label) => {
  expect(bareLabel(answer)).not.toBe(bareLabel(label))
})

test('what is put around a label changes nothing, and its own text stays', () => {
  const label = fc.stringMatching(/^[a-z0-9][a-z .*"]{0,8}[a-z0-9é]$/)
  const around = fc.array(fc.constantFrom('**', '"', '”', ' ', '\n', "'"), { maxLength: 4 }).map((all) => all.join(''))
  const property = fc.property(label, around, around, fc.constantFrom('', '.'), (text, before, after, stop) => {
    expect(bareLabel(`${before}${text.toUpperCase().toLowerCase()}${stop}${after}`)).toBe(bareLabel(text))
    expect(bareLabel(text)).toBe(text.normalize().toLowerCase())
  })
  fc.assert(property)
})

test.each([
  ['label', [], { column: 'label' }],
  ['a=b', [], { column: 'a=b' }],
  ['label', ['mood'], { column: 'label', property: 'mood' }],
  ['mood=a=b', ['mood', 'why'], { column: 'a=b', property: 'mood' }],
] as const)('%s with the properties %j', (given, properties, expected) => {
  expect(expectedOf(given, properties, false)).toMatchObject(expected)
})

/** Labeled rows whose answer is their own text; "lost" fails. */
async function startLabeled(rows: readonly (readonly [text: string, label: string])[]) {
  const service = await startService((asked, response) => {
    if (asked.json === undefined) return json({})(asked, response)
    const { messages } = asked.json as { messages: { content: string }[] }
    const text = messages.at(-1)?.content.replace('Say ', '') ?? ''
    return (text === 'lost' ? json({ error: 'no' }, 400) : streamed(text))(asked, response)
  })
  const batch = new BatchProgram(service)
  const table = batch.path('in.csv')
  writeFileSync(
    table,
    `text,label\n${rows.map(([text, label]) => `"${text.replaceAll('"', '""')}",${label}\n`).join('')}`,
  )
  const run = (...argv: string[]) => batch.run([table, '-m', 'hf:a', '-t', 'Say {{text}}', ...argv])
  return { run, batch, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}

const labeled = [
  ['Good.', 'good'],
  ['**bad**', 'good'],
  ['bad', 'bad'],
  ['lost', 'bad'],
  ['other', ''],
] as const

test('a column says which answers are right, and the last lines how many', async () => {
  await using program = await startLabeled(labeled)
  const { run, batch } = program
  const output = batch.path('out.csv')
  const argv = ['--expect', 'label', '--keep', 'label', '-o', output]
  const { code, err } = await run(...argv, '--progress', 'jsonl')
  expect(code).toBe(1)
  expect(readFileSync(output, 'utf8').split('\n').slice(0, 4)).toEqual([
    'label,answer,ok',
    'good,Good.,true',
    'good,**bad**,false',
    'bad,bad,true',
  ])
  expect(err).toContain('syn: hf:a: 2 of 4 right (50.0 %, 15.0 to 85.0)\n')
  const lines = err.split('\n').filter((line) => line.startsWith('{'))
  const { expect: scores } = JSON.parse(lines.at(-1) ?? '') as { expect: Record<string, number>[] }
  const [{ right = 0, rows = 0, share = 0, low = 0, high = 0 } = {}] = scores
  expect([right, rows, share]).toEqual([2, 4, 0.5])
  // Wilson's bounds are the shares from which this one is 1.96 standard deviations away.
  for (const bound of [low, high]) {
    expect(Math.abs(share - bound)).toBeCloseTo(1.959964 * Math.sqrt((bound * (1 - bound)) / rows), 9)
  }
  const exact = await run(...argv, '--exact', '--offline')
  expect(exact.err).toContain('1 of 4 right')
})

test.each([
  ['50%', 1],
  ['0.5', 1],
  ['51%', 8],
  ['1.0', 8],
])(
  '--pass %s of one half, with a failed row, ends with status %i, also from recorded answers',
  async (mark, status) => {
    await using program = await startLabeled(labeled)
    const { run, batch } = program
    const argv = ['--expect', 'label', '-o', batch.path('out.jsonl'), '--pass', mark]
    const asked = await run(...argv)
    expect(asked.code).toBe(status)
    expect(asked.err).toContain('1 of 5 rows failed')
    // A row that nobody asked is not done.
    expect(await run(...argv, '--offline')).toMatchObject({ code: 1 })
  },
)

test('--pass from recorded answers alone', async () => {
  await using program = await startLabeled([labeled[0], labeled[1]])
  const argv = ['--expect', 'label', '-o', program.batch.path('out.jsonl')]
  expect(await program.run(...argv)).toMatchObject({ code: 0 })
  expect(await program.run(...argv, '--offline', '--pass', '50%')).toMatchObject({ code: 0 })
  const { code, err } = await program.run(...argv, '--offline', '--pass', '50.1%', '-q')
  expect({ code, err }).toEqual({ code: 8, err: 'syn: below --pass 50.1%: hf:a: 1 of 2 right (50.0 %, 9.5 to 90.5)\n' })
})

test('a property of a schema is compared, a number by its value', async () => {
  await using program = await startLabeled([
    ['{"stars": 3.0, "why": "x"}', '3'],
    ['{"stars": 4, "why": "x"}', '4.00'],
    ['{"stars": 1e1, "why": "x"}', '1'],
    ['{"stars": "", "why": "x"}', '0'],
    ['{"stars": 9007199254740993, "why": "x"}', '9007199254740992'],
  ])
  const schema = JSON.stringify({ properties: { stars: {}, why: {} } })
  const argv = ['--schema', schema, '-o', program.batch.path('out.csv')]
  expect(await program.run(...argv, '--expect', 'stars=label')).toMatchObject({ code: 0 })
  expect(readFileSync(program.batch.path('out.csv'), 'utf8')).toBe(
    'stars,why,ok\n3.0,x,true\n4,x,true\n1e1,x,false\n,x,false\n9007199254740993,x,false\n',
  )
  const unnamed = await program.run(...argv, '--expect', 'label')
  expect(unnamed).toMatchObject({ code: 2, err: expect.stringContaining('use --expect stars=label') as string })
})

describe('nothing is sent', () => {
  test.each([
    ['a column that is not there', ['--expect', 'lable'], 'no column "lable"'],
    ['a column in the template', ['-t', '{{text}} {{ Label }}', '--expect', 'label'], 'inserts {{Label}}'],
    ['the whole row', ['-t', '{{.}}', '--expect', 'label'], 'inserts {{.}}'],
    ['no schema named', ['--pass', '95%'], '--pass needs --expect'],
    ['--exact alone', ['--exact'], '--exact needs --expect'],
    ['a share without its sign', ['--expect', 'label', '--pass', '1'], 'a share such as 5% or 0.05'],
    ['text', ['--expect', 'label', '--format', 'text'], '--expect needs --format csv, tsv or jsonl'],
    ['an empty column', ['--expect', 'empty'], 'no row has a value in a column named "empty"'],
    ['an empty shard', ['--expect', 'label', '--shard', '1/2'], 'no row has a value in a column named "label"'],
    ['a second column ok', ['--schema', '{"properties":{"ok":{}}}', '--expect', 'label'], 'two columns named "ok"'],
    ['a column ok of the input', ['--expect', 'label', '--keep', 'ok'], 'two columns named "ok"'],
  ])('with %s', async (_what, argv, message) => {
    await using program = await startLabeled([])
    const input = program.batch.path('in.csv')
    writeFileSync(input, 'text,label,empty,ok\na,b,,x\n')
    const template = argv.includes('-t') ? [] : ['-t', 'Say {{text}}']
    const { code, err } = await program.batch.run([input, ...template, '-o', program.batch.path('o.csv'), ...argv])
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(message) as string })
    expect(program.batch.exists('o.csv.answers')).toBe(false)
  })
})

test('--yes sends a template with the expected column', async () => {
  await using program = await startLabeled([['good', 'good']])
  const argv = ['-t', 'Say {{text}}{{label}}', '--expect', 'label', '--yes', '-o', program.batch.path('o.csv')]
  const { code } = await program.batch.run([program.batch.path('in.csv'), '-m', 'hf:a', ...argv])
  expect(code).toBe(0)
})
