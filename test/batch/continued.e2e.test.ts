/** `syn batch` with `--output`: what the same command does after a run that ended early, counted at the service. */

import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { shellWord } from '../../src/io/text/shell-word.ts'
import { pause } from '../../src/io/time/timer.ts'
import { BatchProgram, prompts } from '../helpers/batch-program.ts'
import { batchAnswer, startBatchService, type BatchService } from '../helpers/batch-service.ts'
import { quoted, shell } from '../helpers/program.ts'
import { pairs } from '../helpers/samples.ts'

/** A run with one failed row keeps its journal. */
const failing = 'status 400 once'
const lines = [...prompts(9), failing]

const answers = (count: number): string =>
  prompts(count)
    .map((line) => `${batchAnswer(line)}\n`)
    .join('')

/** Ends a run of `lines`, and counts from 0 again. */
async function withJournal(service: BatchService, ...options: string[]): Promise<BatchProgram> {
  const batch = new BatchProgram(service, lines)
  expect((await batch.file(...options)).code).toBe(1)
  expect(batch.errors()).toMatchObject([{ id: 'line-10', code: 'http_400' }])
  await service.resetCounts()
  return batch
}

test('failed rows are sent again, and then nothing', async () => {
  await using service = await startBatchService()
  const batch = await withJournal(service)
  const again = await batch.file()
  expect(again.code).toBe(0)
  expect(again.err).toContain('9 of 10 rows are done\n')
  expect(again.err).toContain('1 failed row of the last run is sent again\n')
  expect((await service.counts()).statuses).toEqual({ 200: 1 })
  expect(batch.rows()).toMatchObject(lines.map((line) => ({ text: batchAnswer(line) })))
  expect(['out.jsonl.partial', 'out.errors.jsonl', 'out.jsonl.lock'].filter((name) => batch.exists(name))).toEqual([])
  const complete = await batch.file()
  expect(complete).toMatchObject({ code: 0, err: expect.stringContaining('nothing was sent') as string })
  expect((await service.counts()).answered).toBe(1)
})

test('a torn line is cut off, and its row is sent again', async () => {
  await using service = await startBatchService()
  const batch = await withJournal(service)
  const journal = batch.path('out.jsonl.partial')
  const text = readFileSync(journal, 'utf8')
  // In the middle of the last answer.
  const end = text.lastIndexOf('"status_code":200')
  truncateSync(journal, Buffer.byteLength(text.slice(0, end)))
  const { code, err } = await batch.file()
  expect(code).toBe(0)
  expect(err).toContain('the last line of the journal was incomplete, and is removed\n')
  const cut = text.slice(end).match(/"status_code":200/g)?.length
  expect(cut).toBe(1)
  expect((await service.counts()).answered).toBe(2)
  expect(batch.rows()).toMatchObject(lines.map((line) => ({ text: batchAnswer(line) })))
})

test('a smaller part of the input keeps the results of the other rows for the whole', async () => {
  await using service = await startBatchService()
  const batch = await withJournal(service)
  // As of a run that was stopped before it wrote any: rows that are in the results stay there.
  rmSync(batch.output)
  const part = await batch.file('--limit', '3')
  expect(part.code).toBe(0)
  expect(part.err).toContain('3 of 3 rows are done\n')
  expect(part.err).toContain('6 recorded results belong to no row of this run\n')
  expect(part.err).toContain(
    `${batch.output}.partial is kept: it has 6 results of other rows; remove it if they are not needed\n`,
  )
  expect(batch.rows()).toHaveLength(3)
  const whole = await batch.file()
  expect(whole).toMatchObject({ code: 0, err: expect.not.stringContaining('recorded result') as string })
  expect((await service.counts()).statuses).toEqual({ 200: 1 })
  expect(batch.rows()).toMatchObject(lines.map((line) => ({ text: batchAnswer(line) })))
  expect(batch.exists('out.jsonl.partial')).toBe(false)
})

test('another template is refused, and starts again with --restart', async () => {
  await using service = await startBatchService()
  const batch = await withJournal(service, '-t', '{{.}}')
  const refused = await batch.file('-t', 'Again: {{.}}')
  expect(refused.code).toBe(2)
  expect(refused.err).toContain('syn: all 9 requests changed: the template is not that of ')
  expect(refused.err).toContain('hint: use --restart ')
  expect((await service.counts()).statuses).toEqual({})
  await batch.file('-t', 'Again: {{.}}', '--restart')
  // Its last prompt is new, and fails once.
  expect((await service.counts()).statuses).toEqual({ 200: 9, 400: 1 })
  expect(batch.rows()[0]).toMatchObject({ text: batchAnswer('Again: prompt 1') })
})

