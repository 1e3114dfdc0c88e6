/** Runs of parts of an input, whose answers are joined. */

import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BatchProgram } from '../helpers/batch-program.ts'
import { startBatchService } from '../helpers/batch-service.ts'

// Rows that are equal, empty, or of several lines.
const rows = ['a', 'b', 'a', '', '"c\nd"', 'e', 'f', 'a', 'g', 'h'].map((text, row) => `${text && row};${text}\n`)

/** Joins stores byte by byte, as `cat` does. */
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
})
