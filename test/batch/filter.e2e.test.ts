/** `syn batch` in a pipe, its progress, and its status without a service. */

import { expect, test } from 'vitest'
import { BatchProgram, prompts } from '../helpers/batch-program.ts'
import { batchAnswer, startBatchService } from '../helpers/batch-service.ts'
import { quoted, shell } from '../helpers/program.ts'

test('it ends when its reader has gone', async () => {
  await using service = await startBatchService({ latency: [0, 5] })
  const batch = new BatchProgram(service, prompts(2000))
  const { out } = await shell(`syn batch ${quoted(batch.input)} | head -n 1; echo "\${PIPESTATUS[0]}"`, batch.env)
  expect(out).toBe(`${batchAnswer('prompt 1')}\n141\n`)
  expect((await service.counts()).answered).toBeLessThan(2000)
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
