/** A journal that another run writes: this one lost its lock while it was suspended. */

import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type BatchFiles, checkBatchFiles, stateOfFiles, temporaryPath } from '../../src/batch/journal/files.ts'
import { createJournal, type Journal } from '../../src/batch/journal/journal.ts'
import { writeOutput } from '../../src/batch/output/output.ts'
import type { OutputFormat } from '../../src/batch/output/printer.ts'
import { answerBody, manifestOf, outputRows, requestHash, runBatch } from '../helpers/batch-run.ts'
import { testNow } from '../helpers/clock.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

const lines = ['a', 'b']

async function startJournal(): Promise<{ files: BatchFiles; journal: Journal }> {
  const files = await checkBatchFiles(join(emptyFolder(), 'out.jsonl'))
  const journal = createJournal(files, manifestOf(lines), lines.length)
  append(journal, 0)
  return { files, journal }
}

function append(journal: Journal, row: number): void {
  const line = lines[row] ?? ''
  const record = { line: row + 1, raw: line, value: line }
  const request = { record, hash: requestHash(line), limit: Infinity, body: { model: 'syn:large:text' } }
  const response = { status_code: 200, body: answerBody(`answer to ${line}`) }
  journal.append(row, request, { attempts: 1, response, error: null, isCutOff: false }, 8)
}

/** What the other run does. */
const others: [string, (path: string) => void][] = [
  ['continues it', (path) => appendFileSync(path, '{"syn":"1.2.3"}\n')],
  [
    'starts again, with as many bytes',
    (path) => {
      const text = readFileSync(path)
      unlinkSync(path)
      writeFileSync(path, text)
    },
  ],
  ['ends it', (path) => unlinkSync(path)],
]

test.each(others)('when another run %s, nothing more is written', async (_what, other) => {
  const { files, journal } = await startJournal()
  other(files.journal)
  const before = contents(files)
  const message = `cannot write ${files.journal}: another run writes it`
  expect(() => append(journal, 1)).toThrow(message)
  await expect(journal.end('stopped', 0, testNow())).rejects.toThrow(message)
  await journal.close()
  expect(contents(files)).toEqual(before)
})

test.each(others)('when another run %s, the results are not renamed', async (_what, other) => {
  const { files, journal } = await startJournal()
  append(journal, 1)
  await journal.end('complete', 0, testNow())
  other(files.journal)
  const before = contents(files)
  const message = `cannot write ${files.journal}: another run writes it`
  await expect(
    writeOutput(files, journal, outputRows(lines), {
      format: { type: 'jsonl' },
      input: {},
      before: stateOfFiles(files),
    }),
  ).rejects.toThrow(message)
  await journal.close()
  expect(contents(files)).toEqual(before)
})

test('an older journal stays until there is a new one', async () => {
  const { files, journal } = await startJournal()
  await journal.close()
  const before = readFileSync(files.journal)
  mkdirSync(temporaryPath(files, 'journal'))
  expect(() => createJournal(files, manifestOf(lines), lines.length)).toThrow(`cannot write ${files.journal}: `)
  expect(readFileSync(files.journal).equals(before)).toBe(true)
})

test('the journal stays when a file that is known by it cannot be removed', async () => {
  const { files, journal } = await startJournal()
  append(journal, 1)
  await journal.end('complete', 0, testNow())
  async function* rows(): ReturnType<typeof outputRows> {
    yield* outputRows(lines)
    unlinkSync(temporaryPath(files, 'errors'))
    mkdirSync(temporaryPath(files, 'errors'))
  }
  await expect(
    writeOutput(files, journal, rows(), { format: { type: 'jsonl' }, input: {}, before: stateOfFiles(files) }),
  ).rejects.toThrow(`cannot remove ${temporaryPath(files, 'errors')}: `)
  expect(existsSync(files.journal)).toBe(true)
})

test('when the other run writes its results too, they are left to it', async () => {
  const { files, journal } = await startJournal()
  append(journal, 1)
  await journal.end('complete', 0, testNow())
  async function* rows(): ReturnType<typeof outputRows> {
    yield* outputRows(lines)
    unlinkSync(files.journal)
    unlinkSync(temporaryPath(files, 'output'))
    writeFileSync(temporaryPath(files, 'output'), 'of the other run')
  }
  await expect(
    writeOutput(files, journal, rows(), { format: { type: 'jsonl' }, input: {}, before: stateOfFiles(files) }),
  ).rejects.toThrow('another run writes it')
  expect(contents(files)).toEqual({ [basename(temporaryPath(files, 'output'))]: 'of the other run' })
})

test.each<[string, OutputFormat]>([
  ['jsonl', { type: 'jsonl' }],
  ['text', { type: 'text' }],
])('a record that the disk damaged is no result as %s; the same command sends its row again', async (_name, format) => {
  const { files, journal } = await startJournal()
  append(journal, 1)
  await journal.end('complete', 0, testNow())
  const text = readFileSync(files.journal, 'latin1')
  const file = openSync(files.journal, 'r+')
  writeSync(file, '"', text.indexOf('answer to b'))
  closeSync(file)
  await expect(
    writeOutput(files, journal, outputRows(lines), { format, input: {}, before: stateOfFiles(files) }),
  ).rejects.toThrow(
    `${files.journal} is damaged at byte ${text.lastIndexOf('{"sum":', text.indexOf('"line":2'))}: the result for line 2 of the input`,
  )
  await journal.close()
  expect(readdirSync(dirname(files.output))).toEqual([basename(files.journal)])
  expect((await runBatch(files.output, lines, { format })).sent).toEqual(['b'])
})

function contents({ output }: BatchFiles): Record<string, string> {
  const folder = dirname(output)
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}
