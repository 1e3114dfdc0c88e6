/** `syn batch` while the service refuses, fails, or is gone, or the disk is full. */

import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BatchProgram, prompts } from '../helpers/batch-program.ts'
import { batchAnswer, startBatchService } from '../helpers/batch-service.ts'
import { type Ended, quoted, shell, synCommand } from '../helpers/program.ts'
import type { Outcome } from '../helpers/run-syn.ts'
import { startService } from '../helpers/service.ts'

const answers = (lines: readonly string[]): object[] => lines.map((line) => ({ text: batchAnswer(line) }))

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
  // Up to 10 rows were in flight when the service stopped, and are asked again.
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
  expect(stopped.err).toMatch(/ of 60 rows have an answer; to continue: syn batch /)
  expect(batch.exists('out.jsonl')).toBe(false)
  await service.set({ status: undefined })
  expect(await batch.continued(stopped)).toMatchObject({ code: 0 })
  expect((await service.counts()).answered).toBe(60)
  expect(batch.rows()).toHaveLength(60)
})

test.concurrent('the model of the run that is gone stops the run, unless it may fall back', async () => {
  await using service = await startBatchService({ missingModels: ['hf:test/one'] })
  const batch = new BatchProgram(service)
  batch.write(['a', 'b', 'c', 'd'])
  const ofRun = ['-m', 'hf:test/one', '-o', batch.path('run.jsonl')]
  const stopped = await batch.filter(...ofRun)
  expect(stopped.code).toBe(4)
  expect(stopped.err).toContain('or --fallback to switch automatically; 0 of 4 rows have an answer; to continue: ')
  await service.resetCounts()
  const fallen = await batch.filter(...ofRun, '--fallback', '--jobs', '3')
  expect(fallen.code).toBe(0)
  expect(fallen.err.match(/using syn:large:text instead of hf:test\/one/g)).toHaveLength(1)
  const { answered, statuses } = await service.counts()
  expect(answered).toBe(4)
  // With --jobs 3, two more requests are in flight when the first is refused.
  expect(statuses[404]).toBeLessThanOrEqual(3)
})

test.concurrent('answers that misfit the schema fail, and answers that are cut off, unless these are taken and match it', async () => {
  const [lines, cut] = [prompts(12), ['token limit', 'token limit 1']]
  await using service = await startBatchService()
  const batch = new BatchProgram(service, [...lines, ...cut])
  const schema = { type: 'object', properties: { label: { enum: ['good'] } }, required: ['label'] }
  writeFileSync(batch.path('s.json'), JSON.stringify(schema))
  const { code, err } = await batch.file('--schema', batch.path('s.json'))
  const all = [...lines, ...cut].map((line, row) => ({ id: `line-${row + 1}`, text: batchAnswer(line, true) }))
  const good = all.filter(({ text }) => text.includes('good'))
  const misfits = all.filter((row) => !good.includes(row)).map((row) => ({ ...row, code: 'schema_mismatch' }))
  // The second answer that is cut off does not match the schema either.
  const cutIds = ['line-13', 'line-14']
  expect({ good: good.at(-1)?.id, misfit: misfits.at(-1)?.id }).toEqual({ good: cutIds[0], misfit: cutIds[1] })
  expect(code).toBe(1)
  expect(batch.errors()).toMatchObject([...misfits.slice(0, -1), ...cutIds.map((id) => ({ id, code: 'token_limit' }))])
  expect(batch.rows()).toMatchObject(good.slice(0, -1))
  expect(err).toMatch(/hint: with a higher token limit.*; the same command sends the others again: syn batch/)
  expect(await batch.file('--schema', batch.path('s.json'), '--allow-cut')).toMatchObject({ code: 1 })
  // Only those that failed were sent again.
  expect((await service.counts()).answered).toBe(all.length + misfits.length - 1)
  expect(batch.errors()).toMatchObject(misfits)
  expect(batch.rows()).toMatchObject(good)
})

