/** `syn batch` while the service refuses, fails, or is gone. */

import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BatchProgram, prompts } from '../helpers/batch-program.ts'
import { batchAnswer, startBatchService } from '../helpers/batch-service.ts'
import type { Outcome } from '../helpers/run-syn.ts'
import { startService } from '../helpers/service.ts'

const answers = (lines: readonly string[]): object[] => lines.map((line) => ({ text: batchAnswer(line) }))

test.concurrent('a storm of refusals costs no row, and no request more than rows is paid for', async () => {
  const lines = prompts(30)
  await using service = await startBatchService({ status: 429 })
  const batch = new BatchProgram(service, lines)
  // More often than any row would be sent again after a fault.
  const run = batch.file('--retries', '0')
  await service.untilAsked(8)
  await service.set({ status: undefined, limit: 3, latency: [5, 10] })
  expect(await run).toMatchObject({ code: 0 })
  expect(batch.rows()).toMatchObject(answers(lines))
  expect(await service.counts()).toMatchObject({ answered: 30, statuses: { 200: 30 } })
})

test.concurrent('a quota that is used up ends the run with --on-limit stop, and the same command continues it', async () => {
  await using service = await startBatchService({ quota: { limit: 5, renewal: 3_600_000 } })
  const batch = new BatchProgram(service, prompts(8))
  const stopped = await batch.file('--on-limit', 'stop')
  expect(stopped).toMatchObject({ code: 5, err: expect.stringContaining('syn: the quota is used up') as string })
  expect(batch.exists('out.jsonl')).toBe(false)
  await service.set({ quota: undefined })
  expect(await batch.continued(stopped)).toMatchObject({ code: 0 })
  expect((await service.counts()).answered).toBe(8)
})

test.concurrent('a service that is gone for a while costs no row', async () => {
  const lines = prompts(120)
  await using service = await startBatchService({ latency: [5, 10] })
  const batch = new BatchProgram(service, lines)
  const run = batch.startFile('--jobs', '10')
  await service.untilAsked(50)
  await service.stop()
  await run.untilErr('service unavailable: ')
  await service.resume()
  const { code, err } = await run.ended
  expect({ code, err }).toMatchObject({ code: 0 })
  expect(err).toContain('service available again\n')
  expect(batch.rows()).toMatchObject(answers(lines))
  // Those in flight when it went.
  expect((await service.counts()).answered).toBeLessThanOrEqual(130)
})

test.concurrent('a key that is revoked stops the run; with another, it continues', async () => {
  await using service = await startBatchService({ latency: [5, 10] })
  const batch = new BatchProgram(service, prompts(60))
  const run = batch.file()
  await service.untilAsked(20)
  await service.set({ status: 401 })
  const stopped = await run
  expect(stopped.code).toBe(3)
  expect(stopped.err).toMatch(/ of 60 rows are done; to continue: syn batch /)
  expect(batch.exists('out.jsonl')).toBe(false)
  await service.set({ status: undefined })
  expect(await batch.continued(stopped)).toMatchObject({ code: 0 })
  expect((await service.counts()).answered).toBe(60)
  expect(batch.rows()).toHaveLength(60)
})

test.concurrent("a row's own model that is gone fails the row; the run's stops the run, unless it may fall back", async () => {
  await using service = await startBatchService({ missingModels: ['hf:test/one'] })
  const batch = new BatchProgram(service)
  batch.write(['{"prompt":"a"}', '{"prompt":"b","model":"hf:test/one"}', '{"prompt":"c"}'])
  const own = await batch.file('--input-format', 'jsonl')
  expect(own).toMatchObject({ code: 1, err: expect.stringContaining('1 of 3 rows failed') as string })
  expect(batch.errors()).toMatchObject([{ id: 'line-2', code: 'http_404' }])
  expect((await service.counts()).answered).toBe(2)

  batch.write(['a', 'b'])
  const ofRun = ['-m', 'hf:test/one', '-o', batch.path('run.jsonl')]
  const stopped = await batch.filter(...ofRun)
  expect(stopped.code).toBe(4)
  expect(stopped.err).toContain('0 of 2 rows are done')
  expect((await service.counts()).answered).toBe(2)
  const fallen = await batch.filter(...ofRun, '--fallback')
  expect(fallen.code).toBe(0)
  expect(fallen.err.match(/using syn:large:text instead of hf:test\/one/g)).toHaveLength(1)
  expect((await service.counts()).answered).toBe(4)
})