test('Ctrl-C lets those in flight finish; the command that is printed continues the run', async () => {
  await using service = await startBatchService({ workers: 0 })
  const batch = new BatchProgram(service, prompts(10))
  const run = batch.startFile('--jobs', '4')
  await service.untilAsked(4)
  run.child.kill('SIGINT')
  await run.untilErr('stopping when the 4 requests in flight have ended; Ctrl-C again stops at once')
  await service.set({ workers: undefined })
  const stopped = await run.ended
  expect(stopped.code ?? stopped.signal).toBe(130)
  expect(stopped.err).toContain('4 of 10 rows are done; to continue: syn batch ')
  const { code, err } = await batch.continuedInShell(stopped)
  expect({ code, err }).toMatchObject({ code: 0, err: expect.not.stringContaining('paid for twice') as string })
  expect((await service.counts()).answered).toBe(10)
  expect(batch.rows()).toHaveLength(10)
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s while the last rows are in flight: all are written, with status 0',
  async (signal) => {
    await using service = await startBatchService({ workers: 0 })
    const batch = new BatchProgram(service, prompts(2))
    const run = batch.startFile('--jobs', '2')
    await service.untilAsked(2)
    run.child.kill(signal)
    await run.untilErr('stopping when the 2 requests in flight have ended')
    await service.set({ workers: undefined })
    const { code, signal: by, err } = await run.ended
    expect({ code, by, err }).toMatchObject({
      code: 0,
      by: null,
      err: expect.not.stringContaining('internal') as string,
    })
    expect(batch.rows()).toHaveLength(2)
  },
)

test('a signal after the summary leaves the status as it is, at whatever moment', async () => {
  await using service = await startBatchService()
  for (const [signal, moment] of pairs(['SIGINT', 'SIGTERM', 'SIGHUP'] as const, [2, 8, 14])) {
    const batch = new BatchProgram(service, prompts(2))
    const run = batch.startFile()
    await run.untilErr('2 succeeded')
    // Node takes some milliseconds to end.
    await pause(moment)
    run.child.kill(signal)
    expect(await run.ended, signal).toMatchObject({ code: 0, signal: null })
  }
})

test('as a filter, too', async () => {
  await using service = await startBatchService({ workers: 0 })
  const batch = new BatchProgram(service, prompts(2))
  const run = batch.start([batch.input, '--jobs', '2'])
  await service.untilAsked(2)
  run.child.kill('SIGTERM')
  await run.untilErr('stopping when the 2 requests in flight have ended')
  await service.set({ workers: undefined })
  expect(await run.ended).toMatchObject({ code: 0, signal: null, out: answers(2) })
})

test('Ctrl-C twice stops at once, and the next run says what may be paid for twice', async () => {
  await using service = await startBatchService({ workers: 0 })
  const batch = new BatchProgram(service, prompts(10))
  const run = batch.startFile('--jobs', '4')
  await service.untilAsked(4)
  run.child.kill('SIGINT')
  await run.untilErr('Ctrl-C again stops at once')
  // A signal that comes sooner is taken for the same one.
  await pause(300)
  run.child.kill('SIGINT')
  const stopped = await run.ended
  expect(stopped.code ?? stopped.signal).toBe(130)
  await service.set({ workers: undefined })
  const { code, err } = await batch.continued(stopped)
  expect(code).toBe(0)
  expect(err).toContain('4 requests in flight at the end of the last run may be paid for twice\n')
  expect((await service.counts()).timesAnswered).toEqual({ 1: 6, 2: 4 })
})

test('standard input is kept beside the output, so that the run can be continued', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service)
  const ended = await batch.pipe(`a\n${failing}\nb\n`, '--lines', '-o', batch.output)
  expect(ended.code).toBe(1)
  const { code, err } = await batch.continued(ended)
  expect({ code, err }).toMatchObject({ code: 0 })
  expect(batch.rows()).toMatchObject(['a', failing, 'b'].map((line) => ({ text: batchAnswer(line) })))
  expect((await service.counts()).answered).toBe(3)
  expect(readdirSync(batch.folder).sort()).toEqual(['in.txt', 'out.jsonl', 'out.jsonl.identity'])
})