test.concurrent('a file that cannot be renamed or removed at the end is named, and the same command sends nothing again', async () => {
  let inTheWay = ''
  await using service = await startService(({ method }, response) => {
    // The request for the model list comes before.
    if (method === 'GET') return void response.writeHead(404).end()
    rmSync(inTheWay, { recursive: true, force: true })
    mkdirSync(inTheWay)
    response.end('{"choices":[{"message":{"role":"assistant","content":"Answer"},"finish_reason":"stop"}]}')
  })
  const batch = new BatchProgram(service)
  const lines: string[] = []
  const pipe = (): Promise<Outcome> => batch.pipe(lines.join('\n'), '-m', 'hf:test/one', '-o', batch.output)
  for (const [name, message] of [
    ['out.jsonl.partial-input', 'cannot remove '],
    ['out.jsonl.partial-output', 'cannot remove '],
    ['out.errors.jsonl', 'was changed during the run'],
  ] as const) {
    inTheWay = batch.path(name)
    lines.push(name)
    const { code, err } = await pipe()
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining(message) as string })
    expect(err).toContain(inTheWay)
    rmdirSync(inTheWay)
  }
  const { code, err } = await pipe()
  expect({ code, err }).toMatchObject({
    code: 0,
    err: expect.stringContaining('written from 3 recorded answers') as string,
  })
  expect(service.asked.filter(({ method }) => method === 'POST')).toHaveLength(lines.length)
  expect(batch.rows()).toHaveLength(lines.length)
  expect(readdirSync(batch.folder).sort()).toEqual(['in.txt', 'out.jsonl', 'out.jsonl.answers'])
})

test.concurrent('without room for an answer it stops, and for the results, it has all answers', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service)
  const lines = prompts(150)
  const table = batch.path('in.csv')
  writeFileSync(table, ['text,long\n', ...lines.map((line) => `${line},${'x'.repeat(2000)}\n`)].join(''))
  const argv = [table, '-t', '{{text}}', '--keep', 'long', '--jobs', '1', '-o', batch.path('out.csv')]
  const limited = (blocks: number): Promise<Ended> =>
    shell(`ulimit -f ${blocks}; exec ${synCommand} batch ${argv.map(quoted).join(' ')}`, batch.env)
  const stopped = await limited(20)
  expect(stopped).toMatchObject({ code: 1 })
  expect(stopped.err).toContain('out.csv.answers: file too large')
  const before = readFileSync(batch.path('out.csv.answers'), 'utf8').split('"status_code":200').length - 1
  expect(before).toBeGreaterThan(10)
  await service.resetCounts()
  const unwritten = await limited(200)
  expect(unwritten).toMatchObject({ code: 1 })
  expect(unwritten.err).toContain('out.csv: file too large')
  expect(unwritten.err).toMatch(
    /^(?!.*killed).*the last run stopped: cannot write .*out\.csv\.answers: file too large\n/s,
  )
  expect(batch.exists('out.csv')).toBe(false)
  expect(await batch.run(argv)).toMatchObject({ code: 0 })
  expect((await service.counts()).answered).toBe(lines.length - before)
  const rows = lines.map((line) => `${'x'.repeat(2000)},${batchAnswer(line)}\n`)
  expect(readFileSync(batch.path('out.csv'), 'utf8')).toBe(['long,answer\n', ...rows].join(''))
})

// Alone: the quota must be used up before a part of it comes back.
test('a quota that is used up is waited for, and after it the run continues', async () => {
  await using service = await startBatchService({ quota: { limit: 40, renewal: 40_000 } })
  const batch = new BatchProgram(service, prompts(42))
  const { code, err } = await batch.file('--jobs', '2')
  expect({ code, err }).toMatchObject({ code: 0 })
  expect(err).toContain(' of prompts · 40 of 40 requests left\n')
  expect(err).toContain('the quota is used up; waiting until ')
  const { answered, statuses } = await service.counts()
  expect(answered).toBe(42)
  expect(statuses[429] ?? 0).toBeLessThanOrEqual(2)
})