test.concurrent('--max-errors', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service, ['a', 'status 400, b', 'c', 'status 400, d', ...prompts(100)])
  const { code, err } = await batch.file('--jobs', '1', '--max-errors', '1')
  expect({ code, err }).toMatchObject({
    code: 1,
    err: expect.stringContaining('2 rows failed, the last one') as string,
  })
  expect((await service.counts()).statuses).toEqual({ 200: 2, 400: 2 })
})

test.concurrent('when the first 25 rows fail, the run stops', async () => {
  await using service = await startBatchService({ status: 400 })
  const batch = new BatchProgram(service, prompts(200))
  const { code, err } = await batch.file()
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('the first ') as string })
  expect((await service.counts()).statuses[400]).toBeLessThan(25 + 64)
})

test.concurrent('answers that misfit the schema fail, and answers that are cut off', async () => {
  const lines = prompts(12)
  await using service = await startBatchService()
  const batch = new BatchProgram(service, [...lines, 'token limit'])
  const schema = { type: 'object', properties: { label: { enum: ['good'] } }, required: ['label'] }
  writeFileSync(batch.path('s.json'), JSON.stringify(schema))
  const { code, err } = await batch.file('--schema', batch.path('s.json'))
  const all = [...lines, 'token limit'].map((line, row) => ({ id: `line-${row + 1}`, text: batchAnswer(line, true) }))
  const bad = all.filter(({ text }) => text.includes('bad'))
  expect(bad.length).toBeGreaterThan(0)
  expect(code).toBe(1)
  const cut = { id: 'line-13', code: 'token_limit' }
  const misfits = bad.filter(({ id }) => id !== cut.id).map(({ id }) => ({ id, code: 'schema_mismatch' }))
  expect(batch.errors()).toMatchObject([...misfits, cut])
  expect(batch.rows()).toMatchObject(all.filter(({ id, text }) => text.includes('good') && id !== cut.id))
  expect(err).toMatch(/hint: with a higher token limit.*; the same command sends the others again: syn batch/)
})

test.concurrent('a file that cannot be renamed or removed at the end is named, and the same command sends nothing again', async () => {
  let inTheWay = ''
  await using service = await startService((_asked, response) => {
    rmSync(inTheWay, { recursive: true, force: true })
    mkdirSync(inTheWay)
    response.end('{"choices":[{"message":{"role":"assistant","content":"Answer"},"finish_reason":"stop"}]}')
  })
  const batch = new BatchProgram(service)
  const lines: string[] = []
  const pipe = (): Promise<Outcome> => batch.pipe(lines.join('\n'), '-m', 'hf:test/one', '-o', batch.output)
  for (const [name, message] of [
    ['out.jsonl.partial-input', 'cannot remove '],
    ['out.jsonl.identity', 'cannot write '],
    // Without new results, those of the run before are still known.
    ['out.errors.jsonl', 'was changed during the run'],
  ] as const) {
    inTheWay = batch.path(name)
    lines.push(name)
    const { code, err } = await pipe()
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining(message) as string })
    expect(err).toContain(inTheWay)
    expect(batch.exists('out.jsonl.partial')).toBe(true)
    rmdirSync(inTheWay)
  }
  const { code, err } = await pipe()
  expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('3 of 3 rows are done') as string })
  expect(service.asked.filter(({ method }) => method === 'POST')).toHaveLength(lines.length)
  expect(batch.rows()).toHaveLength(lines.length)
  expect(
    ['', '-input', '-output', '-errors', '-identity'].filter((name) => batch.exists(`out.jsonl.partial${name}`)),
  ).toEqual([])
})

// Alone: the quota must be used up before a part of it comes back.
test('a quota that is used up is waited for, and after it the run continues', async () => {
  await using service = await startBatchService({ quota: { limit: 40, renewal: 40_000 } })
  const batch = new BatchProgram(service, prompts(42))
  const { code, err } = await batch.file('--jobs', '2')
  expect({ code, err }).toMatchObject({ code: 0 })
  expect(err).toContain('42 rows to send, 40 of 40 requests left\n')
  expect(err).toContain('the quota is used up; waiting until ')
  const { answered, statuses } = await service.counts()
  expect(answered).toBe(42)
  expect(statuses[429] ?? 0).toBeLessThanOrEqual(2)
})
