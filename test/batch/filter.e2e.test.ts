/** `syn batch` without `--output`, and its choice of rows. */

import { expect, test } from 'vitest'
import { BatchProgram, prompts } from '../helpers/batch-program.ts'
import { batchAnswer, startBatchService } from '../helpers/batch-service.ts'
import { quoted, shell } from '../helpers/program.ts'

const answerLines = (lines: readonly string[]): string => lines.map((line) => `${batchAnswer(line)}\n`).join('')

test('each line has its line, in order: also a blank one, and one that failed', async () => {
  const lines = prompts(40)
  await using service = await startBatchService({ latency: [0, 20] })
  const batch = new BatchProgram(service)
  const text = [...lines, '', 'status 400', 'last'].map((line) => `${line}\n`).join('')
  const { code, out, err } = await batch.pipe(text, '--lines')
  expect(code).toBe(1)
  expect(out).toBe(`${answerLines(lines)}\n\n${answerLines(['last'])}`)
  expect(err).toContain('line 42: ')
  expect(err).toContain('1 of 42 rows failed')
})

test('it ends when its reader has gone', async () => {
  await using service = await startBatchService({ latency: [0, 5] })
  const batch = new BatchProgram(service, prompts(2000))
  const { out } = await shell(`syn batch ${quoted(batch.input)} | head -n 1; echo "\${PIPESTATUS[0]}"`, batch.env)
  expect(out).toBe(`${batchAnswer('prompt 1')}\n141\n`)
  expect((await service.counts()).answered).toBeLessThan(2000)
})

test('only the rows of --limit or --sample are sent', async () => {
  const lines = prompts(30)
  await using service = await startBatchService()
  const batch = new BatchProgram(service, lines)
  expect((await batch.filter('--limit', '3')).out).toBe(answerLines(lines.slice(0, 3)))
  await service.resetCounts()
  const sampled = (await batch.filter('--sample', '5', '--sample-seed', '7')).out
  const chosen = lines.filter((line) => sampled.includes(batchAnswer(line)))
  expect(chosen).toHaveLength(5)
  expect(sampled).toBe(answerLines(chosen))
  expect((await service.counts()).answered).toBe(5)
})

test('--progress jsonl', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service, [...prompts(5), 'status 400'])
  const { err } = await batch.file('--progress', 'jsonl', '--quiet')
  const states = err
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as object)
  expect(states.at(-1)).toMatchObject({ done: 6, total: 6, failed: 1, in_flight: 0, seconds_left: null })
})

test('--dry-run sends and writes nothing', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service, prompts(5))
  const { code, out, err } = await batch.file('--dry-run', '-t', 'Say {{.}}')
  expect(code).toBe(0)
  expect(err).toContain('5 requests; the first 3:\n')
  expect(out.match(/"content": "Say prompt \d"/g)).toHaveLength(3)
  expect((await service.counts()).statuses).toEqual({})
  expect(['out.jsonl', 'out.jsonl.partial', 'out.jsonl.lock'].filter((name) => batch.exists(name))).toEqual([])
})

test('a service that never replied ends it with 6, with -o and without', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service, prompts(2))
  const env = { ...batch.env, SYN_BASE_URL: 'http://127.0.0.1:9' }
  const line = `syn batch ${quoted(batch.input)} -q --retries 0`
  const { code, err } = await shell(
    `${line}; first=$?; ${line} -o ${quoted(`${batch.input}.out.jsonl`)}; exit $((10 * first + $?))`,
    env,
  )
  expect(code, err).toBe(66)
})