describe('the copy of a pipe takes the place of the input', () => {
  interface Piped {
    readonly batch: BatchProgram
    /** The words of the output, and of the copy. */
    readonly output: string
    readonly copy: string
  }

  function piped(service: BatchService): Piped {
    const batch = new BatchProgram(service)
    return { batch, output: shellWord(batch.output), copy: shellWord(`${batch.output}.partial-input`) }
  }

  const hintFor = (words: string): string => `hint: the same command sends only these again: syn batch ${words}\n`

  test.each([
    ['none', [], (output: string, copy: string) => `--lines -o ${output} ${copy}`],
    ['-', ['-'], (output: string, copy: string) => `${copy} --lines -o ${output}`],
  ])('%s', async (_input, argv, words) => {
    await using service = await startBatchService()
    const { batch, output, copy } = piped(service)
    const ended = await batch.pipe('a\nstatus 400\n', ...argv, '--lines', '-o', batch.output)
    const hint = hintFor(words(output, copy))
    expect(ended.err).toContain(hint)
    expect((await batch.continued(ended)).err).toContain(hint)
    batch.write(['a', 'status 400'])
    expect((await batch.file()).err).toContain(`again: syn batch ${shellWord(batch.input)} -o ${output}\n`)
  })

  test('/dev/stdin', async () => {
    await using service = await startBatchService()
    const { batch, output, copy } = piped(service)
    const line = `printf 'a\\nstatus 400\\n' | syn batch /dev/stdin --lines -o ${output}`
    const ended = await shell(line, batch.env)
    const hint = hintFor(`${copy} --lines -o ${output}`)
    expect(ended.err).toContain(hint)
    expect((await batch.continued(ended)).err).toContain(hint)
  })
})

test('a second run from a pipe that is refused keeps the input of the first one', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service)
  const options = ['--lines', '-o', batch.output]
  const ended = await batch.pipe(`a\n${failing}\nb\n`, ...options)
  const refused = await batch.pipe('c\n', ...options, '-t', 'Again: {{.}}')
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('all 2 requests changed') as string })
  expect((await batch.continued(ended)).code).toBe(0)
  expect(batch.rows()).toMatchObject(['a', failing, 'b'].map((line) => ({ text: batchAnswer(line) })))
})

test('outputs beside each other, and files of the user, share no names', async () => {
  await using service = await startBatchService()
  const others = ['new', 'input', 'errors.jsonl.new'].map((end) => `out.${end}`)
  const batch = new BatchProgram(service)
  for (const name of others) writeFileSync(batch.path(name), 'mine\n')
  const names = {
    out: 'out.errors',
    'out.1': 'out.1.errors',
    'out.1.jsonl': 'out.1.errors.jsonl',
    'out.2': 'out.2.errors',
    'out.csv': 'out.csv.errors.jsonl',
    'out.csv.jsonl': 'out.csv.jsonl.errors.jsonl',
    'out.jsonl': 'out.errors.jsonl',
    'out.ndjson': 'out.ndjson.errors.jsonl',
  }
  for (const name of Object.keys(names)) {
    batch.write([`status 400 ${name}`, 'a'])
    expect((await batch.run([batch.input, '-o', batch.path(name)])).code).toBe(1)
  }
  for (const errors of Object.values(names)) {
    expect(readFileSync(batch.path(errors), 'utf8')).toMatch(/^.*"code":"http_400"/)
    expect(readFileSync(batch.path(errors), 'utf8').split('\n')).toHaveLength(2)
  }
  for (const name of others) expect(readFileSync(batch.path(name), 'utf8')).toBe('mine\n')
})

test('without room for the journal it stops, and continues when there is room', async () => {
  await using service = await startBatchService()
  const all = prompts(100)
  const batch = new BatchProgram(service, all)
  const limited = await shell(
    `ulimit -f 8; syn batch ${quoted(batch.input)} -o ${quoted(batch.output)} --jobs 4`,
    batch.env,
  )
  expect(limited.code).toBe(1)
  expect(limited.err).toContain(`syn: cannot write ${batch.output}.partial: file too large\n`)
  expect(statSync(`${batch.output}.partial`).size).toBeGreaterThan(4096)
  const { code, err } = await batch.continued(limited)
  expect({ code, err }).toMatchObject({ code: 0 })
  expect(batch.rows()).toMatchObject(all.map((line) => ({ text: batchAnswer(line) })))
  // The one that could not be written, and those in flight then.
  expect((await service.counts()).answered).toBeLessThanOrEqual(104)
})

test('a device is refused as the output; as standard output it is an error when it is full', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service, prompts(3))
  expect(await batch.filter('-o', '/dev/full')).toMatchObject({
    code: 2,
    err: expect.stringContaining('/dev/full') as string,
  })
  expect((await service.counts()).statuses).toEqual({})
  const full = openSync('/dev/full', 'w')
  const { code, err } = await batch.start([batch.input], ['ignore', full, 'pipe']).ended
  closeSync(full)
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('no space left') as string })
})
