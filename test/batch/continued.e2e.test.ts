/** `syn batch` with `--output`: what the same command does after a run that ended early, counted at the service. */

import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { shellWord } from '../../src/io/text/shell-word.ts'
import { pause } from '../../src/io/time/time.ts'
import { BatchProgram, prompts } from '../helpers/batch-program.ts'
import { batchAnswer, startBatchService } from '../helpers/batch-service.ts'
import { shell } from '../helpers/program.ts'

/** Fails once. */
const failing = 'status 400 once'

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
  expect(stopped.err).toContain('4 of 10 rows have an answer; to continue: syn batch ')
  const { code, err } = await batch.continued(stopped)
  expect({ code, err }).toMatchObject({ code: 0, err: expect.not.stringContaining('paid for twice') as string })
  expect((await service.counts()).answered).toBe(10)
  expect(batch.rows()).toHaveLength(10)
})

test.each([
  ['SIGINT', true],
  ['SIGTERM', false],
] as const)(
  '%s while the last rows are in flight: all are written, with status 0; to a file: %j',
  async (signal, isFile) => {
    await using service = await startBatchService({ workers: 0 })
    const batch = new BatchProgram(service, prompts(2))
    const run = batch.start([batch.input, '--jobs', '2', ...(isFile ? ['-o', batch.output] : [])])
    await service.untilAsked(2)
    run.child.kill(signal)
    await run.untilErr('stopping when the 2 requests in flight have ended')
    await service.set({ workers: undefined })
    const { code, signal: by, out, err } = await run.ended
    expect({ code, by, err }).toMatchObject({
      code: 0,
      by: null,
      err: expect.not.stringContaining('internal') as string,
    })
    if (isFile) expect(batch.rows()).toHaveLength(2)
    else
      expect(out).toBe(
        prompts(2)
          .map((line) => `${batchAnswer(line)}\n`)
          .join(''),
      )
  },
)

test('a signal after the summary leaves the status as it is, at whatever moment', async () => {
  await using service = await startBatchService()
  for (const [signal, moment] of [
    ['SIGINT', 2],
    ['SIGHUP', 8],
  ] as const) {
    const batch = new BatchProgram(service, prompts(2))
    const run = batch.startFile()
    await run.untilErr('2 succeeded')
    // Node takes some milliseconds to end.
    await pause(moment)
    run.child.kill(signal)
    expect(await run.ended, signal).toMatchObject({ code: 0, signal: null })
  }
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

test('standard input is kept beside the output, also from a second run that is refused', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service)
  const options = ['--lines', '-o', batch.output]
  const ended = await batch.pipe(`a\n${failing}\nb\n`, ...options)
  expect(ended.code).toBe(1)
  const refused = await batch.pipe('c\n', ...options, '-t', 'Again: {{.}}')
  expect(refused).toMatchObject({
    code: 2,
    err: expect.stringContaining('1 row would be sent with other settings') as string,
  })
  const { code, err } = await batch.continued(ended)
  expect({ code, err }).toMatchObject({ code: 0 })
  expect(batch.rows()).toMatchObject(['a', failing, 'b'].map((line) => ({ text: batchAnswer(line) })))
  expect((await service.counts()).answered).toBe(3)
  expect(readdirSync(batch.folder).sort()).toEqual(['in.txt', 'out.jsonl', 'out.jsonl.answers'])
})

test.each([
  ['', (output: string, copy: string) => `--lines -o ${output} ${copy}`],
  ['/dev/stdin', (output: string, copy: string) => `${copy} --lines -o ${output}`],
])('the copy of a pipe takes the place of the input %j', async (name, words) => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service)
  const [output, copy] = [shellWord(batch.output), shellWord(`${batch.output}.partial-input`)]
  const ended = await shell(`printf 'a\\nstatus 400\\n' | syn batch ${name} --lines -o ${output}`, batch.env)
  const hint = `hint: the same command sends only these again: syn batch ${words(output, copy)}\n`
  expect(ended.err).toContain(hint)
  expect((await batch.continued(ended)).err).toContain(hint)
  batch.write(['a', 'status 400'])
  expect((await batch.file()).err).toContain(`again: syn batch ${shellWord(batch.input)} -o ${output}\n`)
})
