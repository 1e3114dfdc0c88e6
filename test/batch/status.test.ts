import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findBatchFiles } from '../../src/batch/journal/files.ts'
import { type BatchStatus, readStatus, runCost, statusJson, statusText } from '../../src/batch/journal/status.ts'
import { decodeModels } from '../../src/api/models.ts'
import { holdLock } from '../../src/io/files/private.ts'
import { runBatch } from '../helpers/batch-run.ts'
import { testNow } from '../helpers/clock.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

const lines = ['a', 'b', 'c']

/** The counts that do not change with the time. */
function countsOf({ state, rows, done, failed, run }: BatchStatus): unknown[] {
  return [state, rows, done, failed, run?.inFlight, run?.promptTokens, run?.completionTokens]
}

test('a link to itself is no run', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  symlinkSync(path, path)
  await expect(readStatus(path)).rejects.toThrow(`cannot read ${path}: too many symbolic links encountered`)
})

test('the states of a run', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  await expect(readStatus(path)).rejects.toThrow(`no run of syn batch with --output ${path}`)
  await runBatch(path, lines, { killAfter: 2, failing: new Set(['b']) })
  expect(countsOf(await readStatus(path))).toEqual(['killed', 3, 1, 1, 8, 2, 3])
  const lock = await holdLock((await findBatchFiles(path)).output)
  expect(countsOf(await readStatus(path))).toEqual(['running', 3, 1, 1, 8, 2, 3])
  await lock[Symbol.asyncDispose]()
  await runBatch(path, lines, { failing: new Set(['b']) })
  expect(countsOf(await readStatus(path))).toEqual(['failed', 3, 2, 1, 0, 4, 6])
  await runBatch(path, lines)
  expect(countsOf(await readStatus(path))).toEqual(['complete', 3, 3, 0, 0, 6, 9])
})

test('the cost, of rows with a model of their own too, is known if each model has a price', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  await runBatch(path, ['a', 'own b'])
  const status = await readStatus(path)
  const list = [
    { id: 'syn:large:text', pricing: { prompt: '$1', completion: '$10' } },
    { id: 'hf:own', pricing: { prompt: '$2', completion: '$20' } },
  ]
  const models = decodeModels({ data: list })
  expect(runCost(status, models)).toBe(2 + 30 + 4 + 60)
  expect(runCost(status, models.slice(0, 1))).toBeUndefined()
  expect(statusText(status, testNow(), 96)).toContain('\nCost:        $96.00\n')
  expect(statusJson(status, 96)).toMatchObject({ rows: 2, done: 2, cost: 96 })
})

test('invalid rows, which are not sent, count as failed at the end', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  await runBatch(path, lines, { invalid: new Set(['b']) })
  expect(countsOf(await readStatus(path)).slice(0, 4)).toEqual(['failed', 3, 2, 1])
})

test('a failed row that is sent again counts once', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  await runBatch(path, lines, { failing: new Set(['a', 'b']) })
  await runBatch(path, lines, { failing: new Set(['a']), killAfter: 1 })
  expect(countsOf(await readStatus(path))).toEqual(['killed', 3, 1, 1, 8, 2, 3])
})

test('rows of whole results as CSV, where one may have several lines', async () => {
  const path = join(emptyFolder(), 'out.csv')
  await runBatch(path, lines, {
    format: { type: 'csv', columns: { keep: [], keepsAll: false, properties: [], isJson: false } },
  })
  expect(countsOf(await readStatus(path))).toEqual(['complete', 3, 3, 0, 0, 6, 9])
})

test('as text, and as JSON', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  await runBatch(path, lines, { killAfter: 2 })
  const status = await readStatus(path)
  expect(statusText(status, testNow())).toMatch(
    /^State: +killed\nRows: +3\nDone: +2\nFailed: +0\nIn flight: +at most 8\nTokens: +4 prompt, 6 completion\nInput: +in.txt\nStarted: +\d{4}-.*\nLast record: +\d{4}-.*\n$/,
  )
  expect(statusJson(status)).toMatchObject({
    state: 'killed',
    rows: 3,
    done: 2,
    failed: 0,
    in_flight: 8,
    prompt_tokens: 4,
    completion_tokens: 6,
    input: 'in.txt',
  })
})

test('a file of something else', async () => {
  const path = join(emptyFolder(), 'out.jsonl')
  writeFileSync(`${path}.partial`, '# An answer\n')
  await expect(readStatus(path)).rejects.toThrow(`${path}.partial has no manifest`)
  expect(readFileSync(`${path}.partial`, 'utf8')).toBe('# An answer\n')
})
