import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findBatchFiles } from '../../src/batch/answers/files.ts'
import { encodeLine } from '../../src/batch/answers/line.ts'
import { readStatus } from '../../src/batch/answers/status.ts'
import { decodeModels } from '../../src/api/models.ts'
import { holdLock } from '../../src/io/files/private.ts'
import { startBatchService } from '../helpers/batch-service.ts'
import { BatchProgram } from '../helpers/batch-program.ts'
import { RecordedRun } from '../helpers/recorded-run.ts'

type Status = Record<string, string | number | null>

async function statusOf(batch: BatchProgram, out = batch.output): Promise<Status> {
  return JSON.parse((await batch.run(['status', '--json', out])).out) as Status
}

/** The counts that do not change with the time. */
async function countsOf(run: RecordedRun): Promise<unknown[]> {
  const { state, rows, done, failed, in_flight, prompt_tokens, completion_tokens } = await statusOf(run, run.out)
  return [state, rows, done, failed, in_flight, prompt_tokens, completion_tokens]
}

test('the states of a run, and its tokens as the service counts them, after its end too', async () => {
  await using service = await startBatchService()
  const run = new RecordedRun(service)
  const none = { code: 1, err: `syn: no run of syn batch with --output ${run.out}\n` }
  expect(await run.run(['status', run.out])).toMatchObject(none)
  const [a, b] = [3 + 1, 'S: status 400 once'.length]
  run.table(['1,a', '2,status 400 once', '3,status 400'])
  expect(await run.ask('--jobs', '2')).toMatchObject({ code: 1, sent: 3 })
  expect(await countsOf(run)).toEqual(['failed', 3, 1, 2, 0, a, 3])
  const before = readFileSync(run.store)
  run.killed(1)
  expect(await countsOf(run)).toMatchObject(['killed', 3, 1, 0, 2, a, 3])
  {
    await using _lock = await holdLock((await findBatchFiles(run.out)).output)
    expect(await countsOf(run)).toMatchObject(['running', 3, 1, 0, 2, a, 3])
  }
  writeFileSync(run.store, before)
  // A failed row that is sent again counts once.
  expect(await run.ask('--jobs', '1', '--max-errors', '0')).toMatchObject({ code: 1, sent: 2 })
  expect(await countsOf(run)).toEqual(['stopped', 3, 2, 1, 0, a + b, 6])
  run.table(['1,a', '2,status 400 once'])
  expect(await run.ask()).toMatchObject({ code: 0, sent: 0 })
  expect(await countsOf(run)).toEqual(['complete', 2, 2, 0, 0, a + b, 6])
  expect(await run.ask('--restart')).toMatchObject({ code: 0, sent: 2 })
  expect((await countsOf(run)).slice(0, 5)).toEqual(['complete', 2, 2, 0, 0])
  rmSync(run.out)
  expect((await countsOf(run)).slice(0, 5)).toEqual(['complete', 2, 2, 0, 0])
})

test('the cost, of rows with a model of their own too, is known if each model has a price', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service, ['{"prompt":"ab"}', '{"prompt":"abcd","model":"hf:test/two"}'])
  expect(await batch.file('-m', 'hf:test/one', '--input-format', 'jsonl')).toMatchObject({ code: 0 })
  const { spent } = (await readStatus(batch.output)).summary
  const models = decodeModels({
    data: [
      { id: 'hf:test/one', pricing: { prompt: '$1', completion: '$10' } },
      { id: 'hf:test/two', pricing: { prompt: '$2', completion: '$20' } },
    ],
  })
  expect(spent.cost(models)).toBe(2 + 30 + 8 + 60)
  expect(spent.cost(models.slice(0, 1))).toBeUndefined()
})

test('as text, and as JSON', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service, ['a', 'b'])
  await batch.file()
  const store = `${batch.output}.answers`
  const { out } = await batch.run(['status', batch.output])
  const size = readFileSync(store).length
  expect(out.replaceAll(batch.folder, 'DIR')).toMatch(
    /^State: +complete\nRows: +2\nDone: +2\nFailed: +0\nTokens: +2 prompt \+ 6 completion in the last run, 2 prompt \+ 6 completion in all\nInput: +DIR\/in.txt\nAnswers: +DIR\/out.jsonl.answers, [\d,]+ bytes\nStarted: +\d{4}-.*\nLast record: +\d{4}-.*\n$/,
  )
  expect(await statusOf(batch)).toMatchObject({ cost: null, input: batch.input, answers: store, size })
})

test('files that are no store', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service)
  symlinkSync(batch.output, batch.output)
  const linked = { code: 1, err: `syn: cannot read ${batch.output}: too many symbolic links encountered\n` }
  expect(await batch.run(['status', batch.output])).toMatchObject(linked)
  rmSync(batch.output)
  for (const [text, code, err] of [
    ['# An answer\n', 1, 'no run of syn batch with --output '],
    [`\n${encodeLine({ run: { store: 99 } })}`, 2, '.answers is of another version of syn batch'],
  ] as const) {
    writeFileSync(`${batch.output}.answers`, text)
    expect(await batch.run(['status', batch.output])).toMatchObject({
      code,
      err: expect.stringContaining(err) as string,
    })
    expect(readFileSync(`${batch.output}.answers`, 'utf8')).toBe(text)
  }
})
