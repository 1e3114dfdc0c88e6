/** Answers of `syn batch` that are empty, or cut off at the token limit: failed rows, which a higher limit sends again. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BatchProgram } from '../helpers/batch-program.ts'
import { batchAnswer, type BatchService, startBatchService } from '../helpers/batch-service.ts'

const lines = ['a', 'needs 20 tokens', 'b', 'needs 40 tokens', 'no text']

async function cut(service: BatchService, ...options: string[]): Promise<BatchProgram> {
  const batch = new BatchProgram(service, lines)
  const { code, err } = await batch.file(...options)
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('--allow-cut takes them') as string })
  await service.resetCounts()
  return batch
}

test.concurrent('they fail their rows, with their text in the errors file', async () => {
  await using service = await startBatchService()
  const batch = await cut(service, '--max-tokens', '10')
  expect(batch.rows().map(({ id }) => id)).toEqual(['line-1', 'line-3'])
  expect(batch.errors()).toEqual([
    { id: 'line-2', code: 'token_limit', text: batchAnswer(lines[1] ?? '') },
    { id: 'line-4', code: 'token_limit', text: batchAnswer(lines[3] ?? '') },
    { id: 'line-5', code: 'empty', text: '' },
  ])
  expect(readFileSync(batch.path('out.errors.jsonl'), 'utf8')).toContain(
    '"message":"the answer was cut off at the token limit; raise it with --max-tokens"',
  )
})

test.concurrent('with the same limit, a lower one, and after a kill they are not sent again', async () => {
  await using service = await startBatchService()
  const batch = await cut(service, '--max-tokens', '10')
  for (const limit of ['10', '9', '10']) {
    const { code, err } = await batch.file('--max-tokens', limit)
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('3 of 5 rows failed: 3 answers') as string,
    })
  }
  expect((await service.counts()).statuses).toEqual({})
  batch.write([...lines, 'c'])
  expect(await batch.file('--max-tokens', '10')).toMatchObject({ code: 1 })
  expect((await service.counts()).answered).toBe(1)
  expect(batch.rows()).toHaveLength(3)
  expect(batch.errors()).toHaveLength(3)
})

test.concurrent.each([[['--max-completion-tokens', '30']], [['--max-tokens', '30']]])(
  'with %j, a higher limit, only they are sent again',
  async (limit) => {
    await using service = await startBatchService()
    const batch = await cut(service, '--max-tokens', '10')
    const { code, err } = await batch.file(...limit)
    expect({ code, err }).toMatchObject({ code: 1, err: expect.not.stringContaining('paid for twice') as string })
    expect((await service.counts()).answered).toBe(3)
    expect(batch.errors().map(({ id }) => id)).toEqual(['line-4', 'line-5'])
    // The limit of the last try counts.
    await service.resetCounts()
    await batch.file(...limit)
    expect((await service.counts()).answered).toBe(0)
    batch.write(lines.slice(0, 4))
    expect(await batch.file()).toMatchObject({ code: 0 })
    expect((await service.counts()).answered).toBe(1)
    expect(batch.rows()).toMatchObject(lines.slice(0, 4).map((line) => ({ text: batchAnswer(line) })))
    expect(await batch.file('--max-tokens', '99')).toMatchObject({ code: 0 })
    expect((await service.counts()).answered).toBe(1)
  },
)

test.concurrent('after a run without a limit, any limit sends them again, once', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service, ['a', 'token limit', 'no text'])
  expect(await batch.file()).toMatchObject({ code: 1 })
  for (const [options, answered] of [
    [[], 0],
    [['--max-tokens', '50'], 2],
    [['--max-tokens', '50'], 0],
    [['--max-completion-tokens', '60'], 2],
  ] as const) {
    await service.resetCounts()
    expect(await batch.file(...options)).toMatchObject({ code: 1 })
    expect((await service.counts()).answered, options.join(' ')).toBe(answered)
  }
})

test.concurrent('with a schema, --allow-cut sends recorded ones again, as only an answer that arrives is checked', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service, ['a', 'needs 20 tokens'])
  const options = ['--schema', '{"type":"object"}', '--max-tokens', '10']
  expect(await batch.file(...options)).toMatchObject({ code: 1 })
  await service.resetCounts()
  expect(await batch.file(...options, '--allow-cut')).toMatchObject({ code: 0 })
  expect((await service.counts()).answered).toBe(1)
  expect(batch.rows()).toHaveLength(2)
})

test.concurrent('--allow-cut takes them, sent or recorded', async () => {
  await using service = await startBatchService()
  const batch = await cut(service, '--max-tokens', '10')
  const taken = await batch.file('--max-tokens', '10', '--allow-cut')
  expect(taken).toMatchObject({ code: 0, err: expect.stringContaining('(2 cut off at the token limit)') as string })
  expect((await service.counts()).statuses).toEqual({})
  const text = readFileSync(batch.output, 'utf8')
  expect(await batch.file('--max-tokens', '10', '--allow-cut', '--restart')).toMatchObject({ code: 0 })
  expect((await service.counts()).answered).toBe(5)
  expect(readFileSync(batch.output, 'utf8')).toBe(text)
  expect(batch.exists('out.jsonl.partial')).toBe(false)
})

test.concurrent('as a filter they are failed rows too', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service, lines)
  const { code, out, err } = await batch.filter('--max-tokens', '10')
  expect({ code, out }).toEqual({ code: 1, out: `${batchAnswer('a')}\n\n${batchAnswer('b')}\n\n\n` })
  expect(err).toContain('line 2: the answer was cut off at the token limit; raise it with --max-tokens\n')
  expect(await batch.filter('--max-tokens', '10', '--allow-cut')).toMatchObject({ code: 0 })
})
