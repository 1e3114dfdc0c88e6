/** Runs of parts of an input, whose answers are joined. */

import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BatchProgram } from '../helpers/batch-program.ts'
import { startBatchService } from '../helpers/batch-service.ts'

// Rows that are equal, empty, or of several lines.
const rows = ['a', 'b', 'a', '', '"c\nd"', 'e', 'f', 'a', 'g', 'h'].map((text, row) => `${text && row};${text}\n`)

/** As `cat` does. */
function join(batch: BatchProgram, names: readonly string[], joined: string): void {
  const stores = names.map((name) => readFileSync(batch.path(`${name}.answers`)))
  writeFileSync(batch.path(`${joined}.answers`), Buffer.concat(stores))
}

test.each(['jsonl', 'csv'])('shards become the results of one run, as %s', async (extension) => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service)
  const table = batch.path('in.csv')
  writeFileSync(table, ['id;text\n', ...rows].join(''))
  const run = (name: string, ...options: string[]) =>
    batch.run([table, '--delimiter', ';', '-t', 'Mood of {{text}}', '-o', batch.path(name), ...options])
  const [whole, all] = [`whole.${extension}`, `all.${extension}`]
  expect(await run(whole)).toMatchObject({ code: 0 })
  const names = [1, 2, 3].map((part) => `part.${part}.${extension}`)
  for (const [at, name] of names.entries()) {
    expect(await run(name, '--shard', `${at + 1}/3`)).toMatchObject({ code: 0 })
  }
  await service.resetCounts()
  join(batch, names, all)
  expect(await run(all, '--offline')).toMatchObject({ code: 0 })
  expect(readFileSync(batch.path(all), 'utf8')).toBe(readFileSync(batch.path(whole), 'utf8'))
  expect(statSync(batch.path(`${all}.answers`)).mode & 0o777).toBe(0o600)

  // Of a store that was torn in its first record, the answers are asked for again, and those of the store behind it are not.
  const [first = ''] = names
  const store = batch.path(`${first}.answers`)
  const answers = readFileSync(store, 'utf8')
  truncateSync(store, answers.indexOf('"hash":') + 20)
  const torn = `torn.${extension}`
  join(batch, names, torn)
  expect(await run(torn, '--offline')).toMatchObject({ code: 1 })
  expect((await service.counts()).answered).toBe(0)
  const lost = answers.split('"status_code":200').length - 1
  const errors = batch.path(`${torn.replace('.jsonl', '')}.errors.jsonl`)
  expect(batch.rows(errors).map(({ code }) => code)).toEqual(Array.from({ length: lost }, () => 'no_answer'))
  expect(await run(torn)).toMatchObject({ code: 0 })
  expect((await service.counts()).answered).toBe(lost)
  expect(readFileSync(batch.path(torn), 'utf8')).toBe(readFileSync(batch.path(whole), 'utf8'))
})

test('syn batch merge says how', async () => {
  await using service = await startBatchService()
  const { code, err } = await new BatchProgram(service).run(['merge', 'in.csv', 'part.1.jsonl', 'part.2.jsonl'])
  expect(code).toBe(2)
  expect(err).toContain('cat part.*.jsonl.answers > all.jsonl.answers')
  expect(err).toContain('syn batch INPUT OPTIONS --offline -o all.jsonl')
})
