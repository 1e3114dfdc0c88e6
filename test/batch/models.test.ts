/** Several models in a run: its columns, what it sends, and when it stops. */

import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { BatchProgram, prompts } from '../helpers/batch-program.ts'
import { startBatchService } from '../helpers/batch-service.ts'
import { startPaidService } from '../helpers/paid-service.ts'

const [one, two] = ['hf:test/one', 'hf:test/two'] as const
const both = ['-m', one, '-m', two] as const

test.each([
  ['csv', [`n,${one},${two}`, '1,Answer 1.,Answer 1.']],
  ['tsv', [`n\t${one}\t${two}`, '1\tAnswer 1.\tAnswer 1.']],
  ['jsonl', [`{"n":"1","${one}":"Answer 1.","${two}":"Answer 1."}`]],
])('columns are named after the models, in %s', async (type, lines) => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service)
  writeFileSync(batch.path('in.csv'), 'n\n1\n')
  const output = batch.path(`out.${type}`)
  const run = await batch.run([batch.path('in.csv'), ...both, '-m', one, '-t', '{{n}}', '--keep', 'n', '-o', output])
  expect(run).toMatchObject({ code: 0, err: expect.stringContaining('2 requests to send') as string })
  const text = readFileSync(output, 'utf8').replaceAll(/Answer \w+\./g, 'Answer 1.')
  expect(text.trimEnd().split('\n')).toEqual(lines)
})

test('a model that is added needs no --new-settings, and only its answers are asked for and priced', async () => {
  await using service = await startPaidService(() => ({ prompt: 6, completion: 47 }))
  const batch = new BatchProgram(service, prompts(4))
  const [a, b] = ['hf:a/one', 'hf:b/two']
  const run = (...argv: string[]) => batch.run([batch.input, '-o', batch.path('out.csv'), ...argv])
  expect(await run('-m', a)).toMatchObject({ code: 0 })
  const preview = await run('-m', a, '-m', b, '--dry-run')
  expect(preview.err).toMatch(
    /^syn: 8 requests · 4 of 8 requests have an answer · 4 would be sent · about (\d+) tokens of prompts/,
  )
  expect(await run('-m', a, '-m', b, '--max-cost', '0.85')).toMatchObject({ code: 0 })
  expect(service.rows).toBe(8)
  for (const known of [
    ['-m', b],
    ['-m', b, '-m', a],
    ['-m', a],
  ])
    expect(await run(...known)).toMatchObject({ code: 0 })
  expect(service.rows).toBe(8)
  const other = await run('-m', 'hf:c/three')
  expect(other).toMatchObject({
    code: 2,
    err: expect.stringContaining('other settings than before: the model') as string,
  })
  const restart = await run('-m', a, '--restart')
  expect(restart).toMatchObject({
    code: 2,
    err: expect.stringContaining('would also drop 4 answers of other models') as string,
  })
  expect(await run('-m', b, '-m', a, '--restart')).toMatchObject({ code: 0 })
  expect(service.rows).toBe(16)
})

test('--limit counts rows', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service, prompts(9))
  const run = (...argv: string[]) => batch.run([batch.input, ...both, '-o', batch.path('out.csv'), ...argv])
  expect(await run('--limit', '2')).toMatchObject({ code: 0 })
  expect((await service.counts()).answered).toBe(4)
  expect(await run()).toMatchObject({
    code: 0,
    err: expect.stringContaining('4 of 18 requests have an answer') as string,
  })
  expect((await service.counts()).timesAnswered).toEqual({ 1: 18 })
})

describe('a model that cannot be asked leaves the others', () => {
  test.each([
    ['is gone', [], 4, { missingModels: [one] }, 'syn: hf:test/one: The model hf:test/one does not exist.'],
    ['fails first', ['--max-errors', '0'], 1, {}, 'syn: hf:test/one: 1 row failed'],
  ] as const)('that %s', async (_what, argv, code, options, message) => {
    await using service = await startBatchService(options)
    const lines = ['a', 'b', 'c'].map((text) => (code === 1 && text === 'a' ? 'status 400 once' : text))
    const batch = new BatchProgram(service, lines)
    const run = (...more: string[]) =>
      batch.run([batch.input, ...both, '-o', batch.path('out.csv'), '--jobs', '1', ...argv, ...more])
    const stopped = await run()
    expect(stopped).toMatchObject({ code, err: expect.stringContaining(message) as string })
    expect(stopped.err).toContain('3 of 6 requests have an answer; to write the results so far, add --offline')
    // --fallback cannot be combined with several models.
    expect(stopped.err).not.toContain('--fallback')
    expect(stopped.err.split(message)).toHaveLength(3)
    expect((await service.counts()).answered).toBe(3)
    expect(await run('--offline')).toMatchObject({ code: 1 })
    expect(readFileSync(batch.path('out.csv'), 'utf8')).toMatch(/^hf:test\/one,hf:test\/two\n(,Answer \w+\.\n){3}$/)
    await service.set({ missingModels: [] })
    expect(await run()).toMatchObject({ code: 0 })
    expect((await service.counts()).timesAnswered).toEqual({ 1: 6 })
  })
})

test.each([
  ['without --output', [], 'needs --format csv, tsv or jsonl'],
  ['in JSON Lines without --output', ['--format', 'jsonl'], 'needs --output'],
  ['as text', ['-o', 'OUT.txt'], 'needs --format csv, tsv or jsonl'],
  ['with --n', ['-o', 'OUT.csv', '--n', '2'], '-m given several times and --n cannot be combined'],
  ['with --fallback', ['-o', 'OUT.csv', '--fallback'], 'and --fallback cannot be combined'],
  ['with requests', ['-o', 'OUT.csv', '--input-format', 'openai'], 'and --input-format openai cannot be combined'],
  ['with a column of that name', ['-o', 'OUT.csv', '--keep', one], `two columns named "${one}"`],
  ['with a model of a row', ['-o', 'OUT.csv', '--input-format', 'jsonl'], 'line 2: a row with its own model'],
])('%s: nothing is sent', async (_what, argv, message) => {
  await using service = await startBatchService()
  const body = `{"model":"${one}","messages":[{"role":"user","content":"a"}]}`
  const batch = new BatchProgram(service, [
    `{"prompt":"a","method":"POST","url":"/v1/chat/completions","body":${body}}`,
    body,
  ])
  const named = argv.map((word) => word.replace('OUT', batch.path('out')))
  const { code, err } = await batch.run([batch.input, ...both, ...named])
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(message) as string })
  expect((await service.counts()).answered).toBe(0)
})
