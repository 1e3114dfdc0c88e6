import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { merge, runEach } from '../helpers/batch-merge.ts'
import { runBatch } from '../helpers/batch-run.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

test('lines without a result, that failed, or with several results are named', async () => {
  const folder = emptyFolder()
  const paths = await runEach(folder, [['a', 'b'], ['c']], new Set(['b']))
  const errors = join(folder, 'out.0.errors.jsonl')
  await expect(merge(['a', 'b', 'c', 'd', 'd'], [...paths, errors])).rejects.toThrow(
    'cannot merge: 2 lines without a result (4, 5); 1 line that failed (2)',
  )
  await expect(merge(['c', 'a', 'c'], paths)).rejects.toThrow('1 line without a result (3)')
  await expect(merge(['a', 'c'], [...paths, ...paths])).rejects.toThrow('2 lines with several results (1, 2)')
  const many = Array.from({ length: 12 }, (_, number) => String(number))
  await expect(merge(many, [])).rejects.toThrow(
    'cannot merge: 12 lines without a result (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …)',
  )
})

test('a failed row that another run sent again is no failure', async () => {
  const folder = emptyFolder()
  const failing = new Set(['b'])
  const [path = ''] = await runEach(folder, [['a', 'b']], failing)
  const [again = ''] = await runEach(emptyFolder(), [['b']])
  const { out } = await merge(['b', 'a'], [path, join(folder, 'out.0.errors.jsonl'), again])
  expect(out).toContain('"custom_id":"line-1","response":{"status_code":200,')
  expect(out.split('\n')).toHaveLength(3)
})

test('results of no line of the input are counted', async () => {
  const paths = await runEach(emptyFolder(), [['a', 'x', 'y']])
  const { out, unknown } = await merge(['a'], paths)
  expect(unknown).toBe(2)
  expect(out.split('\n')).toHaveLength(2)
})

test('files that have no results', async () => {
  const path = join(emptyFolder(), 'a.csv')
  writeFileSync(path, 'title,answer\n')
  await expect(merge(['a'], [path])).rejects.toThrow(`${path}, line 1: not a result of syn batch`)
  await expect(merge(['a'], [`${path}2`])).rejects.toThrow(`cannot read ${path}2: no such file`)
  await expect(merge(['a'], [join(path, '..')])).rejects.toThrow('is a directory')
})

test.each([
  ['the template', { template: 'T' }],
  ['the base URL', { manifest: { base_url: 'sandbox' } }],
  ['temperature', { manifest: { fields: {} } }],
  ['the model, seed', { manifest: { model: null, fields: { temperature: 'o', seed: '1' } } }],
])('results of runs that differ in %s are not merged', async (named, options) => {
  const folder = emptyFolder()
  const [path = ''] = await runEach(folder, [['a']])
  const other = join(folder, 'other.jsonl')
  await runBatch(other, ['b'], options)
  await expect(merge(['a', 'b'], [path, other])).rejects.toThrow(
    `cannot merge: ${other} is of a run with other settings than ${path}: ${named}`,
  )
  // As on another machine: nobody knows.
  rmSync(`${other}.identity`)
  expect(await merge(['a', 'b'], [path, other])).toMatchObject({ rows: 2 })
})

test.each<[what: string, change: (path: string, other: string) => void]>([
  ['was edited', (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('answer to', 'forged to'))],
  ['is that of another run', (path, other) => copyFileSync(other, path)],
])('results of which a file %s since are not merged', async (_what, change) => {
  const folder = emptyFolder()
  const paths = await runEach(folder, [['a'], ['b']])
  const other = join(folder, 'other.jsonl')
  await runBatch(other, ['a', 'c'], { template: 'T' })
  change(paths[0] ?? '', other)
  await expect(merge(['a', 'b'], paths)).rejects.toThrow(`${paths[0]} was changed since syn batch wrote it`)
})

test.each([
  ['empty', ''],
  ['of another version', '{"syn":"9.0.0","journal":99}\n'],
  ['damaged', '{"syn":"9.0.0","journal":\n'],
])('results whose identity is %s are not merged', async (_what, text) => {
  const paths = await runEach(emptyFolder(), [['a'], ['b']])
  writeFileSync(`${paths[1]}.identity`, text)
  await expect(merge(['a', 'b'], paths)).rejects.toThrow(UsageError)
})
