/** Files that `syn batch` must not replace: those that it reads, and those of somebody else. Nothing is sent. */

import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256 } from '../../src/batch/sha256.ts'
import { BatchProgram } from '../helpers/batch-program.ts'
import { startBatchService } from '../helpers/batch-service.ts'
import { emptyFolder, type Outcome, runSyn } from '../helpers/run-syn.ts'

/** Runs with these files in a folder, which must stay as they are. The service does not exist. */
async function refused(files: Record<string, string>, argv: (folder: string) => string[]): Promise<Outcome> {
  const folder = emptyFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const outcome = await runSyn(['batch', ...argv(folder)])
  const left = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
  expect(Object.fromEntries(left)).toEqual(files)
  return { ...outcome, err: outcome.err.replaceAll(`${folder}/`, '') }
}

test.each(['x.errors.jsonl', 'x.jsonl.partial-input', 'x.jsonl.partial-output', 'x.jsonl.partial-errors'])(
  'the input is not %s beside the output',
  async (name) => {
    const { code, err } = await refused({ [name]: '{"prompt":"a"}\n' }, (folder) => [
      join(folder, name),
      '-o',
      join(folder, 'x.jsonl'),
    ])
    expect({ code, err }).toEqual({ code: 2, err: `syn: --output: x.jsonl would replace the input, ${name}\n` })
  },
)

test('nor is it the journal, or the output through a link', async () => {
  const folder = emptyFolder()
  const [input, output] = [join(folder, 'in.jsonl'), join(folder, 'out.jsonl')]
  writeFileSync(input, '{"prompt":"a"}\n')
  linkSync(input, `${output}.partial`)
  expect(await runSyn(['batch', input, '-o', output, '--restart'])).toMatchObject({
    code: 2,
    err: `syn: --output: ${output} would replace the input, ${input}\n`,
  })
  mkdirSync(join(folder, 'links'))
  const link = join(folder, 'links', basename(input))
  symlinkSync(input, link)
  expect(await runSyn(['batch', input, '-o', link])).toMatchObject({
    code: 2,
    err: `syn: --output: ${link} is the input\n`,
  })
})

test.each([
  ['x.jsonl', 'x.errors.jsonl', []],
  ['x.csv', 'x.csv.errors.jsonl', []],
  ['x', 'x.errors', ['--restart']],
  ['x.csv.jsonl', 'x.csv.jsonl.errors.jsonl', []],
  ['x.csv', 'x.csv.identity', []],
])('with -o %s, a file %s that is not of syn batch stays', async (output, errors, options) => {
  const { code, err } = await refused({ 'in.txt': 'a\n', [errors]: '{"level":"error"}\n' }, (folder) => [
    join(folder, 'in.txt'),
    '-o',
    join(folder, output),
    ...options,
  ])
  expect({ code, err }).toEqual({
    code: 2,
    err: `syn: ${errors} exists and is not of a run of syn batch\nhint: move it, or choose another --output\n`,
  })
})

test.each([[[]], [['--restart']]])('an output that is not of syn batch stays: %j', async (options) => {
  const { code, err } = await refused({ 'in.txt': 'a\n', 'notes.txt': 'Buy milk\n' }, (folder) => [
    join(folder, 'in.txt'),
    '-o',
    join(folder, 'notes.txt'),
    '--format',
    'jsonl',
    ...options,
  ])
  expect({ code, err }).toEqual({
    code: 2,
    err: 'syn: notes.txt exists and is not of a run of syn batch\nhint: move it, or choose another --output\n',
  })
})

test.each([
  ['-t', 'prompt.txt', '@'],
  ['--template', 'prompt.txt', '@'],
  ['--schema', 'prompt.txt', ''],
])('with --restart too, a file that %s %s reads stays', async (flag, name, at) => {
  const text = flag === '--schema' ? '{"type":"object"}' : 'Of {{.}}: '
  const { code, err } = await refused({ 'in.txt': 'a\n', [name]: text }, (folder) => [
    join(folder, 'in.txt'),
    flag,
    `${at}${join(folder, name)}`,
    '-o',
    join(folder, name),
    '--restart',
  ])
  expect({ code, err }).toEqual({ code: 2, err: `syn: --output: ${name} is a file that it reads\n` })
})

const knownByStart = ['-errors', '-identity', '-journal']
const knownByJournal = ['', '-output', '-input', ...knownByStart]

test.each([
  ['without results', '', [], knownByJournal],
  ['without results, --restart', '', ['--restart'], knownByJournal],
  ['beside whole results', 'a', [], knownByJournal],
  ['beside whole results, --restart', 'a', ['--restart'], knownByJournal],
  ['beside a journal', 'status 400', [], knownByStart],
  ['beside a journal, --restart', 'status 400', ['--restart'], knownByStart],
])('%s, a file OUT.partial… that is not of syn batch stays', async (_when, first, options, names) => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service, [first || 'a'])
  if (first !== '') await batch.file()
  const { statuses } = await service.counts()
  for (const name of names) {
    const path = `${batch.output}.partial${name}`
    writeFileSync(path, 'An answer\n')
    const { code, err } = await batch.file(...options)
    const what = name === '' ? 'is not a journal of syn batch' : 'exists and is not of a run of syn batch'
    const expected = `syn: ${path} ${what}\nhint: move it, or choose another --output\n`
    expect({ code, err, text: readFileSync(path, 'utf8') }).toEqual({ code: 2, err: expected, text: 'An answer\n' })
    rmSync(path)
    symlinkSync('gone', path)
    if (name !== '') expect((await batch.file(...options)).err).toBe(expected)
    rmSync(path)
  }
  expect((await service.counts()).statuses).toEqual(statuses)
})

test.each([
  ['in.txt', 'the input'],
  ['out.2.jsonl', 'a file of results'],
])('merge does not replace %s', async (output, name) => {
  const result = (line: string): string =>
    `{"id":"batch_req_${sha256(line).slice(0, 24)}","custom_id":"${line}","response":{},"error":null}\n`
  const files = { 'in.txt': 'a\nb\n', 'out.1.jsonl': result('a'), 'out.2.jsonl': result('b') }
  const { code, err } = await refused(files, (folder) => [
    'merge',
    ...Object.keys(files).map((one) => join(folder, one)),
    '-o',
    join(folder, output),
  ])
  expect({ code, err }).toEqual({ code: 2, err: `syn: --output: ${output} is ${name}\n` })
})
